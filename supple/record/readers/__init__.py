"""Recordings read back, frame by frame, and converted."""
