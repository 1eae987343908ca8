"""What docstrings written by hand say of errors is what happens; op records: `tests/ops`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle import autograd, nn
from minipaddle.autograd import PyLayer
from minipaddle.io import BatchSampler, ConcatDataset, DataLoader, Dataset, RandomSampler, Subset
from minipaddle.optimizer import SGD, Adam, lr
from tests.each import each


def leaf() -> paddle.Tensor:
    return paddle.to_tensor([1.0, 2.0], stop_gradient=False)


def backward_twice() -> None:
    y = (leaf() * leaf()).sum()
    y.backward()
    y.backward()


def layer(forward: Callable[..., Any]) -> None:
    """Apply a PyLayer with this forward."""
    kind = type("Own", (PyLayer,), {"forward": staticmethod(forward)})
    kind.apply(leaf())


def marked_input(ctx: Any, x: Any) -> Any:
    ctx.mark_non_differentiable(x)
    return x * 1


def saved_twice(ctx: Any, x: Any) -> Any:
    ctx.save_for_backward(x)
    ctx.save_for_backward(x)
    return x * 1


def flag(ctx: Any, x: Any) -> Any:
    ctx.set_materialize_grads("no")
    return x * 1


class Numbers(Dataset):
    def __len__(self) -> int:
        return 3

    def __getitem__(self, index: int) -> int:
        return [1, 2, 3][index]


CASES: list[tuple[type[Exception], Callable[[], Any]]] = [
    # Tensor
    (AssertionError, lambda: leaf().backward(paddle.ones([3]))),
    (AssertionError, lambda: leaf().backward(1.0)),
    (SystemError, backward_twice),
    (RuntimeError, lambda: paddle.ones([1]).register_hook(print)),
    (TypeError, lambda: paddle.ones([1]).astype("strange")),
    (ValueError, lambda: leaf().uniform_()),
    (ValueError, lambda: leaf().add_(paddle.ones([2]))),
    (RuntimeError, lambda: paddle.ones([2], dtype="int32").uniform_()),
    (AssertionError, lambda: leaf().set_value(np.ones([3], "float32"))),
    (ValueError, lambda: paddle.ones([2]).mT),
    (TypeError, lambda: paddle.to_tensor(object())),
    (ValueError, lambda: paddle.to_tensor([[1], [1, 2]])),
    (TypeError, lambda: paddle.from_numpy([1.0])),
    (IndexError, lambda: paddle.ones([2, 3]).stride(5)),
    # grad and modes
    (AssertionError, lambda: paddle.grad(1.0, leaf())),
    (ValueError, lambda: paddle.grad(leaf() * 1, leaf())),
    (AssertionError, lambda: autograd.backward([1.0])),
    (TypeError, lambda: paddle.no_grad(3)),
    (TypeError, lambda: paddle.set_grad_enabled("yes")),
    (TypeError, lambda: paddle.set_default_dtype("int32")),
    (ValueError, lambda: paddle.set_device("moon")),
    # PyLayer
    (ValueError, lambda: layer(lambda _ctx, _x: 3)),
    (ValueError, lambda: layer(lambda _ctx, x: x)),
    (ValueError, lambda: layer(marked_input)),
    (RuntimeError, lambda: layer(saved_twice)),
    (TypeError, lambda: layer(flag)),
    # Layers
    (ValueError, lambda: nn.Linear(2, 3)(paddle.ones([1, 2], dtype="float64"))),
    (ValueError, lambda: nn.Linear(2, 3)(paddle.ones([1, 4]))),
    (ValueError, lambda: nn.Sequential(3)),
    (NotImplementedError, lambda: nn.Layer()(1)),
    (AssertionError, lambda: nn.LayerList([1])),
    (AssertionError, lambda: nn.LayerDict({"a": 1})),
    (KeyError, lambda: nn.LayerDict()["a"]),
    (AssertionError, lambda: nn.ParameterList([1])),
    (ValueError, lambda: nn.Dropout(2.0)(paddle.ones([1]))),
    (ValueError, lambda: nn.ClipGradByValue("a")),
    (ValueError, lambda: nn.ClipGradByNorm("a")),
    (NotImplementedError, lambda: nn.Embedding(3, 2)(paddle.ones([1]))),
    (IndexError, lambda: nn.CrossEntropyLoss()(paddle.ones([1, 2]), paddle.to_tensor([7]))),
    (ValueError, lambda: paddle.summary(nn.Linear(2, 3))),
    # Optimizers and schedulers
    (AttributeError, lambda: SGD(0.1)),
    (TypeError, lambda: SGD("fast", parameters=[leaf()])),
    (ValueError, lambda: Adam(0.1, beta1=2.0, parameters=[leaf()])),
    (TypeError, lambda: lr.ExponentialDecay("a", 0.5)),
    (ValueError, lambda: lr.ExponentialDecay(-1.0, 0.5)),
    (AssertionError, lambda: lr.ExponentialDecay(0.1, 2.0)),
    (AssertionError, lambda: lr.StepDecay(0.1, 0)),
    (TypeError, lambda: lr.MultiStepDecay(0.1, 3)),
    (ValueError, lambda: lr.PiecewiseDecay([1, 2], [0.1])),
    (TypeError, lambda: lr.LambdaDecay(0.1, 3)),
    (ValueError, lambda: lr.NoamDecay(0, 10)),
    (AssertionError, lambda: lr.LinearWarmup(0.1, 0, 0.0, 0.1)),
    (AssertionError, lambda: lr.CosineAnnealingDecay(0.1, 0)),
    # Data
    (NotImplementedError, lambda: Dataset()[0]),
    (AssertionError, lambda: DataLoader(Numbers(), batch_size=0)),
    (AssertionError, BatchSampler),
    (ValueError, lambda: RandomSampler(Numbers(), num_samples=0)),
    (AssertionError, lambda: ConcatDataset([])),
    (IndexError, lambda: Subset(Numbers(), [0])[5]),
    (TypeError, lambda: paddle.metric.Accuracy(topk=1)),
    # viz
    (TypeError, lambda: viz.explain(3)),
    (ValueError, lambda: viz.record(limit="many")),
    (RuntimeError, lambda: viz.load("nothing.json")),
]


@each(("error", "call"), CASES)
def test_the_error_that_is_documented_comes(
    error: type[Exception], call: Callable[[], Any]
) -> None:
    with pytest.raises(error):
        call()
