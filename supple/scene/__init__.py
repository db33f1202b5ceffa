"""Declare what is simulated: bodies, materials, pins, settings, scenes and the file reader.

Nothing here moves anything. A scene is a frozen value, equal to any other scene that says the
same, whether it was written in Python or read from a file. No module of this folder imports the
compiler, so checking a scene is quick.
"""
