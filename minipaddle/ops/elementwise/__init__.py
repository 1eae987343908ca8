"""Ops on each element, or on each pair of elements."""
