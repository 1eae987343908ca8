"""`nn.BatchNorm` with its options, and the loss of CTC."""

import numpy as np

from ..harness import case
from ..spread import spread


@case(ulps=256)
def batch_norms(paddle, show):
    for name, options in {
        "plain": {},
        "act": {"act": "relu"},
        "test": {"is_test": True, "act": "sigmoid"},
        "global": {"use_global_stats": True},
        "statistics": {"trainable_statistics": True, "is_test": True},
        "last": {"data_layout": "NHWC", "param_attr": False, "bias_attr": False},
    }.items():
        shape = (2, 2, 2, 3) if name == "last" else (2, 3, 2, 2)
        layer = paddle.nn.BatchNorm(3, momentum=0.5, **options)
        for step in range(2):
            x = spread(*shape, part=step + 2).astype("float32")
            x = paddle.to_tensor(x, stop_gradient=False)
            out = layer(x)
            (out * out * out).mean().backward()
        show(name, [out[1, 0], (out * out).sum()])
        if name != "statistics":  # real Paddle's gradient is that of the running statistics
            show(f"{name} dx", (x.grad * x.grad).sum())
        show(f"{name} statistics", [layer._mean, layer._variance])
        layer.eval()
        show(f"{name} eval", layer(x)[0, 0])
    names = {"moving_mean_name": "m", "moving_variance_name": "v"}
    layer = paddle.nn.BatchNorm(2, **names, dtype="float64")
    show("names", [[n, p.name, p.stop_gradient] for n, p in layer.named_parameters()])
    show("text", [repr(layer), str(layer.weight.dtype)])


@case(ulps=2**12)
def ctc(paddle, show):
    scores = paddle.to_tensor(spread(5, 4, 4).astype("float32"), stop_gradient=False)
    labels = paddle.to_tensor(np.array([[1, 2, 1], [3, 3, 2], [2, 1, 0], [2, 2, 2]], "int32"))
    times, lengths = paddle.to_tensor([5, 5, 3, 4]), paddle.to_tensor([3, 2, 1, 3])
    for name, options in {
        "mean": {},
        "sum": {"reduction": "sum"},
        "none": {"reduction": "none"},
        "times": {"reduction": "none", "norm_by_times": True},
        "infinity": {"reduction": "none", "zero_infinity": True},
        "another blank": {"blank": 3, "reduction": "none"},
    }.items():
        spelled = labels % 3 if name == "another blank" else labels
        loss = paddle.nn.functional.ctc_loss(scores, spelled, times, lengths, **options)
        show(name, loss)
        loss.sum().backward()
        show(f"{name} of scores", (scores.grad * scores.grad).sum([0, 2]))
        scores.clear_gradient()
    layer = paddle.nn.CTCLoss(reduction="sum")
    show("layer", [layer(scores, labels, times, lengths), repr(layer)])
    given = scores, labels, times, lengths
    show.raises("reduction", lambda: paddle.nn.functional.ctc_loss(*given, reduction="all"))
    show.raises("axes", lambda: paddle.nn.functional.ctc_loss(scores[0], *given[1:]))
