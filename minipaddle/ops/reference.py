"""What a record tells those who call it: the signature of its public function."""

from __future__ import annotations

import inspect
from typing import Any

Parameter = inspect.Parameter
NAME = Parameter("name", Parameter.POSITIONAL_OR_KEYWORD, default=None)
OUT = Parameter("out", Parameter.KEYWORD_ONLY, default=None)


def signature(kernel: Any) -> inspect.Signature:
    """How the function of a kernel is called: tensors, attributes, and Paddle's `name` and `out`.

    The kernel's first parameter is the array namespace. Its keyword-only parameters are the
    attributes, which a call may also give by position.
    """
    _, *own = inspect.signature(kernel).parameters.values()
    optional = any(p.kind is not p.KEYWORD_ONLY and p.default is not p.empty for p in own)
    taken = [
        p if optional and p.default is p.empty else p.replace(kind=p.POSITIONAL_OR_KEYWORD)
        for p in own
    ]
    names = {p.name for p in own}
    taken += [extra for extra in (NAME, OUT) if extra.name not in names]
    return inspect.Signature(sorted(taken, key=lambda p: p.kind))
