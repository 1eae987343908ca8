"""Ops that treat every element, or every pair of elements, by itself."""
