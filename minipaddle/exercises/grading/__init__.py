"""Grading of a folder of notebooks, each in its own processes."""
