"""Branches in dynamic mode, and their gradients; tests of Programs compare with dynamic mode."""

from ._texts import texts

TABLE = texts("control_flow")
