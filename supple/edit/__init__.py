"""Reshape: cut, tear, sew and shrink bodies while they move."""
