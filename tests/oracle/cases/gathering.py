"""Reading and writing by tensors of positions: gather, scatter, masks, along an axis."""

from tests.oracle.harness import case

from ._texts import texts


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
