"""What users ask of a running simulation: one file per group of `Simulation`'s methods."""
