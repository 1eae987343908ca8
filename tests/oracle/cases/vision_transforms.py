"""Transforms of images of Pillow, of Tensors, and of arrays as far as they need no OpenCV."""

import random
import zlib

import numpy as np
from PIL import Image

from ..harness import case
from ._texts import texts


def pictures():
    """Images of four modes, wide and high."""
    numbers = np.random.RandomState(3)
    wide = Image.fromarray(numbers.randint(0, 256, (6, 9, 3)).astype("uint8"))
    high = Image.fromarray(numbers.randint(0, 256, (8, 5, 3)).astype("uint8"))
    grey = wide.convert("L")
    return {"wide": wide, "high": high, "grey": grey, "clear": high.convert("RGBA")}


def told(image):
    """Return the kind of an image with its numbers; of more than 20 only a checksum."""
    if isinstance(image, Image.Image):
        return f"{image.mode} {told(np.asarray(image))}"
    kind = "Tensor" if hasattr(image, "stop_gradient") else "array"
    values = np.asarray(image.numpy() if kind == "Tensor" else image)
    if values.size <= 20:
        return [kind, values]
    return f"{kind} {values.dtype} {values.shape} {zlib.crc32(values.tobytes()):x}"


def seeds(paddle):
    random.seed(5)
    np.random.seed(6)
    paddle.seed(7)


PICTURES = {
    "resize": [(4,), (7,), ((3, 4),), ((12, 5), "nearest"), (5, "bicubic"), ([4, 4], "lanczos")],
    "crop": [(1, 2, 3, 2), (-1, 3, 4, 8)],
    "center_crop": [(3,), ((2, 4),), (8,)],
    "hflip": [()],
    "vflip": [()],
    "pad": [(2,), ((1, 2), 7), ((1, 0, 2, 3), 0, "edge"), (2, 0, "reflect"), (1, 0, "symmetric")],
    "adjust_brightness": [(0.0,), (0.4,), (1.7,)],
    "adjust_contrast": [(0.3,), (1.8,)],
    "adjust_saturation": [(0.3,), (1.8,)],
    "adjust_hue": [(-0.5,), (0.17,), (0.5,)],
    "to_grayscale": [(), (3,)],
    "to_tensor": [(), ("HWC",)],
}


@case
def functions_of_pictures(paddle, show):
    functional = paddle.vision.transforms.functional
    for name, calls in PICTURES.items():
        for args in calls:
            for kind, image in pictures().items():
                if name == "adjust_hue" and kind == "clear":
                    continue  # Paddle's result has no alpha of the image
                show(f"{name} {args} {kind}", told(getattr(functional, name)(image, *args)))


@case(differs="Paddle gives Pillow three numbers as the colour of a grey image, which refuses them")
def a_rotated_grey_image(paddle, show):
    show("grey", told(paddle.vision.transforms.rotate(pictures()["grey"], 30)))


@case
def kinds_that_become_tensors(paddle, show):
    to_tensor = paddle.vision.transforms.to_tensor
    grey, wide = pictures()["grey"], pictures()["wide"]
    for mode in ("1", "I", "F", "LA", "P", "YCbCr"):
        image = (grey if mode in "1IFLA" else wide).convert(mode)
        if mode != "YCbCr":
            show(mode, told(to_tensor(image)))


@case
def functions_of_arrays(paddle, show):
    transforms = paddle.vision.transforms
    array = np.asarray(pictures()["wide"])
    transforms.erase(copy := array.copy(), 0, 0, 1, 1, 0, inplace=True)
    show("erase in place", told(copy))


RANDOM = {
    "RandomHorizontalFlip": [(), (0.9,)],
    "RandomVerticalFlip": [()],
    "RandomCrop": [(3,), ((2, 4), 1), ((7, 5), None, True), (4, (1, 2), False, 7, "constant")],
    "RandomResizedCrop": [(4,), ((3, 5), (0.5, 0.9), (1.0, 2.0)), (3, (9.0, 9.0))],
    "RandomRotation": [(30,), ((10, 80), "bilinear", True)],
    "RandomErasing": [(1.0,), (0.8, (0.1, 0.5), (0.5, 2.0), [1, 2, 3]), (1.0, (0.9, 1.0))],
    "BrightnessTransform": [(0.4,), (0,)],
    "ContrastTransform": [(0.4,)],
    "SaturationTransform": [((0.1, 0.4),)],
    "HueTransform": [(0.4,)],
    "ColorJitter": [(0.4, 0.4, 0.4, 0.4), (0.5,), (0, 0, 0.2, 0.1), ()],
    "Grayscale": [(3,)],
    "Pad": [([1, 2], 3)],
    "CenterCrop": [((2, 4),)],
    "Resize": [(4,)],
}


@case
def random_transforms_by_seed(paddle, show):
    for name, calls in RANDOM.items():
        for args in calls:
            seeds(paddle)
            transform = getattr(paddle.vision.transforms, name)(*args)
            image = pictures()["wide"]
            show(f"{name} {args}", [told(transform(image)) for _ in range(3)])
    seeds(paddle)
    erasing = paddle.vision.transforms.RandomErasing(1.0, value="random")
    tensor = paddle.vision.transforms.to_tensor(pictures()["wide"])
    show("erased tensor", told(erasing(tensor)))
    show("erased by a number", told(paddle.vision.transforms.RandomErasing(1.0)(tensor)))


@case
def keys_and_composition(paddle, show):
    transforms = paddle.vision.transforms

    class Both(transforms.BaseTransform):
        def _get_params(self, inputs):
            return len(inputs)

        def _apply_image(self, image):
            return image + self.params

        def _apply_mask(self, mask):
            return mask * 10

    one = np.ones([1, 1])
    show("image", told(Both()(one)))
    image, mask, label = Both(keys=["image", "mask"])((one, one, "label"))
    show("keys", [told(image), told(mask), label])
    image, mask = Both(keys=["mask", "image", "image"])((one, one))
    show("more keys", [told(image), told(mask)])
    pair = transforms.Compose([transforms.Resize((4, 4)), transforms.Transpose()])
    image, label = pair((pictures()["wide"], 3))
    show("pair", [told(image), label])


def names(paddle):
    """Return the names that the expressions use."""
    transforms = paddle.vision.transforms
    colours = paddle.to_tensor(np.random.RandomState(1).rand(3, 2, 3).astype("float32"))
    return globals() | locals()


TABLE = texts("vision_transforms", names)
