"""Show: a simulation in its own thread, a server beside it, and the page that people touch."""
