"""Separate: obstacles, contact and their response."""
