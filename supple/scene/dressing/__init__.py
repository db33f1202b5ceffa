"""Dressing: the regions of a standing figure, panels laid round them, and seams closed before the motion starts."""
