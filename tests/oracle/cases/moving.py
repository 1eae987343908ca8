"""Ops that move elements: shapes, orders, joining, cutting, repeating, diagonals."""

from ._texts import texts

CALLS = {
    "flip": lambda paddle, x: paddle.flip(x, 0),
    "roll": lambda paddle, x: paddle.roll(x, 1),
    "concat": lambda paddle, x: paddle.concat([x, x]),
    "tile": lambda paddle, x: paddle.tile(x, [1, 2]),
    "transpose": lambda paddle, x: x.transpose([1, 0]),
    "expand": lambda paddle, x: x.expand([2, 2, 3]),
    "diagonal": lambda paddle, x: paddle.diagonal(x),
    "getitem": lambda paddle, x: x[0],
    "pick": lambda paddle, x: x[[1, 0]],
}


TABLE = texts(
    "moving", "shapes", "orders", "repeating", "joining", "cutting", "slicing", "diagonals"
)
