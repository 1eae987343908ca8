"""Networks for images: from one seed equal weights, equal scores and equal gradients."""

import numpy as np

from ..harness import case

# Case -> how the network is made, and the shape of an image.
NETWORKS = {
    "lenet": (lambda models: models.LeNet(), (1, 28)),
    "basic_block": (lambda models: models.resnet.BasicBlock(3, 3), (3, 8)),
    "bottlenecks": (
        lambda models: models.ResNet(
            models.resnet.BottleneckBlock, 50, width=4, num_classes=0, groups=2
        ),
        (3, 32),
    ),
    "mobilenet_v1": (lambda models: models.mobilenet_v1(num_classes=5, scale=0.25), (3, 32)),
    "mobilenet_v2": (lambda models: models.mobilenet_v2(num_classes=5, scale=0.25), (3, 32)),
    "alexnet": (lambda models: models.alexnet(num_classes=0), (3, 64)),
}


def network(name):
    def run(paddle, show):
        make, (channels, size) = NETWORKS[name]
        paddle.set_default_dtype("float64")
        try:
            paddle.seed(3)
            net = make(paddle.vision.models)
            net.eval()  # a batch norm of few numbers would enlarge the last bits
            scores = net(paddle.to_tensor(np.random.RandomState(1).rand(2, channels, size, size)))
            show("shape", list(scores.shape))
            loss = (scores.flatten() * paddle.linspace(-1.0, 1.0, scores.size)).sum()
            loss.backward()
            show("loss", float(loss))
            trained = [p for p in net.parameters() if not p.stop_gradient]
            norms = [float((p.grad * p.grad).sum()) for p in trained]
            show("gradients", [len(norms), norms[0], norms[-1], sum(norms)])
        finally:
            paddle.set_default_dtype("float32")

    run.__name__ = name
    return case(ulps=2**20)(run)


TABLE = [network(name) for name in NETWORKS]
