"""What all networks for images share: their ends, and the functions that make them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from ...nn import Layer
from ...ops.boundary import public
from .. import errors

HAPI = "https://paddle-hapi.bj.bcebos.com/models/"


class Classifier(Layer):
    """Base class of networks that end with a pooling and a layer of scores, each if wanted."""

    _pool: ClassVar[str] = "avgpool"  # attributes with these layers
    _scores: ClassVar[str] = "fc"

    def __init__(self, num_classes: int, with_pool: bool) -> None:
        super().__init__()
        self.num_classes, self.with_pool = num_classes, with_pool

    def _finish(self, x: Any) -> Any:
        if self.with_pool:
            x = getattr(self, self._pool)(x)
        return getattr(self, self._scores)(x.flatten(1)) if self.num_classes > 0 else x


def make_divisible(channels: float, divisor: int = 8) -> int:
    """Return the nearest multiple of a number that is not below it nor below 90 %."""
    nearest = max(divisor, int(channels + divisor / 2) // divisor * divisor)
    return nearest + divisor if nearest < 0.9 * channels else nearest


DOC = """Make the network {name} with random weights; images are [N, 3, H, W].

{settings}

Errors: NotImplementedError for pretrained=True: load the weights from a file.
Source: Paddle's `paddle.vision.models.{name}`.

>>> paddle.enable_static()
>>> net = paddle.vision.models.{name}(num_classes=10)
>>> net(paddle.static.data("images", [None, 3, 224, 224])).shape
(-1, 10)
>>> paddle.disable_static()
"""


def maker(
    name: str, build: Callable[..., Any], url: str | None, settings: str
) -> Callable[..., Any]:
    """Return the public function that makes a network; its weights are behind the URL."""

    def make(pretrained: bool = False, *args: Any, **kwargs: Any) -> Any:
        if pretrained:
            raise errors.no_weights(name, url)
        return build(*args, **kwargs)

    make.__name__ = make.__qualname__ = name
    make.__doc__ = DOC.format(name=name, settings=settings)
    return public(make, name)
