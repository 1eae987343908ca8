"""What docstrings say of errors is what happens, where no case of `tests/oracle` has the call."""

from collections.abc import Callable
from typing import Any

import pytest

import minipaddle as paddle
import viz
from minipaddle import nn
from minipaddle.autograd import PyLayer
from minipaddle.io import BatchSampler, Dataset, Subset
from minipaddle.optimizer import lr
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


class Numbers(Dataset):
    def __len__(self) -> int:
        return 3

    def __getitem__(self, index: int) -> int:
        return [1, 2, 3][index]


CASES: list[tuple[type[Exception], Callable[[], Any]]] = [
    # Tensor
    (SystemError, backward_twice),
    (TypeError, lambda: paddle.from_numpy([1.0])),
    (IndexError, lambda: paddle.ones([2, 3]).stride(5)),
    # PyLayer
    (ValueError, lambda: layer(marked_input)),
    (RuntimeError, lambda: layer(saved_twice)),
    # Layers
    (ValueError, lambda: nn.Linear(2, 3)(paddle.ones([1, 2], dtype="float64"))),
    (ValueError, lambda: nn.Linear(2, 3)(paddle.ones([1, 4]))),
    (AssertionError, lambda: nn.LayerDict({"a": 1})),
    (ValueError, lambda: nn.Dropout(2.0)(paddle.ones([1]))),
    (ValueError, lambda: nn.ClipGradByValue("a")),
    (NotImplementedError, lambda: nn.Embedding(3, 2)(paddle.ones([1]))),
    (IndexError, lambda: nn.CrossEntropyLoss()(paddle.ones([1, 2]), paddle.to_tensor([7]))),
    # Optimizers and schedulers
    (TypeError, lambda: lr.ExponentialDecay("a", 0.5)),
    (ValueError, lambda: lr.ExponentialDecay(-1.0, 0.5)),
    # Data
    (AssertionError, BatchSampler),
    (IndexError, lambda: Subset(Numbers(), [0])[5]),
    (TypeError, lambda: paddle.metric.Accuracy(topk=1)),
    # viz
    (TypeError, lambda: viz.explain(3)),
    (ValueError, lambda: viz.record(limit="many")),
    (RuntimeError, lambda: viz.load("nothing.json")),
]


@each(("error", "call"), CASES)
def test_the_documented_error_is_raised(error: type[Exception], call: Callable[[], Any]) -> None:
    with pytest.raises(error):
        call()
