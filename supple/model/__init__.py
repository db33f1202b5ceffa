"""Hold: particles, springs, bending elements and the couplings between them."""
