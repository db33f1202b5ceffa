"""What only the constant matrix of `filter` needs to follow contact within a substep."""
