"""Images of another size or order: interpolation, patches, shuffles, with gradients."""

from functools import partial

from ..harness import Case, case
from ..spread import spread


def graded(paddle, show, name, call, *shape, dtype="float64"):
    x = paddle.to_tensor(spread(*shape).astype(dtype), stop_gradient=False)
    out = call(x)
    show(name, out)
    (out * paddle.to_tensor(spread(*out.shape, part=2).astype(dtype))).sum().backward()
    show(f"{name} dx", x.grad)


def case_of(name, call, *shape, **options):
    """Return a case of a function of `paddle.nn.functional`."""

    def body(paddle, show):
        function = getattr(paddle.nn.functional, call)
        graded(paddle, show, "out", partial(function, **options), *shape)

    return Case(name, body, ulps=2**31)  # real Paddle computes weights in float32


TABLE = [
    case_of("nearest, smaller", "interpolate", 1, 2, 5, 3, size=[2, 2]),
    case_of("nearest, larger", "interpolate", 1, 1, 2, 3, scale_factor=1.7),
    case_of("nearest, channels last", "interpolate", 1, 2, 3, 2, size=[3, 4], data_format="NHWC"),
    case_of("volume", "interpolate", 1, 1, 2, 2, 2, size=[3, 2, 4], mode="trilinear"),
    case_of("line", "interpolate", 2, 1, 4, size=[7], mode="linear"),
    case_of("line last", "interpolate", 1, 4, 2, scale_factor=[1.5], mode="linear",
            data_format="NWC"),
    case_of("area", "interpolate", 1, 1, 5, 4, size=[3, 2], mode="area"),
    case_of("upsample", "upsample", 1, 1, 2, 2, scale_factor=[2, 1.5], mode="bilinear"),
    *(
        case_of(f"{mode} {corners} {align}", "interpolate", 1, 1, 3, 4, size=[5, 2], mode=mode,
                align_corners=corners, align_mode=align)
        for mode, corners, align in (
            ("bilinear", False, 0), ("bilinear", False, 1), ("bilinear", True, 0),
            ("bicubic", False, 0), ("bicubic", True, 0),
        )
    ),
    *(
        case_of(f"factor {factor} {again}", "interpolate", 1, 1, 3, 4, scale_factor=factor,
                mode="bilinear", recompute_scale_factor=again)
        for factor in (1.4, [0.7, 2.3]) for again in (False, True)
    ),
    case_of("pixels", "pixel_shuffle", 1, 8, 1, 2, upscale_factor=2),
    case_of("pixels last", "pixel_shuffle", 1, 1, 2, 8, upscale_factor=2, data_format="NHWC"),
    case_of("back", "pixel_unshuffle", 1, 2, 2, 4, downscale_factor=2),
    case_of("back last", "pixel_unshuffle", 1, 2, 4, 2, downscale_factor=2, data_format="NHWC"),
    case_of("channels", "channel_shuffle", 1, 6, 1, 2, groups=2),
    case_of("channels last", "channel_shuffle", 1, 1, 2, 6, groups=3, data_format="NHWC"),
    case_of("patches", "unfold", 1, 2, 3, 3, kernel_sizes=[2, 3]),
    case_of("spread patches", "unfold", 1, 1, 5, 4, kernel_sizes=2, strides=[2, 1],
            paddings=[1, 0, 0, 2], dilations=[2, 1]),
    case_of("padded patches", "unfold", 1, 1, 3, 3, kernel_sizes=2, paddings=[1, 0]),
    case_of("sums", "fold", 1, 8, 4, output_sizes=[3, 3], kernel_sizes=2),
    case_of("spread sums", "fold", 1, 4, 6, output_sizes=[5, 4], kernel_sizes=2, strides=2,
            paddings=[0, 1]),
]  # fmt: skip


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
def refused(paddle, show):
    f, x = paddle.nn.functional, paddle.ones([1, 3, 2, 2])
    show.raises("shuffled channels", lambda: f.pixel_shuffle(x, 2))
    show.raises("shuffled factor", lambda: f.pixel_shuffle(x, 1.5))
    show.raises("unshuffled size", lambda: f.pixel_unshuffle(x, 3))
    show.raises("unshuffled factor", lambda: f.pixel_unshuffle(x, 0))
    show.raises("groups", lambda: f.channel_shuffle(x, 0))
    show.raises("layout", lambda: f.channel_shuffle(x, 1, "NCL"))
    show.raises("axes", lambda: f.channel_shuffle(x[0], 1))
    show.raises("layer", lambda: paddle.nn.PixelUnshuffle(-1))
    show.raises("kernel", lambda: f.unfold(x, 4))
    show.raises("axes of patches", lambda: f.unfold(x[0], 2))
    show.raises("paddings", lambda: f.unfold(x, 2, paddings=[1, 2, 3]))
    show.raises("columns", lambda: f.fold(paddle.ones([1, 4, 3]), [3, 3], 2))
    show.raises("rows", lambda: f.fold(paddle.ones([1, 3, 4]), [3, 3], 2))
    show.raises("no size", lambda: f.interpolate(x))
    show.raises("both", lambda: f.interpolate(x, [2, 2], 2))
    show.raises("mode", lambda: f.interpolate(x, [2, 2], mode="cubic"))
    show.raises("rank", lambda: f.interpolate(x, [2, 2], mode="linear"))
    show.raises("corners", lambda: f.interpolate(x, [2, 2], align_corners=True))
    show.raises("corners as int", lambda: f.interpolate(x, [2, 2], "bilinear", align_corners=1))
    show.raises("align_mode", lambda: f.interpolate(x, [2, 2], align_mode=2))
    show.raises("sizes", lambda: f.interpolate(x, [2]))
    show.raises("size 0", lambda: f.interpolate(x, [0, 2]))
    show.raises("factor 0", lambda: f.interpolate(x, scale_factor=0))
    show.raises("factors", lambda: f.interpolate(x, scale_factor=[2.0]))
    show.raises("layout of images", lambda: f.interpolate(x, [2, 2], data_format="NCW"))
    show.raises("again", lambda: f.interpolate(x, [2, 2], recompute_scale_factor=True))
