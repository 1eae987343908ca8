"""Ops that move elements, repeat them, join and cut tensors."""
