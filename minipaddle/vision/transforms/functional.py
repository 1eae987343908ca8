"""Functions of one image: Pillow's images, arrays [H, W] or [H, W, C], and Tensors [C, H, W].

What Pillow can do, Pillow does, for arrays too.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...eager.creation import to_tensor as _make_tensor
from ...engine.errors import CheckFailed, InvalidName, InvalidType
from ...engine.tensor import Tensor
from ...errors import require
from ...nn import functional as F
from ...ops.boundary import publish as _publish
from ...ops.errors import choice
from ...ops.errors import dtype as wrong_dtype
from ...paddle_names import absent
from .. import errors, pillow

__all__ = [
    "adjust_brightness", "adjust_contrast", "adjust_hue", "center_crop", "crop", "erase", "hflip",
    "normalize", "pad", "resize", "rotate", "to_grayscale", "to_tensor", "vflip",
]  # fmt: skip

__getattr__ = absent.names(__name__)

_INTERPOLATIONS = ("nearest", "lanczos", "bilinear", "bicubic", "box", "hamming")
_PADDING = ("constant", "edge", "reflect", "symmetric")
_GREY = (0.2989, 0.587, 0.114)  # of red, green and blue, in Paddle's Tensors


# ----- kinds of images ---------------------------------------------------------------------------

# The names of these three are Paddle's, because an example in its documents calls them.


def _is_pil_image(img: Any) -> bool:
    """Return whether an image is Pillow's; raise an error for what is no image."""
    imported = sys.modules.get("PIL.Image")
    if imported is not None and isinstance(img, imported.Image):
        return True
    axes = (2, 3) if isinstance(img, np.ndarray) else (3, 4) if isinstance(img, Tensor) else ()
    if getattr(img, "ndim", None) not in axes:
        raise errors.no_image(img)
    return False


def _is_tensor_image(img: Any) -> bool:
    return not _is_pil_image(img) and isinstance(img, Tensor)


def _is_numpy_image(img: Any) -> bool:
    return not _is_pil_image(img) and isinstance(img, np.ndarray)


def _size(img: Any) -> tuple[int, int]:
    """Return height and width of an image."""
    if _is_pil_image(img):
        width, height = img.size
        return height, width
    height, width = img.shape[-2:] if _is_tensor_image(img) else img.shape[:2]
    return height, width


def _pair(size: Any, op: str, argument: str = "size") -> tuple[int, int]:
    """Return a height and a width, which are equal for a single number."""
    if isinstance(size, (int, float)):
        return int(size), int(size)
    require(len(size) == 2, op, "a number, or height and width", InvalidType, **{argument: size})
    return tuple(size)


def _filter(op: str, interpolation: str) -> Any:
    if interpolation not in _INTERPOLATIONS:
        raise choice(op, "interpolation", interpolation, _INTERPOLATIONS, InvalidName)
    return pillow.Image.Resampling[interpolation.upper()]


def _by_channel(op: str, img: Any, work: Callable[[Any, int], Any]) -> Any:
    """Apply a function of Pillow's images to an array, channel by channel."""
    if _is_tensor_image(img):
        raise errors.not_of_a_tensor(op)
    planes = img.reshape(*img.shape[:2], -1)
    planes = planes if img.dtype == np.uint8 else planes.astype(np.float32)
    parts = [work(pillow.Image.fromarray(planes[..., c]), c) for c in range(planes.shape[-1])]
    result = np.stack(parts, -1).astype(img.dtype)
    return result.reshape(*result.shape[:2], *img.shape[2:])


def _in_colours(op: str, img: Any, work: Callable[[Any], Any]) -> Any:
    """Apply a function of the colours of Pillow's images to one of these, or to an array."""
    if _is_pil_image(img):
        return work(img)
    if _is_tensor_image(img):
        raise errors.not_of_a_tensor(op)
    if img.dtype != np.uint8:
        raise wrong_dtype(op, ["uint8"], img=img)
    result = np.array(work(pillow.Image.fromarray(img[..., 0] if img.shape[2:] == (1,) else img)))
    return result[..., None] if result.ndim < img.ndim else result


# ----- conversions -------------------------------------------------------------------------------


