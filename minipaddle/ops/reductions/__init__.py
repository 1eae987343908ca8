"""Ops that make fewer elements of many, run along an axis, or put elements in order."""
