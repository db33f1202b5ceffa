"""Springs and bending elements from the shape of a body."""
