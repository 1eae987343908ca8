"""Run random programs on the Paddle of this interpreter: a line of JSON for each, in and out.

`python worker.py` imports nothing of minipaddle. Each input line is the text of a program; each
output line has its tensors, the gradients in its hooks, and the error that ended it.
"""

import contextlib
import json
import os
import sys
from typing import Any

import numpy as np
import paddle


def plain(array: Any) -> list[Any]:
    array = np.asarray(array)
    return [array.dtype.name, list(array.shape), array.ravel().tolist()]


def told(tensor: Any) -> list[Any]:
    grad = None if tensor.grad is None else plain(tensor.grad.numpy())
    flags = tensor.stop_gradient, None, tensor.inplace_version  # x[...] is a leaf here
    return [*flags, plain(tensor.numpy()), grad]


def run(text: str) -> dict[str, Any]:
    """Return the outcome of one program."""
    names: dict[str, Any] = {"paddle": paddle, "np": np, "__name__": "__main__"}
    ended = "in good order"
    try:
        exec(compile(text, "<program>", "exec"), names)
    except Exception as error:  # noqa: BLE001  (every class is an answer)
        ended = next(c.__name__ for c in type(error).__mro__ if c.__module__ == "builtins")
        ended += f"\n{error}"
    tensors = {k: told(v) for k, v in names.items() if isinstance(v, paddle.Tensor)}
    seen = [[name, plain(array)] for name, array in names["seen"]]
    return {"ended": ended, "tensors": tensors, "seen": seen, "errors": len(names["errors"])}


def main() -> None:
    """Answer line by line, on a standard output that Paddle itself cannot write to."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    with contextlib.suppress(BrokenPipeError):
        for line in sys.stdin:
            answers.write(json.dumps(run(json.loads(line))) + "\n")
            answers.flush()


if __name__ == "__main__":
    main()
