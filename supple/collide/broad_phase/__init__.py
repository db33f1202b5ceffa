"""Broad phase: bounding-volume hierarchy, culling and the neighbour list of surface pairs."""
