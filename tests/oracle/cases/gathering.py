"""Reading and writing by tensors of positions: gather, scatter, masks, along an axis."""

from tests.oracle.harness import case

from ._texts import texts


@case
def in_place_forms(paddle, show):
    def change(name, *args):
        x = paddle.to_tensor([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], stop_gradient=False)
        h = x * 1.0
        show(f"{name} same", getattr(h, name)(*args) is h)
        show(f"{name} values", h)
        show(f"{name} counts", h.inplace_version > 0)
        (h * h).sum().backward()
        show(f"{name} gradient", x.grad)

    T = paddle.to_tensor
    rows = T([[7.0, 8.0, 9.0]])
    change("scatter_", T([1]), rows)
    change("index_add_", T([1]), 0, rows)
    change("index_fill_", T([1]), 0, 9.0)
    change("cumsum_")
    change("cumprod_", None)
    change("index_put_", (T([0, 1]), T([1, 2])), T([9.0, 8.0]))
    change("masked_fill_", T([[True, False, True], [False, True, False]]), 9.0)
    change("masked_scatter_", T([[True, False, True], [False, True, False]]), T([9.0, 8.0, 7.0]))
    change("put_along_axis_", T([[0], [1]]), T([[7.0], [8.0]]), 1)


@case(differs="positions count as inputs; in Paddle the values alone say what wants one")
def positions_that_want_a_gradient(paddle, show):
    x, positions = paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]]), paddle.to_tensor([1, 0])
    positions.stop_gradient = False
    show("gather", paddle.gather(x, positions).stop_gradient)
    show("index_select", paddle.index_select(x, positions).stop_gradient)
    show("getitem", x[positions].stop_gradient)
    show("embedding", paddle.nn.functional.embedding(positions, x).stop_gradient)


DIFFERS = {
    "silently wrong": "wrong positions, and masks and values that do not fit, are errors",
}  # fmt: skip
TABLE = texts("gathering", differs=DIFFERS)
