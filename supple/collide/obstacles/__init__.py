"""Obstacles: solids, animated surfaces and rigid bodies that particles collide with, and the response."""
