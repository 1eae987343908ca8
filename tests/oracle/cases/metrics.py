"""paddle.metric, and paddle.nn.utils: gradients clipped in place, parameters as one vector."""

import numpy as np

from ..harness import case
from ._texts import texts

SCORES = np.float32([[0.1, 0.7, 0.2], [0.5, 0.3, 0.2], [0.2, 0.3, 0.5], [0.4, 0.35, 0.25]])
LABELS = {
    "column": np.array([[1], [2], [2], [1]]),
    "row": np.array([1, 0, 0, 2]),
    "int32": np.int32([[1], [2], [2], [1]]),
    "one-hot": np.eye(3)[[1, 0, 0, 2]],
}
CHANCES, TRUTH = np.array([0.1, 0.5, 0.6, 0.9, 0.49, 0.51]), np.array([0, 1, 1, 0, 1, 1])


@case
def accuracy(paddle, show):
    scores = paddle.to_tensor(SCORES)
    for topk in ((1,), (1, 2), (3,)):
        metric = paddle.metric.Accuracy(topk=topk)
        for name, labels in LABELS.items():
            correct = metric.compute(scores, paddle.to_tensor(labels))
            show(f"{topk} {name}", correct)
            show(f"{topk} {name} value", np.float64(metric.update(correct)))
            show(f"{topk} {name} all", np.float64(metric.accumulate()))
        metric.reset()
        show(f"{topk} name", [metric.name(), np.float64(metric.accumulate())])
    metric = paddle.metric.Accuracy(name="mine")
    show("array", [metric.update(np.array([[1.0], [0.0]])), metric.name()])


@case
def precision_and_recall(paddle, show):
    for kind in ("Precision", "Recall"):
        metric = getattr(paddle.metric, kind)()
        show(f"{kind} first", [metric.accumulate(), metric.name()])
        metric.update(CHANCES, TRUTH)
        show(f"{kind} array", metric.accumulate())
        metric.update(paddle.to_tensor(CHANCES[:3]), paddle.to_tensor(TRUTH[:3]))
        show(f"{kind} tensor", metric.accumulate())
        metric.update(CHANCES.reshape(-1, 1), TRUTH.reshape(-1, 1))
        show(f"{kind} column", [metric.accumulate(), metric.tp])
        metric.reset()
        show(f"{kind} reset", metric.accumulate())
        show.raises(f"{kind} list", lambda metric=metric: metric.update([1], [1]))


@case
def area_under_the_curve(paddle, show):
    rows = np.stack([1 - CHANCES, CHANCES], axis=1)
    for options in ({}, {"num_thresholds": 9}, {"curve": "PR", "name": "mine"}):
        metric = paddle.metric.Auc(**options)
        show(f"{options} first", [metric.accumulate(), metric.name()])
        metric.update(rows, TRUTH)
        show(f"{options}", float(metric.accumulate()))
        metric.update(paddle.to_tensor(rows[:4]), paddle.to_tensor(TRUTH[:4].reshape(-1, 1)))
        show(f"{options} more", float(metric.accumulate()))


def with_gradients(paddle):
    a = paddle.to_tensor(np.float32([[1, -2], [3, 4]]), stop_gradient=False)
    b, c = (paddle.to_tensor([5.0], stop_gradient=False) for _ in "bc")
    ((a * a).sum() + (b * b).sum()).backward()
    return a, b, c


@case
def clipping_in_place(paddle, show):
    utils = paddle.nn.utils
    for order in (2.0, 1, 0, float("inf")):
        for limit in (3.0, 300.0):
            a, b, c = with_gradients(paddle)
            show(f"{order} {limit}", utils.clip_grad_norm_([a, b, c], limit, order))
            show(f"{order} {limit} grads", [a.grad, b.grad, c.grad is None])
    a, b, c = with_gradients(paddle)
    show("one", [utils.clip_grad_norm_(a, 1.0), a.grad])
    utils.clip_grad_value_([b, c], 2.5)
    utils.clip_grad_value_(a, 0.1)
    show("values", [a.grad, b.grad])
    (a * float("inf")).sum().backward()
    show.raises("inf", lambda: utils.clip_grad_norm_([a], 1.0, error_if_nonfinite=True))


@case
def parameters_as_a_vector(paddle, show):
    utils = paddle.nn.utils
    a, b, _ = with_gradients(paddle)
    vector = utils.parameters_to_vector([a, b])
    show("vector", [vector, vector.stop_gradient, list(a.shape)])
    utils.vector_to_parameters(vector * 2, [a, b])
    show("back", [a, b])
    utils.vector_to_parameters(paddle.arange(9.0), [a, b])
    show("longer", [a, b])


TABLE = texts("metrics", globals())
