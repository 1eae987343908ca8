"""Initializers and ParamAttr, which layers of both modes use to make parameters."""
