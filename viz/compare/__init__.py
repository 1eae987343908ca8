"""Comparison of two runs, or of a tape and its Program, with a picture and a page."""
