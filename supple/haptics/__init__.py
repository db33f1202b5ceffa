"""Force feedback: a local model of the touched place, a loop of 1 kHz on it, and devices."""
