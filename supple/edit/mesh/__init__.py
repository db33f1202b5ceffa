"""Changes of a mesh: cut paths, split triangles and tetrahedra, springs and bends that follow."""