def to_tensor(pic: Any, data_format: str = "CHW") -> Any:
    """Make an image a Tensor [C, H, W]: bytes become numbers from 0 to 1.

    data_format: "HWC" makes [H, W, C]. Other numbers keep their dtype and value; so does a Tensor.

    Errors: TypeError for what is no image; ValueError for another data_format.
    Source: Paddle's `paddle.vision.transforms.to_tensor`.

    >>> image = np.full([2, 4, 3], 255, "uint8")
    >>> x = paddle.vision.transforms.to_tensor(image)
    >>> list(x.shape), float(x.max())
    ([3, 2, 4], 1.0)
    """
    if data_format not in ("CHW", "HWC"):
        raise choice("to_tensor", "data_format", data_format, ("CHW", "HWC"))
    if _is_tensor_image(pic):
        return pic if data_format == "CHW" else pic.transpose([1, 2, 0])
    array = np.asarray(pic)
    if array is not pic:  # Pillow's modes "1" and "I;16"
        array = array * np.uint8(255) if array.dtype == np.bool_ else array
        array = array.astype(np.int32) if array.dtype == np.uint16 else array
    array = array.reshape(*array.shape[:2], -1)
    if array.dtype == np.uint8:
        array = array.astype(np.float32) / np.float32(255)
    return _make_tensor(array if data_format == "HWC" else array.transpose(2, 0, 1))


def normalize(img: Any, mean: Any, std: Any, data_format: str = "CHW", to_rgb: bool = False) -> Any:
    """Compute (image − mean) / std, channel by channel; an image of Pillow becomes an array.

    to_rgb: whether the last axis is reversed first, from BGR to RGB; not for a Tensor.

    Errors: ValueError for another number of means than of channels.
    Source: Paddle's `paddle.vision.transforms.normalize`.

    >>> x = paddle.vision.transforms.to_tensor(np.full([2, 2], 255, "uint8"))
    >>> paddle.vision.transforms.normalize(x, [0.5], [0.5]).tolist()
    [[[1.0, 1.0], [1.0, 1.0]]]
    """
    if not isinstance(img, np.ndarray) and _is_pil_image(img):
        img = np.asarray(img).astype(np.float32)
    first = data_format.upper() == "CHW"
    shape = (-1, 1, 1) if first else (1, 1, -1)
    mean, std = (np.asarray(value, np.float32).reshape(shape) for value in (mean, std))
    count = img.shape[-3 if first else -1] if img.ndim > 2 else 1
    if count != mean.size and 1 not in (count, mean.size):
        raise errors.channels(mean.size, count, data_format, img.shape)
    if isinstance(img, np.ndarray):
        return ((img[..., ::-1] if to_rgb else img) - mean) / std
    return (img - _make_tensor(mean)) / _make_tensor(std)


# ----- sizes and places --------------------------------------------------------------------------


def resize(img: Any, size: Any, interpolation: str = "bilinear") -> Any:
    """Resize an image to height and width, or its shorter side to one number.

    interpolation: "nearest", "bilinear", "bicubic", "lanczos", "box" or "hamming", as in Pillow.

    Errors: NotImplementedError for a Tensor; KeyError for another interpolation; TypeError for
    another size.
    Source: Paddle's `paddle.vision.transforms.resize`.

    >>> paddle.vision.transforms.resize(np.zeros([8, 16, 3], "uint8"), 4).shape
    (4, 8, 3)
    """
    mode, (height, width) = _filter("resize", interpolation), _size(img)
    if isinstance(size, int):
        shorter = min(height, width)
        if size == shorter:
            return img
        size = int(size * height / shorter), int(size * width / shorter)
    require(
        not isinstance(size, float), "resize", "an int, or height and width", InvalidType, size=size
    )
    height, width = _pair(size, "resize")
    if _is_pil_image(img):
        return img.resize((width, height), mode)
    return _by_channel("resize", img, lambda plane, _: plane.resize((width, height), mode))


