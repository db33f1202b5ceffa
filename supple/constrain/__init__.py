"""Correct: what must hold after a step, whatever the integrator did."""
