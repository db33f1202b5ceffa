"""Cloth against cloth: contacts, their response, and the guard that leaves no intersection."""
