"""Errors of `paddle.vision`: each function makes one."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.errors import InvalidArgument, InvalidType, MinipaddleError, Unimplemented
from ..errors import describe_value
from ..messages import Message

IMAGE = Message("a PIL image, an array [H, W] or [H, W, C], or a Tensor [C, H, W]")


def no_image(value: Any) -> MinipaddleError:
    shaped = hasattr(value, "shape") and hasattr(value, "dtype")
    received = Message("shape {shape}", shape=list(value.shape)) if shaped else None
    return InvalidType(
        Message("this is no image."),
        expected=IMAGE,
        received=received or describe_value(value),
        fix=Message("load it with paddle.vision.image_load(path), or reshape the array"),
    )


def not_of_a_tensor(op: str) -> MinipaddleError:
    return Unimplemented(
        Message("{op}() of a Tensor is not here yet.", op=op),
        expected=Message("a PIL image, or an array [H, W] or [H, W, C]"),
        received=Message("a Tensor"),
        fix=Message("transform the image first, and make it a Tensor last, with ToTensor()"),
    )


def not_bytes(op: str, img: np.ndarray[Any, Any]) -> MinipaddleError:
    return InvalidArgument(
        Message("{op}() changes the colours of arrays of uint8 only.", op=op),
        expected=Message("an array of uint8, from 0 to 255"),
        received=f"{img.dtype} {list(img.shape)}",
        fix=Message('convert it first: image.astype("uint8")'),
    )


def too_small(size: tuple[int, int], wanted: tuple[int, int]) -> MinipaddleError:
    return InvalidArgument(
        Message("RandomCrop: the image is smaller than the rectangle to cut out."),
        expected=Message("an image of at least {rows} × {columns} pixels"),
        received=Message("{height} × {width} pixels"),
        fix=Message("give pad_if_needed=True, or a smaller size"),
        slots={
            "rows": wanted[0],
            "columns": wanted[1],
            "height": size[0],
            "width": size[1],
        },
    )


def channels(mean: int, count: int, data_format: str, shape: Any) -> MinipaddleError:
    return InvalidArgument(
        Message(
            "normalize(): {mean} {mean:mean|means} for {count} channels, by data_format "
            "{data_format!r}.",
            mean=mean,
            count=count,
            data_format=data_format,
        ),
        expected=Message("one mean for each channel"),
        received=Message("shape {shape}", shape=list(shape)),
        fix=Message(
            "apply ToTensor() or Transpose() before Normalize, or give data_format='HWC' for "
            "images [H, W, C]"
        ),
    )
