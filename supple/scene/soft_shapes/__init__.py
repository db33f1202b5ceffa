"""Shapes of soft bodies in tetrahedra."""
