"""Pictures without a graphics card, and plots."""
