"""Reading and writing with every kind of index."""

from ._texts import texts

DIFFERS = {
    "positions outside": "an index outside its axis is an error: Paddle reads whatever is there",
    "none between tensors":
        "None beside several tensors of positions counts as an axis, as in NumPy",
    "gradients of values":
        "the gradient of a value goes where it was written last, and is summed if it spread",
}  # fmt: skip
TABLE = texts("indexing", differs=DIFFERS)
