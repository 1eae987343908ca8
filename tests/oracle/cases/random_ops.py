"""Random numbers of a seed, op by op, in Paddle's order of draws."""

import numpy as np

from ..harness import Case, case
from ._calls import describe
from ._tables import recorded_texts
from ._texts import texts, world


def drawn(text):
    """Show the numbers of an expression with three seeds, then the next word of the stream."""

    def run(paddle, show):
        for seed in (0, 7, 2023):
            paddle.seed(seed)
            show(f"seed {seed}", describe(eval(text, world(paddle))))
            show(f"after {seed}", paddle.randint(0, 2**31 - 1, [1]))

    return run


ULPS = {"drawn": 2, "drawn by logarithms": 4, "drawn by tangents": 8}
TABLE = [
    Case(name, drawn(text), ulps=ulps)
    for group, ulps in ULPS.items()
    for name, text in recorded_texts("random_ops", group)
]
DIFFERS = {
    "exponential on a leaf": "an in-place draw on a leaf that wants a gradient is refused",
}  # fmt: skip
DIFFERS = {
    "exponential on a leaf": "an in-place draw on a leaf that wants a gradient is refused",
}
TABLE += texts("random_ops", None, DIFFERS, skip=["drawn"])


@case
def gradients_stop_at_what_was_drawn(paddle, show):
    for name in ("uniform_", "normal_", "exponential_", "bernoulli_"):
        x = paddle.to_tensor(np.float32([1, 2]), stop_gradient=False)
        h = x * 3
        getattr(h, name)()
        (h * 2).sum().backward()
        show(name, x.grad)
