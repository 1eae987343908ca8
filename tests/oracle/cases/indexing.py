"""Reading and writing with every kind of index."""

from tests.oracle.harness import case

from ._texts import texts


@case
def other_shapes_in_place(paddle, show):
    for name, args in (
        ("reshape_", ([3, 2],)),
        ("squeeze_", ()),
        ("unsqueeze_", ([0],)),
        ("flatten_", ()),
        ("transpose_", ([1, 0],)),
        ("t_", ()),
    ):
        for place in ("method", "function"):
            x = paddle.to_tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], stop_gradient=False)
            h = x * 2.0
            row = h[0]
            owner = paddle.Tensor if place == "method" else paddle
            result = getattr(owner, name)(h, *args)
            label = f"{name} {place}"
            show(f"{label} same", result is h)
            show(f"{label} shape", list(h.shape))
            show(f"{label} values", h)
            show(f"{label} version", h.inplace_version)
            weights = paddle.arange(6).astype("float32").reshape(h.shape)
            (h * weights).sum().backward()
            show(f"{label} gradient", x.grad)
            h.zero_()
            show(f"{label} views see it", row)
    leaf = paddle.ones([2, 2])
    leaf.stop_gradient = False
    show.raises("a leaf", lambda: leaf.reshape_([4]))


DIFFERS = {
    "positions outside": "an index outside its axis is an error: Paddle reads whatever is there",
    "none between tensors":
        "None beside several tensors of positions counts as an axis, as in NumPy",
    "gradients of values":
        "the gradient of a value goes where it was written last, and is summed if it spread",
}  # fmt: skip
TABLE = texts("indexing", differs=DIFFERS)
