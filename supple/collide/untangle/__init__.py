"""Untangling: surfaces that start intersected are separated."""
