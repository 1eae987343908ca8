"""Reductions, scans along an axis, sorting, counting and statistics."""
