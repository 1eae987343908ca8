"""Ops that move elements: shapes, orders, joining, cutting, repeating, diagonals."""

from ._texts import texts

TABLE = texts("moving")
