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


PIXELS = [[[[1.0, -2.0, 0.5], [3.0, 0.25, -1.5]]]]
PLACES = [[[[0.3, -0.7], [-0.55, 0.1], [1.3, 0.45], [-1.7, -2.6]]]]
TABLE = [resampled(*row) for row in recorded_texts("resampling", "resampled")]


def names(paddle):
    """Return the names that the expressions use."""

    def whole(rank, dtype):
        shape = [1, 1, *[2, 3, 2][: rank - 2]]
        return paddle.arange(prod(shape)).reshape(shape).astype(dtype)

    return {"whole": whole, "PIXELS": PIXELS, "PLACES": PLACES, "spread": spread}


DIFFERS = {
    "places in a row in float64": "real Paddle gives NaN: it divides by the 0 steps between rows",
}
TABLE += texts("resampling", names, DIFFERS, skip=["resampled"])
