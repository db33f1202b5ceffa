"""Levels of detail: where a body is computed finely, what switching costs, and what a frame may cost."""
