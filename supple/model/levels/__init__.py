"""Levels of detail: several independent meshes of one soft body."""
