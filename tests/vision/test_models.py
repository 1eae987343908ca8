"""Networks for images: a training with our digits, and weights from a file."""

import io
from typing import Any

import numpy as np

import minipaddle as paddle
from minipaddle.io import DataLoader
from minipaddle.vision import datasets, models, transforms
from tests.each import each


def train(net: Any, steps: int) -> list[float]:
    """Return the loss of each step on our digits."""
    pixels = transforms.Compose([transforms.ToTensor(), transforms.Normalize([0.5], [0.5])])
    batches = DataLoader(datasets.Digits(transform=pixels), batch_size=32)
    optimizer = paddle.optimizer.Adam(0.002, parameters=net.parameters())
    losses = []
    for _, (images, labels) in zip(range(steps), batches, strict=False):
        loss = paddle.nn.functional.cross_entropy(net(images), labels)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(float(loss))
    return losses


def test_lenet_learns_digits() -> None:
    losses = train(models.LeNet(), 40)
    assert losses[0] > 2.0
    assert np.mean(losses[-5:]) < 0.8


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
