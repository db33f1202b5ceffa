"""Push: what acts on particles, each as an energy, its force and its theory page."""
