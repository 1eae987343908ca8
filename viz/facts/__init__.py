"""Facts derived from a story: problems, costs, magnitudes and the last values of boxes."""
