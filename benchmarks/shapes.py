"""Sizes and networks that all versions of a case share."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

SIZES = (16, 32, 32, 4)  # widths of the small network
BATCH = 16
WIDE = (784, 256, 10)  # widths of a network for 28 x 28 images
WIDE_BATCH = 128
CHAIN = 10  # groups of four ops: 41 ops with the sum
PICTURES = (64, 1, 28, 28)  # input of LeNet
MAPS, FILTERS = (16, 32, 28, 28), 64  # input and filters of the convolution with batch norm
SENTENCES = (16, 64, 64)  # batch, tokens, width
HEADS, INNER, LAYERS = 4, 128, 2  # heads, hidden width and layers of the transformer
VOCABULARY, IDS = (10000, 64), 4096  # shape of the embedding, length of the index
CLASSES = 10


def networks(nn: Any, dim: str, **of_encoder: Any) -> dict[str, tuple[Any, tuple[int, ...], str]]:
    """Return each network with the shape of its input and the name of its optimizer.

    dim: ending of layers' names, as in Paddle's Conv2D or PyTorch's Conv2d. of_encoder: further
    arguments of the transformer's layer.
    """

    def flat(name: str, *args: Any, **options: Any) -> Any:
        return getattr(nn, name + dim)(*args, **options)

    def mlp(sizes: tuple[int, ...]) -> Any:
        layers: list[Any] = []
        for m, n in pairwise(sizes):
            layers += [nn.Linear(m, n), nn.Tanh()]
        return nn.Sequential(*layers[:-1])

    lenet = nn.Sequential(
        flat("Conv", 1, 6, 3, padding=1), nn.ReLU(), flat("MaxPool", 2, 2),
        flat("Conv", 6, 16, 5), nn.ReLU(), flat("MaxPool", 2, 2),
        nn.Flatten(), nn.Linear(400, 120), nn.Linear(120, 84), nn.Linear(84, CLASSES),
    )  # fmt: skip
    maps = nn.Sequential(
        flat("Conv", MAPS[1], FILTERS, 3, padding=1), flat("BatchNorm", FILTERS), nn.ReLU(),
        flat("AdaptiveAvgPool", 1), nn.Flatten(), nn.Linear(FILTERS, CLASSES),
    )  # fmt: skip
    _, tokens, width = SENTENCES
    layer = nn.TransformerEncoderLayer(width, HEADS, INNER, dropout=0.0, **of_encoder)
    transformer = nn.Sequential(
        nn.TransformerEncoder(layer, LAYERS), nn.Flatten(), nn.Linear(tokens * width, CLASSES)
    )
    small = (BATCH, SIZES[0])
    return {
        "mlp": (mlp(SIZES), small, "SGD"),
        "mlp adam": (mlp(SIZES), small, "Adam"),
        "wide mlp": (mlp(WIDE), (WIDE_BATCH, WIDE[0]), "SGD"),
        "lenet": (lenet, PICTURES, "Adam"),
        "conv and batch norm": (maps, MAPS, "SGD"),
        "transformer": (transformer, SENTENCES, "AdamW"),
    }


def classes_of(name: str) -> int:
    """Return the number of classes of a network's labels."""
    return SIZES[-1] if name in ("mlp", "mlp adam") else CLASSES
