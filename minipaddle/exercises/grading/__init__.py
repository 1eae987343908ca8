"""Grading a folder of notebooks: each runs in processes of its own, and becomes rows of a table."""