def crop(img: Any, top: int, left: int, height: int, width: int) -> Any:
    """Cut a rectangle out of an image.

    Outside of it an image of Pillow is black.

    Errors: ValueError for a rectangle that is not inside an array or a Tensor.
    Source: Paddle's `paddle.vision.transforms.crop`.

    >>> paddle.vision.transforms.crop(np.arange(12).reshape(3, 4), 1, 2, 2, 1).tolist()
    [[6], [10]]
    """
    if _is_pil_image(img):
        return img.crop((left, top, left + width, top + height))
    size = _size(img)
    inside = 0 <= top <= top + height <= size[0] and 0 <= left <= left + width <= size[1]
    given = {"size": size, "top": top, "left": left, "height": height, "width": width}
    require(inside, "crop", "a rectangle inside the image", **given)
    rows, columns = slice(top, top + height), slice(left, left + width)
    return img[..., rows, columns] if _is_tensor_image(img) else img[rows, columns]


def center_crop(img: Any, output_size: Any) -> Any:
    """Cut the middle out of an image: a square, or a height and a width.

    Errors: as `crop`.
    Source: Paddle's `paddle.vision.transforms.center_crop`.

    >>> paddle.vision.transforms.center_crop(np.arange(16).reshape(4, 4), 2).tolist()
    [[5, 6], [9, 10]]
    """
    height, width = _size(img)
    rows, columns = _pair(output_size, "center_crop", "output_size")
    return crop(img, round((height - rows) / 2), round((width - columns) / 2), rows, columns)


def hflip(img: Any) -> Any:
    """Swap left and right.

    Errors: TypeError for what is no image.
    Source: Paddle's `paddle.vision.transforms.hflip`.

    >>> paddle.vision.transforms.hflip(np.array([[1, 2], [3, 4]])).tolist()
    [[2, 1], [4, 3]]
    """
    return _flip(img, pillow.Image.Transpose.FLIP_LEFT_RIGHT, 1)


def vflip(img: Any) -> Any:
    """Swap top and bottom.

    Errors: TypeError for what is no image.
    Source: Paddle's `paddle.vision.transforms.vflip`.

    >>> paddle.vision.transforms.vflip(np.array([[1, 2], [3, 4]])).tolist()
    [[3, 4], [1, 2]]
    """
    return _flip(img, pillow.Image.Transpose.FLIP_TOP_BOTTOM, 0)


def _flip(img: Any, method: pillow.Image.Transpose, axis: int) -> Any:
    if _is_pil_image(img):
        return img.transpose(method)
    return img.flip([axis - 2]) if _is_tensor_image(img) else np.flip(img, axis)


