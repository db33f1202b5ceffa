"""Couplings: which particles act on each other, as a graph and as a sparse matrix."""
