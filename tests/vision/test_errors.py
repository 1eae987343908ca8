"""What errors of `paddle.vision` say, in both languages."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import minipaddle as paddle
from minipaddle.vision import datasets, transforms
from tests.contract.refusal import refused_in_both
from tests.each import each

COLOURS = np.zeros([4, 5, 3], "uint8")
TENSOR = paddle.zeros([3, 4, 5])


@each(
    ("call", "kind", "words"),
    [
        (lambda: transforms.hflip([[1]]), TypeError, "hflip() [H, W, C] [C, H, W] list [[1]]"),
        (lambda: transforms.Resize(3)(np.zeros(4)), TypeError, "[H, W] [4]"),
        (lambda: transforms.Resize(3)(TENSOR), NotImplementedError, "resize() Tensor ToTensor()"),
        (
            lambda: transforms.adjust_hue(TENSOR, 0.1),
            NotImplementedError,
            "adjust_hue() ToTensor()",
        ),
        (
            lambda: transforms.adjust_contrast(COLOURS / 255, 0.5),
            TypeError,
            "adjust_contrast() uint8 float64 [4, 5, 3] astype",
        ),
        (
            lambda: transforms.RandomCrop((6, 3))(COLOURS),
            ValueError,
            "RandomCrop() image=(4, 5) size=(6, 3) pad_if_needed=True",
        ),
        (
            lambda: transforms.Normalize([0.5, 0.5, 0.5])(COLOURS),
            ValueError,
            "normalize() 3 4 CHW [4, 5, 3] ToTensor() data_format='HWC'",
        ),
        (
            lambda: transforms.crop(COLOURS, 2, 0, 3, 1),
            ValueError,
            "crop() size=(4, 5) top=2 height=3",
        ),
        (
            lambda: datasets.MNIST("nothing", "nothing"),
            FileNotFoundError,
            "MNIST 'nothing'",
        ),
        (
            lambda: datasets.MNIST(download=False),
            AssertionError,
            "MNIST image_path=None download=False",
        ),
        (
            lambda: datasets.ImageFolder(Path(__file__).parent),
            RuntimeError,
            "ImageFolder .png .webp",
        ),
        (lambda: datasets.DatasetFolder("nothing"), FileNotFoundError, "DatasetFolder 'nothing'"),
        (
            lambda: paddle.vision.models.resnet50(pretrained=True),
            NotImplementedError,
            "resnet50() https://paddle-hapi.bj.bcebos.com/models/resnet50.pdparams set_state_dict",
        ),
        (lambda: paddle.vision.vgg11(True), NotImplementedError, "vgg11() pretrained=True"),
        (lambda: paddle.vision.ResNet(None, 20), KeyError, "ResNet depth 18 152 20"),
        (lambda: datasets.Digits("valid"), AssertionError, "Digits mode 'train' 'test' 'valid'"),
        (lambda: datasets.Digits(backend="tensor"), ValueError, "Digits backend 'pil' 'cv2'"),
    ],
)
def test_errors_name_what_is_wrong_in_both_languages(
    call: Callable[[], Any], kind: type[Exception], words: str
) -> None:
    refused_in_both(call, kind, words)
