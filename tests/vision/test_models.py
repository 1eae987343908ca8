"""Networks for images: a training with our digits, and weights from a file."""

import io
from typing import Any

import minipaddle as paddle
from minipaddle.vision import models
from tests.each import each


@each(
    "make",
    [
        lambda: models.LeNet(3),
        lambda: models.mobilenet_v1(num_classes=3, scale=0.125),
        lambda: models.ResNet(models.resnet.BottleneckBlock, 50, width=2, num_classes=3),
    ],
)
def test_a_network_computes_the_same_with_the_weights_of_another(make: Any) -> None:
    first, second = make(), make()
    images = paddle.rand([1, 1 if isinstance(first, models.LeNet) else 3, 28, 28])
    file = io.BytesIO()
    paddle.save(first.state_dict(), file)
    file.seek(0)
    first.eval()
    second.eval()
    assert first(images).tolist() != second(images).tolist()
    missing, unexpected = second.set_state_dict(paddle.load(file))
    assert (missing, unexpected) == ([], [])
    assert first(images).tolist() == second(images).tolist()


def test_names_that_older_code_uses_are_the_same_objects() -> None:
    vision = paddle.vision
    assert vision.transforms.transforms.Compose is vision.transforms.Compose is vision.Compose
    assert vision.transforms.functional.resize is vision.transforms.resize
    assert vision.models.resnet.resnet50 is vision.resnet50
    assert vision.datasets.cifar.Cifar10 is vision.Cifar10
    assert vision.datasets.mnist.MNIST is vision.datasets.MNIST
    assert vision.image.image_load is vision.image_load
    assert vision.models.mobilenetv2.MobileNetV2 is vision.MobileNetV2
