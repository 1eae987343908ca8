"""Medians and quantiles."""

import numpy as np

from ..harness import case
from ._lists import KINDS, NAN, slope, tensor, try_all
from ._texts import texts

ROWS = [[1, NAN, 3, 0], [NAN, NAN, NAN, NAN], [5, 2, 2, 7], [3, 1, 2, 4]]
WHOLE = [[5, 2, 2, 8], [3, 1, 2, 7]]


@case
def medians_over_several_axes(paddle, show):
    x = tensor(paddle, ROWS)
    try_all(show, {
        f"{axis} {keepdim} {mode}": lambda a=axis, k=keepdim, m=mode: paddle.nanmedian(
            x, axis=a, keepdim=k, mode=m)
        for axis in ([0, 1], (1,), [0, 0]) for keepdim in (False, True) for mode in ("avg", "min")
    })  # fmt: skip


@case
def medians_of_kinds(paddle, show):
    for name in ("median", "nanmedian"):
        f = getattr(paddle, name)
        try_all(
            show, {f"{name} {k}": lambda k=k, f=f: f(tensor(paddle, [3, 1, 2], k)) for k in KINDS}
        )


@case
def slopes_of_medians(paddle, show):
    rows = (
        [[5, 2, 3, 7], [3, 1, 2, 4]],
        [[5, 2, 2], [3, 1, 3]],
        [[1, 2, 2, 3], [2, 2, 2, 2]],
        [[1, NAN, 3, 0], [4, 1, 2, 3]],
    )
    for name in ("median", "nanmedian"):
        f = getattr(paddle, name)
        for mode in ("avg", "min"):
            for row in rows:
                if mode == "min" and [2, 2, 2, 2] in row:
                    continue  # Paddle does not specify which of the four is taken
                show(
                    f"{name} {mode} {row}",
                    slope(paddle, lambda x, f=f, m=mode: f(x, axis=1, mode=m), row),
                )
        for row in ([1, 2, 2, 3], [4, 1, 3], [2, 5, 3, 9]):
            show(f"{name} {row}", slope(paddle, f, row))
            show(f"{name} min {row}", slope(paddle, lambda x, f=f: f(x, mode="min"), row))


@case
def quantiles(paddle, show):
    x = tensor(paddle, [[3, 1, 2, 9], [0, 1, 4, 2]])
    for name in ("quantile", "nanquantile"):
        f = getattr(paddle, name)
        for kind in ("linear", "lower", "higher", "midpoint", "nearest"):
            show(f"{name} {kind}", f(x, [0.0, 0.3, 0.5, 1.0], axis=1, interpolation=kind))
            show(f"{name} {kind} all", f(x, 0.25, interpolation=kind))
        try_all(show, {
            f"{name} {label}": call for label, call in {
                "axes": lambda f=f: f(x, 0.5, axis=[0, 1]),
                "axes kept": lambda f=f: f(x, [0.5, 0.1], axis=[0, 1], keepdim=True),
                "all kept": lambda f=f: f(x, 0.5, keepdim=True),
                "list of one": lambda f=f: f(x, [0.5], axis=0, keepdim=True),
                "axis [1]": lambda f=f: f(x, 0.5, axis=[1]),
                "Tensor": lambda f=f: f(x, tensor(paddle, [0.5, 0.25]), axis=1),
                "Tensor 0-D": lambda f=f: f(x, paddle.to_tensor(0.5), axis=1),
                "int": lambda f=f: f(x, 1, axis=1), "tuple": lambda f=f: f(x, (0.5, 0.25), axis=1),
                "none": lambda f=f: f(x, []), "two": lambda f=f: f(x, 2.0),
                "negative": lambda f=f: f(x, -0.1), "text": lambda f=f: f(x, "a"),
                "axis 2": lambda f=f: f(x, 0.5, axis=2),
                "axes twice": lambda f=f: f(x, 0.5, axis=[0, 0]),
                "no axes": lambda f=f: f(x, 0.5, axis=[]),
                "other": lambda f=f: f(x, 0.5, interpolation="a"),
                "a list": lambda f=f: f([1.0], 0.5),
                "method": lambda name=name: getattr(x, name)(0.5, axis=1),
                "0-D": lambda f=f: f(paddle.to_tensor(2.0), 0.4),
                **{k: lambda f=f, k=k: f(tensor(paddle, [3, 1, 2], k), 0.3) for k in KINDS},
            }.items()
        })  # fmt: skip
        show(f"{name} nan", f(tensor(paddle, ROWS), 0.4, axis=1))
        show(f"{name} nan down", f(tensor(paddle, ROWS), [0.4, 0.9], axis=0))
        show(f"{name} nan all", f(tensor(paddle, ROWS), 0.4))
        cube = paddle.to_tensor(np.arange(24.0).reshape(2, 3, 4))
        show(f"{name} cube", f(cube, [0.4, 0.2], axis=[0, 2]))
        show(f"{name} cube kept", f(cube, [0.4, 0.2], axis=[0, -1], keepdim=True))


DIFFERS = {
    "slope of a median between ties": "all elements equal to a middle one share its gradient",
    "quantile of nothing": "nothing has no quantiles",
}  # fmt: skip
TABLE = texts("statistics", globals(), DIFFERS)
