"""Attributes of a Tensor, and its conversions."""
# ruff: noqa: RUF005  (adding to a shape is what is asked)

import copy
import math
import pickle

import numpy as np

from ..harness import case
from ._calls import row


def x_of(paddle):
    return paddle.to_tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], stop_gradient=False)


def asks(name, *calls, **options):
    """A row whose calls get a fresh [2, 3] tensor."""
    return row(name, *(lambda p, c=call: c(x_of(p)) for call in calls), **options)


CASTS = (
    "float", "double", "half", "int", "long", "short", "char", "byte", "bool", "cfloat", "cdouble",
    "float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "complex64",
    "complex128",
)  # fmt: skip
TABLE = [
    asks("size", lambda x: list(x.shape), lambda x: x.ndim, lambda x: x.dim(), lambda x: x.size,
         lambda x: x.ndimension(), lambda x: x.numel(), lambda x: x.rank(), len),
    asks("shape_text", lambda x: repr(x.shape), lambda x: str(x.shape[1:]),
        lambda x: repr(x.shape + [4]),
         lambda x: repr(x.shape + (4,)), lambda x: repr([1] + x.shape),
         lambda x: repr((1,) + x.shape),
         lambda x: repr(x.shape * 2), lambda x: repr(2 * x.shape), lambda x: repr(x.shape.copy())),
    asks("shape_is_a_list", lambda x: x.shape == [2, 3], lambda x: x.shape == (2, 3),
         lambda x: x.shape == [2, 3], lambda x: x.shape != [2], lambda x: isinstance(x.shape, list),
         lambda x: x.shape.numel(), lambda x: x.shape.index(3), lambda x: hash(x.shape),
         lambda x: tuple(x.shape), lambda x: x.shape[-1], lambda x: x.shape[9]),
    asks("place", lambda x: str(x.place), lambda x: x.device, lambda x: x.get_device(),
         lambda x: x.is_cuda, lambda x: x.layout),
    asks("kinds_of_tensors", lambda x: x.is_dense(), lambda x: x.is_sparse(), lambda x: x.is_dist(),
         lambda x: x.is_sparse_coo(), lambda x: x.is_sparse_csr(), lambda x: x.is_selected_rows()),
    asks("memory", lambda x: x.itemsize, lambda x: x.element_size(), lambda x: x.strides,
         lambda x: x.get_strides(), lambda x: x.stride(), lambda x: x.stride(0),
         lambda x: x.stride(-1),
         lambda x: x.is_contiguous(), lambda x: x.T.strides, lambda x: x.T.is_contiguous(),
         lambda x: x.T.contiguous().strides, lambda x: x.contiguous() is x,
         lambda x: x.T.contiguous(), lambda x: x[:, 1].strides),
    asks("same", lambda x: x.is_same_shape(x * 2), lambda x: x.is_same_shape(x[0]),
         lambda x: x.value() is x, lambda x: x.data is x, lambda x: x.data),
    asks("transposed", lambda x: x.T, lambda x: x.mT, lambda x: x[0].T, lambda x: x[0].mT,
         lambda x: list(x.reshape([1, 2, 3]).T.shape),
         lambda x: list(x.reshape([1, 2, 3]).mT.shape)),
    asks("gradient_flags", lambda x: x.stop_gradient, lambda x: x.requires_grad,
        lambda x: x.is_leaf,
         lambda x: (x * 2).is_leaf, lambda x: x.grad, lambda x: x.gradient(),
         lambda x: x.requires_grad_(False), lambda x: x.requires_grad_(False).requires_grad_()),
    asks("casts", *(lambda x, n=name: getattr(x, n)() for name in CASTS)),
    asks("astype", *(
        lambda x, d=d: x.astype(d)
        for d in ("int32", "float64", "bool", int, float, np.float16, np.dtype("int8"))
    ), lambda x: x.astype(), lambda x: x.astype("foo"), lambda x: x.cast("int64")),
    asks("type_as", lambda x: x.type_as(x.astype("int32"))),
    asks("to", lambda x: x.to("float64"), lambda x: x.to(dtype="int32"), lambda x: x.to("cpu",
        "int8"),
         lambda x: x.to("cpu") is x, lambda x: x.to(x.astype("int64")), lambda x: x.to("cpu",
         "int8", True),
         lambda x: x.to(other=x.astype("int64")), lambda x: x.to(device="cpu", dtype="float64")),
    asks("to_refused", lambda x: x.to("foo"), lambda x: x.to(1), lambda x: x.to(),
         lambda x: x.to("cpu", "foo"), lambda x: x.to(foo=1)),
    asks("places", lambda x: x.cpu() is x, lambda x: x.cuda(), lambda x: x.pin_memory()),
    asks("items", lambda x: x.item(0), lambda x: x.item(1, 2), lambda x: x.item(5),
        lambda x: x.item(6),
         lambda x: x.item(), lambda x: x.item(-1), lambda x: x.item(0, 0, 0),
         lambda x: x.item(2, 0),
         lambda x: x[0, 0].item(), lambda x: x.astype("int64").item(0), lambda x: x.tolist(),
         lambda x: x[0, 0].tolist(), lambda x: (x > 2).item(3)),
    asks("new", lambda x: x.new_zeros([2]), lambda x: x.new_ones(2, 1),
        lambda x: x.new_full([2], 3),
         lambda x: list(x.new_empty([2, 2]).shape), lambda x: x.new_ones([1], dtype="int64"),
         lambda x: x.new_zeros([1], requires_grad=True),
         lambda x: x.astype("int8").new_full([1], 7)),
    asks("apply", lambda x: x.detach().apply(lambda v: v * 2), lambda x: x.apply(lambda v: v * 2),
         lambda x: x.astype("int64").detach().apply(lambda v: v + 0.5),
         lambda x: x.detach().apply_(lambda v: v - 1), lambda x: x.apply_(lambda v: v)),
    asks("as_numbers", lambda x: bool(x[0, 0]), lambda x: int(x[1, 1]), lambda x: float(x[0, 1]),
         lambda x: repr(complex(x[0, 1])), bool, float, int,
         lambda x: math.sqrt(x[1, 0]), lambda x: [1, 2, 3][x[0, 0].astype("int64")],
         lambda x: list(range(x[0, 2].astype("int64")))),
    asks("containers", lambda x: len(x[0, 0]), lambda x: [list(r.shape) for r in x],
         lambda x: list(x[0, 0]), lambda x: 2.0 in x[0], lambda x: 9.0 in x[0],
         lambda x: [float(v) for v in x[1]]),
    asks("arrays", np.array, lambda x: np.asarray(x, "float64"), lambda x: x.numpy(),
         lambda x: x.numpy().flags.writeable, lambda x: np.array(x[0, 0])),
]  # fmt: skip


