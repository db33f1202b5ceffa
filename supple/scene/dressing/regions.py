"""Names of the parts of a figure that panels are laid round."""

REGIONS = ("torso", "left-arm", "right-arm", "left-leg", "right-leg")
"""From the figure's own point of view."""
