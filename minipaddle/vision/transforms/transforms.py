"""Transforms: objects that hold the settings of a function of images, and draw random ones.

Random numbers come from Python's `random` and NumPy's global generator, in Paddle's order, so equal
seeds of these give equal images.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.random import normal, randint, uniform

from ...eager.creation import to_tensor as _make_tensor
from ...engine.errors import CheckFailed, InvalidArgument, InvalidType, Unimplemented
from ...errors import require
from ...io.errors import not_defined
from ...ops.boundary import publish as _publish
from ...ops.catalog import find as _find
from ...ops.errors import choice
from ...paddle_names import absent
from . import functional as F
from .functional import _is_tensor_image, _pair, _size

__all__ = [
    "BaseTransform", "BrightnessTransform", "CenterCrop", "ColorJitter", "Compose",
    "ContrastTransform", "Grayscale", "HueTransform", "Normalize", "Pad", "RandomCrop",
    "RandomErasing", "RandomHorizontalFlip", "RandomResizedCrop", "RandomRotation",
    "RandomVerticalFlip", "Resize", "SaturationTransform", "ToTensor", "Transpose",
]  # fmt: skip

__getattr__ = absent.names(__name__)


class Compose:
    """Transforms one after the other.

    Errors: those of the transforms.
    Source: Paddle's `paddle.vision.transforms.Compose`.

    >>> from minipaddle.vision.transforms import Compose, Resize, ToTensor
    >>> list(Compose([Resize(4), ToTensor()])(np.zeros([8, 8], "uint8")).shape)
    [1, 4, 4]
    """

    def __init__(self, transforms: Sequence[Any]) -> None:
        self.transforms = transforms

    def __call__(self, data: Any) -> Any:
        for transform in self.transforms:
            data = transform(data)
        return data

    def __repr__(self) -> str:
        lines = "".join(f"\n    {transform}" for transform in self.transforms)
        return f"{type(self).__name__}({lines}\n)"


class BaseTransform:
    """Base class of transforms: a subclass defines `_apply_image(self, image)`.

    keys: the kinds of the inputs of a call with a tuple: "image", "coords", "boxes", "mask"; each
    goes to the method `_apply_` of its kind, and further inputs stay. `_get_params(self, inputs)`
    is called first, and its result is `self.params`.

    Errors: NotImplementedError for a kind without its method; ValueError for keys of another type.
    Source: Paddle's `paddle.vision.transforms.BaseTransform`.

    >>> class Negative(paddle.vision.transforms.BaseTransform):
    ...     def _apply_image(self, image):
    ...         return 255 - image
    >>> Negative()((np.array([[55]]), "a label"))
    (array([[200]]), 'a label')
    """

    def __init__(self, keys: Any = None) -> None:
        keys = ("image",) if keys is None else keys
        require(isinstance(keys, Sequence), "", 'a list such as ["image"]', keys=keys)
        for key in keys:
            if self._get_apply(key) is None:
                kinds = [name[7:] for name in dir(self) if name.startswith("_apply_")]
                raise choice(type(self).__name__, "keys", key, kinds, Unimplemented)
        self.keys = keys
        self.params: Any = None

    def _get_params(self, inputs: Any) -> Any:
        """Return what the methods need to know of all inputs, for example what was drawn."""

    def _get_apply(self, key: str) -> Any:
        return getattr(self, f"_apply_{key}", None)

    def __call__(self, inputs: Any) -> Any:
        inputs = inputs if isinstance(inputs, tuple) else (inputs,)
        self.params = self._get_params(inputs)
        paired = zip(inputs, self.keys, strict=False)
        outputs = tuple(self._get_apply(key)(each) for each, key in paired)
        outputs += inputs[len(outputs) :]
        return outputs[0] if len(outputs) == 1 else outputs

    def _apply_image(self, _image: Any) -> Any:
        raise not_defined(self, "_apply_image")

    def _apply_boxes(self, _boxes: Any) -> Any:
        raise not_defined(self, "_apply_boxes")

    def _apply_mask(self, _mask: Any) -> Any:
        raise not_defined(self, "_apply_mask")

    def _apply_coords(self, _coords: Any) -> Any:
        raise not_defined(self, "_apply_coords")


# ----- transforms without chance -----------------------------------------------------------------


class ToTensor(BaseTransform):
    """Make images Tensors, as `to_tensor` does.

    Errors: those of `to_tensor`.
    Source: Paddle's `paddle.vision.transforms.ToTensor`.

    >>> x = paddle.vision.transforms.ToTensor()(np.full([2, 4], 51, "uint8"))
    >>> list(x.shape), round(float(x.max()), 4)
    ([1, 2, 4], 0.2)
    """

    def __init__(self, data_format: str = "CHW", keys: Any = None) -> None:
        super().__init__(keys)
        self.data_format = data_format

    def _apply_image(self, img: Any) -> Any:
        return F.to_tensor(img, self.data_format)


class Resize(BaseTransform):
    """Resize images, as `resize` does: to height and width, or the shorter side to one number.

    Errors: those of `resize`.
    Source: Paddle's `paddle.vision.transforms.Resize`.

    >>> paddle.vision.transforms.Resize((4, 4))(np.zeros([8, 16, 3], "uint8")).shape
    (4, 4, 3)
    """

    def __init__(self, size: Any, interpolation: str = "bilinear", keys: Any = None) -> None:
        super().__init__(keys)
        self.size, self.interpolation = size, interpolation

    def _apply_image(self, img: Any) -> Any:
        return F.resize(img, self.size, self.interpolation)


class CenterCrop(BaseTransform):
    """Cut the middle out of images, as `center_crop` does.

    Errors: those of `center_crop`.
    Source: Paddle's `paddle.vision.transforms.CenterCrop`.

    >>> paddle.vision.transforms.CenterCrop(2)(np.arange(16).reshape(4, 4)).tolist()
    [[5, 6], [9, 10]]
    """

    def __init__(self, size: Any, keys: Any = None) -> None:
        super().__init__(keys)
        self.size = _pair(size, "CenterCrop")

    def _apply_image(self, img: Any) -> Any:
        return F.center_crop(img, self.size)


class Normalize(BaseTransform):
    """Compute (image − mean) / std, as `normalize` does; one number is for three channels.

    Errors: those of `normalize`.
    Source: Paddle's `paddle.vision.transforms.Normalize`.

    >>> normalize = paddle.vision.transforms.Normalize([127.5], [127.5])
    >>> normalize(np.array([[[0.0, 255.0]]])).tolist()
    [[[-1.0, 1.0]]]
    """

    def __init__(
        self,
        mean: Any = 0.0,
        std: Any = 1.0,
        data_format: str = "CHW",
        to_rgb: bool = False,
        keys: Any = None,
    ) -> None:
        super().__init__(keys)
        self.mean = [mean] * 3 if isinstance(mean, (int, float)) else mean
        self.std = [std] * 3 if isinstance(std, (int, float)) else std
        self.data_format, self.to_rgb = data_format, to_rgb

    def _apply_image(self, img: Any) -> Any:
        return F.normalize(img, self.mean, self.std, self.data_format, self.to_rgb)


class Transpose(BaseTransform):
    """Reorder the axes of images, [H, W, C] to [C, H, W]; Pillow's images become arrays.

    Errors: ValueError for an order that does not fit.
    Source: Paddle's `paddle.vision.transforms.Transpose`.

    >>> paddle.vision.transforms.Transpose()(np.zeros([8, 16, 3])).shape
    (3, 8, 16)
    """

    def __init__(self, order: Sequence[int] = (2, 0, 1), keys: Any = None) -> None:
        super().__init__(keys)
        self.order = order

    def _apply_image(self, img: Any) -> Any:
        img = img if _is_tensor_image(img) else np.asarray(img)
        return (img[..., None] if img.ndim == 2 else img).transpose(self.order)


class Pad(BaseTransform):
    """Put a border around images, as `pad` does.

    Errors: those of `pad`.
    Source: Paddle's `paddle.vision.transforms.Pad`.

    >>> paddle.vision.transforms.Pad(1)(np.array([[1]])).tolist()
    [[0, 0, 0], [0, 1, 0], [0, 0, 0]]
    """

    def __init__(
        self, padding: Any, fill: Any = 0, padding_mode: str = "constant", keys: Any = None
    ) -> None:
        super().__init__(keys)
        self.padding, self.fill, self.padding_mode = padding, fill, padding_mode

    def _apply_image(self, img: Any) -> Any:
        return F.pad(img, self.padding, self.fill, self.padding_mode)


class Grayscale(BaseTransform):
    """Make images grey, as `to_grayscale` does.

    Errors: those of `to_grayscale`.
    Source: Paddle's `paddle.vision.transforms.Grayscale`.

    >>> paddle.vision.transforms.Grayscale(3)(np.array([[[255, 0, 0]]], "uint8")).tolist()
    [[[76, 76, 76]]]
    """

    def __init__(self, num_output_channels: int = 1, keys: Any = None) -> None:
        super().__init__(keys)
        self.num_output_channels = num_output_channels

    def _apply_image(self, img: Any) -> Any:
        return F.to_grayscale(img, self.num_output_channels)


# ----- random places -----------------------------------------------------------------------------


class _RandomFlip(BaseTransform):
    """Base class of transforms that flip an image with a probability."""

    _flip: ClassVar[Callable[[Any], Any]]

    def __init__(self, prob: float = 0.5, keys: Any = None) -> None:
        super().__init__(keys)
        require(0 <= prob <= 1, "", "0 <= prob <= 1", CheckFailed, prob=prob)
        self.prob = prob

    def _apply_image(self, img: Any) -> Any:
        return type(self)._flip(img) if random.random() < self.prob else img


class RandomHorizontalFlip(_RandomFlip):
    """Swap left and right with a probability.

    Errors: AssertionError for a prob outside [0, 1].
    Source: Paddle's `paddle.vision.transforms.RandomHorizontalFlip`.

    >>> paddle.vision.transforms.RandomHorizontalFlip(1.0)(np.array([[1, 2]])).tolist()
    [[2, 1]]
    """

    _flip = F.hflip


class RandomVerticalFlip(_RandomFlip):
    """Swap top and bottom with a probability.

    Errors: AssertionError for a prob outside [0, 1].
    Source: Paddle's `paddle.vision.transforms.RandomVerticalFlip`.

    >>> paddle.vision.transforms.RandomVerticalFlip(1.0)(np.array([[1], [2]])).tolist()
    [[2], [1]]
    """

    _flip = F.vflip


class RandomCrop(BaseTransform):
    """Cut a rectangle of a size out of images, anywhere.

    padding, fill, padding_mode: a border that `pad` adds first. pad_if_needed: whether an image
    that is too small is padded, on both sides.

    Errors: ValueError for an image that is too small.
    Source: Paddle's `paddle.vision.transforms.RandomCrop`.

    >>> paddle.vision.transforms.RandomCrop(2)(np.zeros([8, 16, 3])).shape
    (2, 2, 3)
    """

    def __init__(
        self,
        size: Any,
        padding: Any = None,
        pad_if_needed: bool = False,
        fill: Any = 0,
        padding_mode: str = "constant",
        keys: Any = None,
    ) -> None:
        super().__init__(keys)
        self.size, self.padding, self.pad_if_needed = _pair(size, ""), padding, pad_if_needed
        self.fill, self.padding_mode = fill, padding_mode

    def _apply_image(self, img: Any) -> Any:
        rows, columns = self.size
        if self.padding is not None:
            img = F.pad(img, self.padding, self.fill, self.padding_mode)
        height, width = _size(img)
        if self.pad_if_needed and width < columns:
            img = F.pad(img, (columns - width, 0), self.fill, self.padding_mode)
        if self.pad_if_needed and height < rows:
            img = F.pad(img, (0, rows - height), self.fill, self.padding_mode)
        height, width = _size(img)
        if (height, width) == (rows, columns):
            return img
        good, fix = (
            rows <= height and columns <= width,
            "give pad_if_needed=True, or a smaller size",
        )
        given = {"image": (height, width), "size": self.size}
        require(good, "RandomCrop", "image >= size", InvalidArgument, fix, **given)
        top, left = random.randint(0, height - rows), random.randint(0, width - columns)
        return F.crop(img, top, left, rows, columns)


class RandomResizedCrop(BaseTransform):
    """Cut a random rectangle out of images and resize it.

    scale: the smallest and the largest part of the image's area. ratio: the smallest and the
    largest width for a height of 1.

    Errors: AssertionError for bounds in the wrong order; those of `resize`.
    Source: Paddle's `paddle.vision.transforms.RandomResizedCrop`.

    >>> paddle.vision.transforms.RandomResizedCrop(4)(np.zeros([8, 16, 3], "uint8")).shape
    (4, 4, 3)
    """

    def __init__(
        self,
        size: Any,
        scale: Sequence[float] = (0.08, 1.0),
        ratio: Sequence[float] = (3 / 4, 4 / 3),
        interpolation: str = "bilinear",
        keys: Any = None,
    ) -> None:
        super().__init__(keys)
        _check_bounds(scale=scale, ratio=ratio)
        self.size, self.scale, self.ratio = _pair(size, "RandomResizedCrop"), scale, ratio
        self.interpolation = interpolation

    def _apply_image(self, img: Any) -> Any:
        return F.resize(F.crop(img, *self._draw(*_size(img))), self.size, self.interpolation)

    def _draw(self, height: int, width: int) -> tuple[int, int, int, int]:
        """Return top, left, height and width of a rectangle; after ten misses, of the middle."""
        for _ in range(10):
            rows, columns = _draw_sides(height * width, self.scale, self.ratio)[::-1]
            if 0 < columns <= width and 0 < rows <= height:
                top = random.randint(0, height - rows)
                return top, random.randint(0, width - columns), rows, columns
        narrowest, widest = min(self.ratio), max(self.ratio)
        rows, columns = height, width
        if width / height < narrowest:
            rows = round(width / narrowest)
        elif width / height > widest:
            columns = round(height * widest)
        return (height - rows) // 2, (width - columns) // 2, rows, columns


def _check_bounds(**bounds: Sequence[float]) -> None:
    for name, (low, high) in bounds.items():
        require(
            low <= high, "", f"{name} in the order (min, max)", CheckFailed, **{name: (low, high)}
        )


def _draw_sides(area: int, scale: Sequence[float], ratio: Sequence[float]) -> tuple[int, int]:
    """Draw a part of an area and the ratio of its sides; return these, the first one over ratio."""
    part = uniform(scale[0], scale[1]) * area
    quotient = math.exp(uniform(math.log(ratio[0]), math.log(ratio[1])))
    return round(math.sqrt(part * quotient)), round(math.sqrt(part / quotient))


class RandomRotation(BaseTransform):
    """Rotate images by a random angle, as `rotate` does.

    degrees: the smallest and the largest angle, or one number for −degrees to degrees.

    Errors: ValueError for a single number below 0.
    Source: Paddle's `paddle.vision.transforms.RandomRotation`.

    >>> paddle.vision.transforms.RandomRotation((90, 90))(np.array([[1, 2], [3, 4]])).tolist()
    [[2, 4], [1, 3]]
    """

    def __init__(
        self,
        degrees: Any,
        interpolation: str = "nearest",
        expand: bool = False,
        center: Any = None,
        fill: Any = 0,
        keys: Any = None,
    ) -> None:
        super().__init__(keys)
        if isinstance(degrees, (int, float)):
            require(degrees >= 0, "", "degrees >= 0, or two angles", degrees=degrees)
            degrees = -degrees, degrees
        require(len(degrees) == 2, "", "a number, or two angles", degrees=degrees)
        self.degrees, self.interpolation, self.expand = degrees, interpolation, expand
        self.center, self.fill = center, fill

    def _apply_image(self, img: Any) -> Any:
        angle = random.uniform(*self.degrees)
        return F.rotate(img, angle, self.interpolation, self.expand, self.center, self.fill)


class RandomErasing(BaseTransform):
    """Write a value into a random rectangle of images, with a probability.

    scale: the smallest and the largest part of the image's area. ratio: the smallest and the
    largest height for a width of 1. value: a number, one for each channel, or "random".

    Errors: AssertionError for bounds in the wrong order or a prob outside [0, 1]; ValueError for
    another value.
    Source: Paddle's `paddle.vision.transforms.RandomErasing`.

    >>> image = np.ones([8, 8, 3], "uint8")
    >>> bool((paddle.vision.transforms.RandomErasing(1.0)(image) == 0).any())
    True
    """

    def __init__(
        self,
        prob: float = 0.5,
        scale: Sequence[float] = (0.02, 0.33),
        ratio: Sequence[float] = (0.3, 3.3),
        value: Any = 0,
        inplace: bool = False,
        keys: Any = None,
    ) -> None:
        super().__init__(keys)
        _check_bounds(scale=scale, ratio=ratio)
        require(0 <= prob <= 1, "", "0 <= prob <= 1", CheckFailed, prob=prob)
        values = [value] if isinstance(value, (int, float)) else value
        good = value == "random" if isinstance(value, str) else len(values) in (1, 3)
        require(good, "", 'a number, three of them, or "random"', value=value)
        self.prob, self.scale, self.ratio = prob, scale, ratio
        self.value, self.inplace = value, inplace

    def _apply_image(self, img: Any) -> Any:
        if random.random() >= self.prob:
            return img
        height, width = _size(img)
        for _ in range(10):
            rows, columns = _draw_sides(height * width, self.scale, self.ratio)
            if rows < height and columns < width:
                value = self._value(img, rows, columns)
                top, left = randint(0, height - rows + 1), randint(0, width - columns + 1)
                return F.erase(img, top, left, rows, columns, value, self.inplace)
        return img

    def _value(self, img: Any, rows: int, columns: int) -> Any:
        if _is_tensor_image(img):
            if self.value == "random":
                return _find("randn").call([img.shape[-3], rows, columns]).astype(img.dtype)
            return _make_tensor(np.reshape(self.value, [-1, 1, 1])).astype(img.dtype)
        channels = np.shape(img)[2:]
        if self.value == "random":
            return normal(size=[rows, columns, *channels]) * 255
        return np.asarray(self.value) if channels else np.ravel(self.value)[0]


# ----- random colours ----------------------------------------------------------------------------


class _RandomFactor(BaseTransform):
    """Base class of transforms that draw the factor of a function of colours.

    value: the smallest and the largest factor, or how far it may be from the one that changes
    nothing.
    """

    _adjust: ClassVar[Callable[[Any, float], Any]]
    _neutral: ClassVar[float] = 1.0
    _bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)

    def __init__(self, value: Any, keys: Any = None) -> None:
        super().__init__(keys)
        (low, high), neutral = self._bounds, self._neutral
        if isinstance(value, (int, float)):
            require(value >= 0, "", "value >= 0, or two factors", value=value)
            value = [max(neutral - value, low), neutral + value]
        good = isinstance(value, Sequence) and len(value) == 2
        require(good, "", "a number, or two factors", InvalidType, value=value)
        good = low <= value[0] <= value[1] <= high
        require(good, "", f"factors from {low} to {high}, the smaller one first", value=value)
        self.value = None if value[0] == value[1] == neutral else value

    def _apply_image(self, img: Any) -> Any:
        return img if self.value is None else type(self)._adjust(img, random.uniform(*self.value))


class BrightnessTransform(_RandomFactor):
    """Make images brighter or darker: `adjust_brightness` with a random factor.

    value: v for factors from 1 − v to 1 + v, not below 0; or the smallest and the largest factor.

    Errors: ValueError for a value below 0, or factors in the wrong order.
    Source: Paddle's `paddle.vision.transforms.BrightnessTransform`.

    >>> image = np.array([[100, 200]], "uint8")
    >>> paddle.vision.transforms.BrightnessTransform((0.5, 0.5))(image).tolist()
    [[50, 100]]
    """

    _adjust = F.adjust_brightness


class ContrastTransform(_RandomFactor):
    """Change the contrast of images: `adjust_contrast` with a random factor.

    value: v for factors from 1 − v to 1 + v, not below 0; or the smallest and the largest factor.

    Errors: ValueError for a value below 0, or factors in the wrong order.
    Source: Paddle's `paddle.vision.transforms.ContrastTransform`.

    >>> image = np.array([[100, 200]], "uint8")
    >>> paddle.vision.transforms.ContrastTransform((0.5, 0.5))(image).tolist()
    [[125, 175]]
    """

    _adjust = F.adjust_contrast


class SaturationTransform(_RandomFactor):
    """Make colours stronger or weaker: `adjust_saturation` with a random factor.

    value: v for factors from 1 − v to 1 + v, not below 0; or the smallest and the largest factor.

    Errors: ValueError for a value below 0, or factors in the wrong order.
    Source: Paddle's `paddle.vision.transforms.SaturationTransform`.

    >>> red = np.array([[[200, 0, 0]]], "uint8")
    >>> paddle.vision.transforms.SaturationTransform((0.0, 0.0))(red).tolist()
    [[[60, 60, 60]]]
    """

    _adjust = F.adjust_saturation


class HueTransform(_RandomFactor):
    """Turn the colours on the colour wheel: `adjust_hue` with a random factor.

    value: v for factors from −v to v; or the smallest and the largest factor, from −0.5 to 0.5.

    Errors: ValueError for a value below 0, or factors outside these bounds.
    Source: Paddle's `paddle.vision.transforms.HueTransform`.

    >>> red = np.array([[[200, 0, 0]]], "uint8")
    >>> paddle.vision.transforms.HueTransform((0.5, 0.5))(red).tolist()
    [[[0, 200, 198]]]
    """

    _adjust = F.adjust_hue
    _neutral, _bounds = 0.0, (-0.5, 0.5)


class ColorJitter(BaseTransform):
    """Change brightness, contrast, saturation and hue at random, in a random order.

    Each has the value of its own transform, such as `BrightnessTransform`; 0 changes nothing.

    Errors: those of the four transforms.
    Source: Paddle's `paddle.vision.transforms.ColorJitter`.

    >>> jitter = paddle.vision.transforms.ColorJitter(brightness=(0.5, 0.5))
    >>> jitter(np.array([[100, 200]], "uint8")).tolist()
    [[50, 100]]
    """

    def __init__(
        self,
        brightness: Any = 0,
        contrast: Any = 0,
        saturation: Any = 0,
        hue: Any = 0,
        keys: Any = None,
    ) -> None:
        super().__init__(keys)
        self.brightness, self.contrast = brightness, contrast
        self.saturation, self.hue = saturation, hue
        self._parts = (
            BrightnessTransform(brightness), ContrastTransform(contrast),
            SaturationTransform(saturation), HueTransform(hue),
        )  # fmt: skip

    def _apply_image(self, img: Any) -> Any:
        parts = list(self._parts)
        random.shuffle(parts)
        for part in parts:
            img = part(img)
        return img


_publish(globals(), __all__)
