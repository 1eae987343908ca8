"""Errors of `paddle.vision`: each function makes one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..engine.errors import (
    InvalidArgument,
    InvalidType,
    MinipaddleError,
    NoSuchFile,
    NotFound,
    Unimplemented,
)
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


def channels(mean: int, count: int, data_format: str, shape: Any) -> MinipaddleError:
    return InvalidArgument(
        Message("normalize(): {mean} {mean:mean|means} for {count} channels of {layout}."),
        expected=Message("one mean for each channel"),
        received=Message("shape {shape}", shape=list(shape)),
        fix=Message("use ToTensor() or Transpose() before Normalize, or give data_format='HWC'"),
        slots={"mean": mean, "count": count, "layout": data_format},
    )


# ----- data sets ---------------------------------------------------------------------------------


def no_file(name: str, path: object) -> MinipaddleError:
    return NoSuchFile(
        Message("{name}: there is no '{path}'.", name=name, path=path),
        expected=Message("the path of a file or a folder that is there"),
        received=f"'{path}'",
        fix=Message(
            "check the path; without a slash at its start it begins in {here}", here=Path.cwd()
        ),
    )


def not_fetched(
    name: str, url: str, path: object, argument: str, error: Exception
) -> MinipaddleError:
    reason = getattr(error, "reason", None) or error
    fix = Message("fetch {url} and save it as that file, or give its path as {argument}")
    if "MNIST" in name:
        fix = Message(
            "fetch {url} and save it as that file, or give its path as {argument}; "
            "paddle.vision.datasets.Digits needs no download"
        )
    return NotFound(
        Message("{name}: its file is not on this machine and could not be downloaded."),
        expected=Message("the file '{path}'"),
        received=Message("no answer from {url}: {reason}"),
        fix=fix,
        slots={"name": name, "path": path, "url": url, "argument": argument, "reason": reason},
    )


def other_checksum(name: str, url: str, path: object, count: int) -> MinipaddleError:
    return NotFound(
        Message("{name}: the file that was downloaded is not the one that Paddle knows."),
        expected=Message("the file with Paddle's checksum"),
        received=Message("{count} bytes from {url}"),
        fix=Message("try again later, or save the right file as '{path}'"),
        slots={"name": name, "count": count, "url": url, "path": path},
    )


def damaged(path: object, reason: str) -> MinipaddleError:
    return InvalidArgument(
        Message("'{path}' cannot be read: {reason}.", path=path, reason=reason),
        expected=Message("the whole file, as its authors published it"),
        received=reason,
        fix=Message("fetch it again, and check that images, labels and archives are not mixed up"),
    )


def no_images(name: str, root: object, extensions: Any) -> MinipaddleError:
    return NotFound(
        Message("{name}: there are no images in '{root}'.", name=name, root=root),
        expected=Message("files that end with {endings}", endings=", ".join(extensions)),
        received=Message("none"),
        fix=Message("check the folder, or give extensions or is_valid_file"),
    )


# ----- networks ----------------------------------------------------------------------------------


def no_weights(name: str, url: str | None) -> MinipaddleError:
    fix = Message("train it: Paddle has no weights of {name} either")
    if url is not None:
        fix = Message("fetch {url}, then: net = {name}(); net.set_state_dict(paddle.load(file))")
    return Unimplemented(
        Message("{name}(): minipaddle downloads no trained weights."),
        expected="pretrained=False",
        received="pretrained=True",
        fix=fix,
        slots={"name": name, "url": url},
    )
