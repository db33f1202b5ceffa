"""Undo and redo, the log of actions, and edited bodies in saved states."""
