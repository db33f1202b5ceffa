"""Linear systems of the implicit integrators: one scalar matrix, three right-hand sides."""
