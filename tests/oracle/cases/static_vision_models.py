"""Names and shapes of parameters and results, of networks whose values are never drawn."""

import zlib

from ..harness import case

STATIC = True
NETWORKS = [
    ("LeNet", {}), ("LeNet", {"num_classes": 0}), ("alexnet", {}), ("mobilenet_v1", {}),
    ("mobilenet_v1", {"scale": 0.5, "num_classes": 10}), ("mobilenet_v2", {}),
    ("mobilenet_v2", {"scale": 0.35}), ("mobilenet_v2", {"scale": 1.4, "num_classes": 0}),
    ("resnet18", {"num_classes": 0}), ("resnet34", {}), ("resnet50", {}), ("resnet101", {}),
    ("resnet152", {}), ("resnext50_32x4d", {}), ("wide_resnet50_2", {}), ("vgg11", {}),
    ("vgg13", {"batch_norm": True}), ("vgg16", {"num_classes": 10}), ("vgg19", {}),
]  # fmt: skip


def built(paddle, name, settings):
    """Return a network in a Program of its own, and its result for images [None, 3, 224, 224]."""
    static = paddle.static
    with static.program_guard(static.Program(), static.Program()):
        net = getattr(paddle.vision.models, name)(**settings)
        size = [None, 1, 28, 28] if name == "LeNet" else [None, 3, 224, 224]
        return net, net(static.data("images", size))


@case
def parameters(paddle, show):
    for name, settings in NETWORKS:
        net, result = built(paddle, name, settings)
        rows = [f"{key} {list(value.shape)}" for key, value in net.state_dict().items()]
        kept = rows if name == "LeNet" else [zlib.crc32("\n".join(rows).encode()), rows[-1]]
        show(f"{name} {settings}", [len(rows), list(result.shape), *kept])
