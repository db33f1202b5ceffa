"""Advance: five ways to approximate one step of backward Euler, one file each."""
