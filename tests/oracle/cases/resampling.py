"""Images of another size or order: interpolation, patches, shuffles, with gradients."""

from math import prod

from ..harness import Case, case
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


@case
def layers(paddle, show):
    nn = paddle.nn
    x, planes = paddle.ones([1, 4, 2, 2]), paddle.ones([1, 4, 4])
    for layer, given in (
        (nn.PixelShuffle(2), x), (nn.PixelUnshuffle(2, "NHWC"), x), (nn.ChannelShuffle(2), x),
        (nn.Unfold(2, 1, [1, 0]), x), (nn.Fold(3, 2), planes), (nn.Upsample([3, 3]), x),
        (nn.Upsample(scale_factor=2, mode="bicubic", align_corners=True, name="own"), x),
        (nn.UpsamplingNearest2D(3), x), (nn.UpsamplingBilinear2D(scale_factor=2), x),
    ):  # fmt: skip
        show(f"text {layer!r}", [repr(layer), list(layer(given).shape)])


@case
def whole_numbers(paddle, show):
    modes = [("nearest", 4), ("nearest", 5), ("linear", 3), ("bilinear", 4), ("bicubic", 4)]
    for dtype in ("uint8", "int16", "int32", "int64", "bool"):
        for mode, rank in modes:
            shape = [1, 1, *[2, 3, 2][: rank - 2]]
            x = paddle.arange(prod(shape)).reshape(shape).astype(dtype)

            label = f"{dtype} {mode} {rank}"

            def call(label=label, x=x, mode=mode, rank=rank):
                out = paddle.nn.functional.interpolate(x, [3] * (rank - 2), mode=mode)
                show(f"{label} out", out)

            show.raises(label, call)


TABLE += texts("resampling", globals(), skip=["resampled"])
