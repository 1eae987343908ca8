"""The story: a graph and the steps that walk through it, derived from a document."""
