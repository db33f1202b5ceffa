"""Narrow phase: distances, continuous collision detection and intersection tests of single pairs."""
