"""Transforms of arrays, and of Tensors with gradients; tests/oracle compares the rest with Paddle.

Real Paddle transforms arrays with OpenCV, minipaddle with Pillow: both must agree on one image.
"""

import random
from typing import Any

import numpy as np
from PIL import Image

import minipaddle as paddle
from minipaddle.vision import transforms
from minipaddle.vision.transforms import functional
from tests.each import each

BYTES = np.random.RandomState(0).randint(0, 256, (7, 9, 3)).astype("uint8")
CALLS: list[tuple[str, tuple[Any, ...]]] = [
    ("resize", (4,)),
    ("resize", ((9, 3), "bicubic")),
    ("rotate", (30, "bilinear", True)),
    ("rotate", (-100, "nearest", False, (2, 3), (9, 8, 7))),
    ("pad", ((1, 2, 3, 0), (9, 8, 7))),
    ("pad", (2, 5)),
    ("pad", (2, 0, "reflect")),
    ("crop", (1, 2, 3, 4)),
    ("center_crop", ((3, 2),)),
    ("hflip", ()),
    ("vflip", ()),
    ("adjust_brightness", (1.5,)),
    ("adjust_contrast", (0.5,)),
    ("adjust_saturation", (1.5,)),
    ("adjust_hue", (0.2,)),
    ("to_grayscale", (3,)),
    ("erase", (1, 2, 3, 4, 5)),
]


@each(("name", "args"), CALLS)
def test_an_array_changes_as_the_picture_of_it(name: str, args: tuple[Any, ...]) -> None:
    call = getattr(functional, name)
    before = BYTES.copy()
    np.testing.assert_array_equal(
        call(BYTES, *args), np.asarray(call(Image.fromarray(BYTES), *args))
    )
    grey = args if name != "rotate" and name != "pad" else args[:-1]
    if name != "to_grayscale":
        flat, one = call(BYTES[..., 0], *grey), call(BYTES[..., :1], *grey)
        np.testing.assert_array_equal(one[..., 0], flat)
        np.testing.assert_array_equal(flat, np.asarray(call(Image.fromarray(BYTES[..., 0]), *grey)))
    assert (before == BYTES).all()


@each(("name", "args"), [row for row in CALLS if row[0] in ("resize", "rotate", "pad", "vflip")])
def test_numbers_that_are_no_bytes_keep_their_dtype(name: str, args: tuple[Any, ...]) -> None:
    call = getattr(functional, name)
    for dtype in ("float64", "float32", "int64"):
        result = call((BYTES.astype(dtype)), *args)
        assert result.dtype == dtype
        np.testing.assert_allclose(result, call(BYTES, *args).astype(dtype), atol=1)


@each(
    "transform",
    [
        transforms.Normalize([0.1, 0.2, 0.3], [0.5, 0.4, 0.3]),
        transforms.CenterCrop(2),
        transforms.RandomVerticalFlip(1.0),
        transforms.Pad((1, 2), padding_mode="reflect"),
        transforms.Grayscale(3),
        transforms.SaturationTransform((0.7, 0.7)),
        transforms.ContrastTransform((0.7, 0.7)),
        transforms.Transpose((1, 2, 0)),
    ],
)
def test_gradients_flow_back_to_an_image(transform: Any) -> None:
    image = paddle.to_tensor(np.random.RandomState(2).uniform(0.2, 0.8, (3, 4, 5)))
    image.stop_gradient = False
    paddle.testing.check_grad(transform, image)


def test_draws_leave_paddles_generator_alone_and_follow_the_two_others() -> None:
    crop = transforms.RandomResizedCrop(5)

    def draw(python: int, numpy: int) -> Any:
        random.seed(python)
        np.random.seed(numpy)
        return np.stack([crop(BYTES) for _ in range(4)])

    state = paddle.get_rng_state()
    first = draw(1, 1)
    assert (draw(1, 1) == first).all()
    assert (draw(2, 1) != first).any()
    assert (draw(1, 2) != first).any()
    assert paddle.get_rng_state() == state


def test_a_batch_of_tensors_is_cut_and_flipped_whole() -> None:
    batch = paddle.arange(2 * 3 * 4 * 5).reshape([2, 3, 4, 5])
    for transform in (
        transforms.CenterCrop(2),
        transforms.Pad(1),
        transforms.RandomVerticalFlip(1.0),
    ):
        np.testing.assert_array_equal(transform(batch)[1].numpy(), transform(batch[1]).numpy())
