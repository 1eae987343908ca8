"""Ops that make tensors (constants, ranges, random numbers, copies) or read their properties."""
