"""Ops that make tensors: constants, ranges, random numbers, copies; and what they are."""
