"""Images as arrays: colour, depth, identity and place of every pixel, drawn on the CPU."""
