"""Explanations: what an element is made from and acts on, and the paths that a gradient took."""
