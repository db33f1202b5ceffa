"""The thread that plays a simulation, what it plays, and what it records."""
