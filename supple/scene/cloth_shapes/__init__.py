"""Shapes of cloth: rectangles, Bézier patches, panels, cushions, meshes."""