@case
def pickled_and_copied(paddle, show):
    x = x_of(paddle)
    x.name = "weight"
    for name, other in {
        "pickle": pickle.loads(pickle.dumps(x)),
        "copy": copy.copy(x),
        "deepcopy": copy.deepcopy(x),
        "pickled result": pickle.loads(pickle.dumps(x * 2)),
        "copied result": copy.deepcopy(x * 2),
    }.items():
        show(name, [other, other.stop_gradient])
        show(f"{name} keeps the name", other.name == "weight")
    show("name of a deep copy", copy.deepcopy(x).name.startswith("weight_deepcopy_"))


@case
def detached(paddle, show):
    x = x_of(paddle)
    y = (x * 2).detach_()
    show("detach_", [y, y.stop_gradient, y.is_leaf])
    z = x.detach()
    show("detach", [z, z.stop_gradient, z.is_leaf])
    z[0, 0] = 7.0
    show("shares memory", float(x[0, 0]))
    show("clone", [x.clone().stop_gradient, x.clone().is_leaf])


@case
def gradients_come_and_go(paddle, show):
    x = x_of(paddle)
    (x * x).sum().backward()
    show("grad", [x.grad, x.grad.stop_gradient, x.grad.is_leaf])
    show("gradient", x.gradient())
    x.clear_gradient()
    show("clear_gradient", x.grad)
    x.clear_gradient(False)
    show("clear_gradient(False)", x.grad)
    (x * 3).sum().backward()
    x.clear_grad()
    show("clear_grad", x.grad)
    x.grad = paddle.ones([2, 3])
    show("set", x.grad)
    x.grad = None
    show("set to None", x.grad)
    show.raises("set to an array", lambda: setattr(x, "grad", np.ones([2, 3], "float32")))
    show.raises("stop_gradient = 1", lambda: setattr(x, "stop_gradient", 1))
