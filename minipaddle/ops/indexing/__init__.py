"""Ops that read and write where an index, a mask or a tensor of positions says."""
