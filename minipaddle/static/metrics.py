"""static.accuracy: share of rows whose label is among the k highest scores."""

from __future__ import annotations

from typing import Any

from ..ops import REGISTRY
from ..ops.program_ops import accuracy as record
from . import errors
from .checks import require_static, require_type
from .op_calls import append
from .spelling import outputs_named
from .variable import Variable


def accuracy(
    input: Variable, label: Variable, k: int = 1, correct: Any = None, total: Any = None
) -> Variable:
    """Compute the share of the rows of scores whose label is among the k highest.

    input: floats of shape [N, classes]; label: int64 of shape [N, 1]. `correct` and `total` are
    Variables that get the two counts. Source: Paddle's `paddle.static.accuracy`.

    Errors: AssertionError outside static mode.

    >>> import minipaddle as paddle
    >>> paddle.enable_static()
    >>> with paddle.static.program_guard(paddle.static.Program()):
    ...     scores = paddle.static.data("scores", [None, 2])
    ...     part = paddle.static.accuracy(scores, paddle.static.data("label", [None, 1], "int64"))
    ...     feed = {"scores": np.float32([[0, 1], [1, 0]]), "label": np.array([[1], [1]])}
    ...     paddle.static.Executor().run(feed=feed, fetch_list=[part])
    [array(0.5, dtype=float32)]
    >>> paddle.disable_static()
    """
    require_static("accuracy")
    require_type(input, (Variable,), "input", "accuracy")
    require_type(label, (Variable,), "label", "accuracy")
    for name, target in (("correct", correct), ("total", total)):
        require_type(target, (Variable, type(None)), name, "accuracy")
    if input.dtype.name not in ("float16", "float32", "float64"):
        fix = "pass the scores of the classes, not the labels"
        raise errors.wrong_dtype("accuracy", input, "float16, float32 or float64", fix)
    with outputs_named(input.block.program.names("accuracy") + ".tmp"):
        topk = REGISTRY["topk"]
        options = topk.complete({"k": k, "sorted": False})
        values, indices = append(input.block, topk, (input,), options)
        outputs = append(input.block, record, (values, indices, label), {})
    part: Variable = outputs[0]
    for target, count in zip((correct, total), outputs[1:], strict=True):
        if target is not None:
            assign = REGISTRY["assign"]
            append(input.block, assign, (count,), assign.complete({}), outputs=[target])
    return part
