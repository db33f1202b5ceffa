"""One file per format that is written, and what formats share."""