def pad(img: Any, padding: Any, fill: Any = 0, padding_mode: str = "constant") -> Any:
    """Put a border around an image.

    padding: a width, (left and right, top and bottom), or (left, top, right, bottom).
    fill: the colour of the border; a single number is that of the first channel, in a Tensor of
    all. padding_mode: "constant"; "edge", which repeats the outermost pixels; "reflect" and
    "symmetric", which mirror the image without and with these.

    Errors: ValueError for another number of widths, and for "symmetric" of a Tensor;
    AssertionError for another padding_mode.
    Source: Paddle's `paddle.vision.transforms.pad`.

    >>> paddle.vision.transforms.pad(np.array([[1, 2]]), (1, 0), padding_mode="edge").tolist()
    [[1, 1, 2, 2]]
    """
    if padding_mode not in _PADDING:
        raise choice("pad", "padding_mode", padding_mode, _PADDING, CheckFailed)
    widths = [padding] if isinstance(padding, int) else list(padding)
    require(len(widths) in (1, 2, 4), "pad", "a width, or 2 or 4 of them", padding=padding)
    left, top, right, bottom = widths * (4 // len(widths))
    if _is_tensor_image(img):
        return _pad_tensor(img, [left, right, top, bottom], fill, padding_mode)
    if padding_mode == "constant" and _is_pil_image(img):
        colour = tuple(fill) if isinstance(fill, Sequence) and not isinstance(fill, str) else fill
        return pillow.ImageOps.expand(img, (left, top, right, bottom), colour)
    array = np.asarray(img)
    sides = [(top, bottom), (left, right), (0, 0)][: array.ndim]
    if padding_mode == "constant":
        colour = np.zeros(array.shape[2:], array.dtype)
        colour.flat[: np.size(fill)] = fill
        return np.where(np.pad(np.ones(array.shape, bool), sides), np.pad(array, sides), colour)
    mode: Any = padding_mode
    padded = np.pad(array, sides, mode)
    return _like(img, padded) if _is_pil_image(img) else padded


def _pad_tensor(img: Any, widths: list[int], fill: Any, padding_mode: str) -> Any:
    if padding_mode == "symmetric":
        raise choice("pad", "padding_mode", padding_mode, _PADDING[:3])
    mode = "replicate" if padding_mode == "edge" else padding_mode
    batch = img if img.ndim == 4 else img.unsqueeze(0)
    padded = F.pad(batch, widths, mode=mode, value=float(fill))
    return padded if img.ndim == 4 else padded.squeeze(0)


def _like(picture: Any, array: Any) -> Any:
    """Make an array an image of Pillow, with the palette of another one."""
    result = pillow.Image.fromarray(array)
    if picture.mode == "P":
        result.putpalette(picture.getpalette())
    return result


def rotate(
    img: Any,
    angle: float,
    interpolation: str = "nearest",
    expand: bool = False,
    center: Any = None,
    fill: Any = 0,
) -> Any:
    """Rotate an image counterclockwise, by an angle in degrees.

    interpolation: "nearest", "bilinear" or "bicubic". expand: whether the result is large enough
    for the whole image. center: (x, y) from the upper left corner; the middle without it.
    fill: the number, or the colour, of the corners.

    Errors: NotImplementedError for a Tensor; KeyError for another interpolation.
    Source: Paddle's `paddle.vision.transforms.rotate`.

    >>> paddle.vision.transforms.rotate(np.array([[1, 2], [3, 4]]), 90).tolist()
    [[2, 4], [1, 3]]
    """
    mode = _filter("rotate", interpolation)
    many = tuple(fill) if isinstance(fill, Sequence) else (fill,) * 3
    settings = {"resample": mode, "expand": expand, "center": center and tuple(center)}
    if _is_pil_image(img):
        colour = many if len(img.getbands()) > 2 else many[0]
        return img.rotate(angle, fillcolor=colour, **settings)

    def turn(plane: Any, channel: int) -> Any:
        return plane.rotate(angle, fillcolor=many[min(channel, len(many) - 1)], **settings)

    return _by_channel("rotate", img, turn)


def erase(img: Any, i: int, j: int, h: int, w: int, v: Any, inplace: bool = False) -> Any:
    """Write v into the rectangle of h rows from i and w columns from j.

    inplace: whether an array or a Tensor itself changes.

    Errors: TypeError for what is no image.
    Source: Paddle's `paddle.vision.transforms.erase`.

    >>> paddle.vision.transforms.erase(np.ones([2, 3]), 0, 1, 2, 1, 0.0).tolist()
    [[1.0, 0.0, 1.0], [1.0, 0.0, 1.0]]
    """
    rows, columns = slice(i, i + h), slice(j, j + w)
    if _is_pil_image(img):
        array = np.array(img)
        array[rows, columns] = v
        return _like(img, array)
    if _is_tensor_image(img):
        img = img if inplace else img.clone()
        img[..., rows, columns] = v
        return img
    img = img if inplace else img.copy()
    img[rows, columns] = v
    return img


# ----- colours -----------------------------------------------------------------------------------


def to_grayscale(img: Any, num_output_channels: int = 1) -> Any:
    """Make an image grey, with one channel or with three equal ones.

    Errors: ValueError for another number of channels; TypeError for an array that is not of uint8.
    Source: Paddle's `paddle.vision.transforms.to_grayscale`.

    >>> red = np.array([[[255, 0, 0]]], "uint8")
    >>> paddle.vision.transforms.to_grayscale(red).tolist()
    [[[76]]]
    """
    if num_output_channels not in (1, 3):
        raise choice("to_grayscale", "num_output_channels", num_output_channels, (1, 3))
    if _is_tensor_image(img):
        grey = _grey(img)
        return grey if num_output_channels == 1 else grey.expand([*img.shape[:-3], 3, *_size(img)])

    def work(picture: Any) -> Any:
        grey = picture.convert("L")
        return grey if num_output_channels == 1 else pillow.Image.merge("RGB", [grey] * 3)

    return _in_colours("to_grayscale", img, work)


def _grey(img: Any) -> Any:
    weights = _make_tensor(np.array(_GREY, np.float32).reshape(-1, 1, 1)).astype(img.dtype)
    return (img * weights).sum(axis=-3, keepdim=True)


def adjust_brightness(img: Any, brightness_factor: float) -> Any:
    """Multiply the colours: 0 is black, 1 the image itself, 2 twice as bright.

    Errors: AssertionError for a factor below 0; TypeError for an array that is not of uint8.
    Source: Paddle's `paddle.vision.transforms.adjust_brightness`.

    >>> image = np.array([[100, 200]], "uint8")
    >>> paddle.vision.transforms.adjust_brightness(image, 0.5).tolist()
    [[50, 100]]
    """
    enhancer = pillow.ImageEnhance.Brightness
    return _enhance("brightness", img, brightness_factor, enhancer, lambda x: x * 0.0)


def adjust_contrast(img: Any, contrast_factor: float) -> Any:
    """Move the colours away from the mean of the grey image: 0 is grey, 1 the image itself.

    Errors: AssertionError for a factor below 0; TypeError for an array that is not of uint8.
    Source: Paddle's `paddle.vision.transforms.adjust_contrast`.

    >>> image = np.array([[100, 200]], "uint8")
    >>> paddle.vision.transforms.adjust_contrast(image, 0.5).tolist()
    [[125, 175]]
    """

    def mean(x: Any) -> Any:
        return (x if x.shape[-3] == 1 else _grey(x)).mean(axis=[-3, -2, -1], keepdim=True)

    return _enhance("contrast", img, contrast_factor, pillow.ImageEnhance.Contrast, mean)


def adjust_saturation(img: Any, saturation_factor: float) -> Any:
    """Move the colours away from grey: 0 is the grey image, 1 the image itself.

    Errors: AssertionError for a factor below 0; TypeError for an array that is not of uint8.
    Source: Paddle's `paddle.vision.transforms.adjust_saturation`.

    >>> red = np.array([[[200, 0, 0]]], "uint8")
    >>> paddle.vision.transforms.functional.adjust_saturation(red, 0.0).tolist()
    [[[60, 60, 60]]]
    """

    def grey(x: Any) -> Any:
        return x if x.shape[-3] == 1 else _grey(x)

    return _enhance("saturation", img, saturation_factor, pillow.ImageEnhance.Color, grey)


def _enhance(what: str, img: Any, factor: float, enhancer: Any, dull: Callable[[Any], Any]) -> Any:
    """Blend an image with a dull one; 1 is the image itself."""
    require(factor >= 0, f"adjust_{what}", "factor >= 0", CheckFailed, factor=factor)
    if not _is_tensor_image(img):
        return _in_colours(f"adjust_{what}", img, lambda pic: enhancer(pic).enhance(factor))
    highest = 1.0 if img.is_floating_point() else 255.0
    return dull(img).lerp(img, float(factor)).clip(0, highest)


def adjust_hue(img: Any, hue_factor: float) -> Any:
    """Turn the colours on the colour wheel, by −0.5 to 0.5 turns; grey stays.

    Errors: ValueError for another factor; TypeError for an array that is not of uint8;
    NotImplementedError for a Tensor.
    Source: Paddle's `paddle.vision.transforms.adjust_hue`.

    >>> red = np.array([[[200, 0, 0]]], "uint8")
    >>> paddle.vision.transforms.adjust_hue(red, 0.5).tolist()
    [[[0, 200, 198]]]
    """
    good = -0.5 <= hue_factor <= 0.5
    require(good, "adjust_hue", "-0.5 <= hue_factor <= 0.5", hue_factor=hue_factor)

    def work(picture: Any) -> Any:
        if picture.mode in ("L", "1", "I", "F"):
            return picture
        hue, *others = picture.convert("HSV").split()
        turned = (np.array(hue, np.int16) + int(hue_factor * 255)) % 256
        hue = pillow.Image.fromarray(turned.astype(np.uint8))
        return pillow.Image.merge("HSV", [hue, *others]).convert(picture.mode)

    return _in_colours("adjust_hue", img, work)


_publish(globals(), {*__all__, "adjust_saturation"})
