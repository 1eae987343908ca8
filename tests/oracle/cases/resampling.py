"""Images of another size or order: interpolation, patches, shuffles, with gradients."""

from math import prod

from ..harness import Case
from ..spread import spread
from ._tables import recorded_texts
from ._texts import texts


def resampled(name, text):
    """Return a case of the result for an image `x(*shape)`, and of its gradient."""

    def run(paddle, show):
        images = []

        def x(*shape):
            images.append(paddle.to_tensor(spread(*shape), stop_gradient=False))
            return images[0]

        out = eval(text, {"F": paddle.nn.functional, "x": x})
        show("out", out)
        (out * paddle.to_tensor(spread(*out.shape, part=2))).sum().backward()
        show("out dx", images[0].grad)

    return Case(name, run, ulps=2**31)  # real Paddle computes weights in float32


TABLE = [resampled(*row) for row in recorded_texts("resampling", "resampled")]


def names(paddle):
    """Return the names that the expressions use."""

    def whole(rank, dtype):
        shape = [1, 1, *[2, 3, 2][: rank - 2]]
        return paddle.arange(prod(shape)).reshape(shape).astype(dtype)

    return {"whole": whole}


TABLE += texts("resampling", names, skip=["resampled"])
