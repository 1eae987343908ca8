"""Many small answers from a list of expressions, each its own label."""

import numpy as np

from ..harness import Case


def world(paddle):
    """The names that the expressions use."""
    T = paddle.to_tensor

    def G(function, *args):
        """The gradients of a weighted sum of the first output."""
        leaves = [a.detach().clone() for a in args]
        for leaf in leaves:
            leaf.stop_gradient = False
        out = function(*leaves)
        out = out[0] if isinstance(out, list | tuple) else out
        weights = (paddle.arange(out.size).astype(out.dtype) + 1).reshape(out.shape)
        return paddle.grad([out], leaves, [weights], allow_unused=True)

    def W(x, index, value):
        """A copy of x with a value written."""
        x = x.clone()
        x[index] = value
        return x

    def V(x, function):
        """Return x and its version after a result of it is set to zero in place."""
        x = x.clone()
        function(x).zero_()
        return [x, x.inplace_version]

    return {
        "paddle": paddle, "np": np, "T": T, "G": G, "W": W, "V": V,
        "x": paddle.arange(24).astype("float32").reshape([2, 3, 4]),
        "r": paddle.arange(6).astype("float32").reshape([2, 3]),
        "v": T([1.0, 2.0, 3.0]), "i": T([1, 0]), "m": T([True, False]), "s": slice,
        "I": T([[0], [1]]), "J": T([[0, 0], [1, 1]]), "U": T([[7.0, 5.0], [8.0, 2.0]]),
    }  # fmt: skip


def each(paddle, show, texts):
    """State the value of each expression, or the class of its error."""
    names = world(paddle)
    for text in texts.strip().splitlines():
        label = text.strip()
        if not label:
            continue
        try:
            value = eval(label, names)
        except Exception:  # noqa: BLE001  (every class is an answer)
            show.raises(label, lambda label=label: eval(label, names))
        else:
            show(label, shown(value))


def shown(value):
    """Shapes as lists; everything else as it is."""
    if isinstance(value, tuple) and not hasattr(value, "numel"):
        return tuple(shown(item) for item in value)
    return list(value) if isinstance(value, list) else value


def texts(rows, differs=None):
    """A case for each text."""
    return [
        Case(
            name,
            lambda paddle, show, text=text: each(paddle, show, text),
            (differs or {}).get(name),
        )
        for name, text in rows.items()
    ]
