"""Comparison of two runs, or of eager work and its Program, with a picture and a page."""
