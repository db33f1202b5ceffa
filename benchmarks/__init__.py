"""Ratios against peers and cost curves, behind `supple bench`.

One cloth serves all: 1 m x 1 m, 0.15 kg, lying flat, held by its two far corners and let go at
50 frames/s. Times are CPU milliseconds of whole frames (all threads together), taken in alternating
blocks so that noise of the machine hits every competitor alike.
"""
