"""Edited bodies in the tables of the world: in place, moved, split, rebuilt, with their motion."""
