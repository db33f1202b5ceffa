"""What happens at a set time: edits, actions, keyframes, scripts, stitches."""
