"""The story: a graph and the steps that explain it, derived from a document."""
