"""Edges and faces of cloth against sharp edges and thin parts of solids."""
