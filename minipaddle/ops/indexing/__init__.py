"""Ops that read and write elements by index, mask or tensors of positions."""
