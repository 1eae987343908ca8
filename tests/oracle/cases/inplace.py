"""In-place changes: results, versions, dtypes, shapes, gradients, errors."""

from ..harness import case
from ._texts import texts


def t(paddle, *args, **kwargs):
    return paddle.to_tensor(*args, **kwargs)


DATA = [[0.5, -1.25, 2.0], [1.5, 0.25, -0.75]]
OTHER = [[1.0, 0.5, -2.0], [2.0, -1.5, 3.0]]


@case()
def shapes_changed_without_grad(paddle, show):
    """The gradient of the changed tensor has its old shape where it came from."""
    changes = {"reshape_": ([-1],), "flatten_": (), "unsqueeze_": (0,), "squeeze_": ()}
    for name, args in changes.items():
        x = paddle.to_tensor([[0.5, -1.25, 0.75]], "float64", stop_gradient=False)
        y = x * x
        with paddle.no_grad():
            getattr(y, name)(*args)
        y.sum().backward()
        show(name, [y.shape, x.grad])


TABLE = texts("inplace", globals())
