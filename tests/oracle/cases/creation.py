"""Tensors out of numbers: values, dtypes, shapes and refusals."""

import numpy as np

from ..harness import case
from ._calls import row


def t(paddle, *args, **kwargs):
    return paddle.to_tensor(*args, **kwargs)


TABLE = [
    # ----- full and its kin -----
    row("full", lambda p: p.full([2], 3), lambda p: p.full([2, 1], 2.5), lambda p: p.full([], 3.5)),
    row("full_dtypes", *(
        lambda p, d=d: p.full([2], 3.7, d)
        for d in ("int32", "int64", "uint8", "float16", "float64", "bool")
    )),
    row("full_kinds", lambda p: p.full([2], True), lambda p: p.full([2], "3"),
        lambda p: p.full([2], t(p, 3.0)), lambda p: p.full([1], 1 + 2j),
        lambda p: p.full([2], float("nan")), lambda p: p.full([2], -0.0)),
    row("full_shapes", lambda p: p.full(2, 1.0), lambda p: p.full((2, 1), 1.0),
        lambda p: p.full(t(p, [2, 3]), 1.0), lambda p: p.full([t(p, 2), 3], 1.0),
        lambda p: p.full([0, 3], 1.0), lambda p: p.full((), 1.0)),
    row("full_refused", lambda p: p.full([-1], 3), lambda p: p.full([2.0], 3),
        lambda p: p.full([2], None), lambda p: p.full([2], [1]), lambda p: p.full([2], 1, "foo")),
    row("zeros_and_ones", lambda p: p.zeros([2]), lambda p: p.ones([2, 1], "int64"),
        lambda p: p.zeros(2, 3), lambda p: p.ones(2), lambda p: p.zeros([]),
        lambda p: p.zeros(shape=[1], dtype="float16"), lambda p: p.ones([2], dtype=p.bool)),
    row("options", lambda p: p.zeros([2], requires_grad=True), lambda p: p.ones([2], device="cpu"),
        lambda p: p.arange(3.0, requires_grad=True), lambda p: p.eye(1, requires_grad=True)),
    row("like", lambda p: p.zeros_like(t(p, [1, 2])), lambda p: p.ones_like(t(p, [1.5]), "int32"),
        lambda p: p.full_like(t(p, [1, 2]), 2.5), lambda p: p.full_like(t(p, [1, 2]), 2.5,
        "float32"),
        lambda p: p.full_like(t(p, [1.0, 2.0]), True), lambda p: p.zeros_like(t(p, True)),
        lambda p: p.ones_like(t(p, [1.0], stop_gradient=False))),
    row("empty", lambda p: list(p.empty([2, 3]).shape), lambda p: str(p.empty([2], "int32").dtype),
        lambda p: list(p.empty_like(t(p, [[1]])).shape), lambda p: list(p.empty(2, 3).shape)),
    # ----- ranges -----
    row("arange", lambda p: p.arange(3), lambda p: p.arange(3.0), lambda p: p.arange(1, 5, 2),
        lambda p: p.arange(5, 1, -2), lambda p: p.arange(1, 5, -1), lambda p: p.arange(end=4),
        lambda p: p.arange(np.int64(3)), lambda p: p.arange(0.5, 5, dtype="int64")),
    row("arange_sums_its_steps", lambda p: p.arange(0, 1, 0.1, "float64"),
        lambda p: p.arange(0, 1, 0.1, "float32"), lambda p: p.arange(0, 0.3, 0.1),
        lambda p: p.arange(1.0, -1.0, -0.3), lambda p: p.arange(0, 1.05, 0.15, "float32"),
        lambda p: p.arange(-2.5, 3.25, 0.7, "float64")),
    row("arange_of_tensors", lambda p: p.arange(t(p, 3)), lambda p: p.arange(t(p, [3])),
        lambda p: p.arange(t(p, 3.5)), lambda p: p.arange(t(p, 1), t(p, 7), t(p, 2))),
    row("arange_refused", lambda p: p.arange(1, 5, 0), lambda p: p.arange(3, dtype="foo")),
    row("linspace", lambda p: p.linspace(0, 1, 3), lambda p: p.linspace(0, 1, 7),
        lambda p: p.linspace(5, -3, 6), lambda p: p.linspace(0, 10, 1),
        lambda p: p.linspace(0, 10, 0),
        lambda p: p.linspace(0.1, 1.3, 7, "float64"), lambda p: p.linspace(0.1, 1.3, 7)),
    row("linspace_of_ints", lambda p: p.linspace(0, 10, 5, "int32"),
        lambda p: p.linspace(0, 10, 4, "int64"), lambda p: p.linspace(-7, 5, 6, "int64")),
    row("linspace_of_tensors", lambda p: p.linspace(t(p, 0.0), t(p, 1.0), t(p, 5)),
        lambda p: p.linspace(t(p, 0.0), t(p, 1.0), 5, "float64"), lambda p: p.linspace(0, 1, 4.0)),
    row("linspace_refused", lambda p: p.linspace(0, 1, -2), lambda p: p.linspace(0, 1, 3,
        "float16")),
    row("logspace", lambda p: p.logspace(0, 3, 4), lambda p: p.logspace(0, 1, 3, 2),
        lambda p: p.logspace(0, 1, 1, 2), lambda p: p.logspace(0, 3, 4, dtype="float64"),
        lambda p: p.logspace(-1, 2, 7, 1.5, "float64"), lambda p: p.logspace(2, -2, 5), ulps=2),
    row("logspace_of_ints", lambda p: p.logspace(0, 3, 4, 2, "int32"),
        lambda p: p.logspace(0, 4, 5, 3, "int64")),
    # ----- patterns -----
    row("eye", lambda p: p.eye(2), lambda p: p.eye(2, 3, "int32"), lambda p: p.eye(3, 1),
        lambda p: p.eye(0), lambda p: p.eye(t(p, 2)), lambda p: p.eye(2, dtype="float64")),
    row("eye_refused", lambda p: p.eye(-1), lambda p: p.eye(2.0), lambda p: p.eye(2, -3)),
    row("corner_indices", lambda p: p.tril_indices(2, 3), lambda p: p.tril_indices(3, 3, 1),
        lambda p: p.tril_indices(3, 3, -1, "int32"), lambda p: p.tril_indices(4, 2, 2),
        lambda p: p.triu_indices(2, 3), lambda p: p.triu_indices(2),
        lambda p: p.triu_indices(3, 3, 1),
        lambda p: p.triu_indices(3, 3, -9), lambda p: p.triu_indices(3, 2, 5)),
    row("corner_indices_refused", lambda p: p.tril_indices(-1, 2), lambda p: p.tril_indices(2.0, 2),
        lambda p: p.tril_indices(2, 2, dtype="float32"), lambda p: p.triu_indices(2, 2, 0.5)),
    row("meshgrid", lambda p: p.meshgrid(t(p, [1, 2]), t(p, [3, 4, 5])),
        lambda p: p.meshgrid([t(p, [1, 2]), t(p, [3])]), lambda p: p.meshgrid(t(p, [1, 2])),
        lambda p: p.meshgrid(t(p, [1, 2]), t(p, 3)),
        lambda p: p.meshgrid(t(p, [1, 2]), t(p, [3, 4, 5]), indexing="xy"),
        lambda p: p.meshgrid(t(p, [1, 2]), t(p, [3]), t(p, [4, 5]), indexing="xy")),
    row("meshgrid_refused", lambda p: p.meshgrid(t(p, [1, 2]), t(p, [[3]])),
        lambda p: p.meshgrid(t(p, [1, 2]), t(p, [3.0])), lambda p: p.meshgrid(1),
        lambda p: p.meshgrid()),
    # ----- copies -----
    row("assign", lambda p: p.assign([1, 2]), lambda p: p.assign([1.0, 2]), lambda p: p.assign(2.5),
        lambda p: p.assign(np.float32([1, 2])), lambda p: p.assign(True),
        lambda p: p.assign((1, 2)),
        lambda p: p.assign(t(p, [1.0], stop_gradient=False))),
    row("assign_into", lambda p: p.assign(t(p, [1.0]), t(p, [2])),
        lambda p: p.assign(t(p, [1.0]), t(p, [2.0, 3.0])),
        lambda p: p.assign(np.array([1.0, 2]), t(p, [2.0, 3.0]))),
    row("cast", *(
        lambda p, d=d: p.cast(t(p, [1.7, -2.5, 0.0]), d)
        for d in ("int32", "int64", "bool", "float64", "float16",
            "int8", int, float, bool, np.int32)
    )),
    row("cast_kinds", lambda p: p.cast(t(p, [True, False]), "float32"),
        lambda p: p.cast(t(p, [300, -1]), "uint8"), lambda p: p.cast(t(p, [1 + 2j]), "float32"),
        lambda p: p.cast(t(p, [1.5]), "complex64"), lambda p: p.cast(t(p, [1.5]), "foo")),
    # ----- to_tensor -----
    row("to_tensor", lambda p: t(p, 1), lambda p: t(p, 1.5), lambda p: t(p, True),
        lambda p: t(p, 1 + 2j), lambda p: t(p, [[1, 2], [3, 4]]), lambda p: t(p, (1.5, 2)),
        lambda p: t(p, []), lambda p: t(p, [[]]), lambda p: t(p, [True, False]),
        lambda p: t(p, [1, 2.5]), lambda p: t(p, [True, 2])),
    row("to_tensor_of_arrays", *(
        lambda p, d=d: t(p, np.array([1, 2]).astype(d))
        for d in ("int8", "int16", "int32", "int64", "uint8", "float16", "float32", "float64",
            "bool")
    ), lambda p: t(p, np.float64(1.5)), lambda p: t(p, np.int32(3)), lambda p: t(p, np.array(2.5))),
    row("to_tensor_with_dtype", lambda p: t(p, [1.7, 2], "int32"), lambda p: t(p, 1, dtype="bool"),
        lambda p: t(p, [1, 2], dtype=p.float64), lambda p: t(p, np.ones(2), "float32"),
        lambda p: t(p, t(p, [1.5]), "int64"), lambda p: t(p, [1.0], stop_gradient=False)),
    row("to_tensor_of_tensors", lambda p: t(p, t(p, [1.5])), lambda p: t(p,
        [t(p, 1.0), t(p, 2.0)])),
    row("to_tensor_refused", lambda p: t(p, "a"), lambda p: t(p, None), lambda p: t(p, {1: 2}),
        lambda p: t(p, range(3)), lambda p: t(p, [[1, 2], [3]]), lambda p: t(p, ["a"]),
        lambda p: t(p, np.array(["a"])), lambda p: t(p, 2**70)),
    # ----- questions -----
    row("questions", lambda p: p.numel(p.ones([2, 3])), lambda p: p.rank(p.ones([2, 3])),
        lambda p: p.shape(p.ones([2, 3])), lambda p: p.shape(t(p, 1.0)),
        lambda p: p.is_empty(p.ones([0, 3])), lambda p: p.is_empty(t(p, 1.0)),
        lambda p: p.tolist(t(p, [[1, 2]])), lambda p: p.is_tensor(t(p, 1)),
        lambda p: p.is_tensor(1)),
    row("kinds_of_numbers", *(
        lambda p, d=d, f=f: getattr(p, f)(p.ones([1], d))
        for f in ("is_floating_point", "is_integer", "is_complex")
        for d in ("float16", "float32", "int32", "uint8", "bool", "complex64")
    )),
    row("questions_refused", lambda p: p.is_floating_point([1]), lambda p: p.is_complex(1),
        lambda p: p.numel([1])),
    row("limits", *(
        lambda p, d=d: repr(p.iinfo(d)) for d in ("int8", "uint8", "int16", "int32", "int64")
    ), *(lambda p, d=d: repr(p.finfo(d)) for d in ("float16", "float32", "float64", "complex64"))),
    row("limits_by_name", lambda p: p.iinfo("int32").max, lambda p: p.finfo("float32").eps,
        lambda p: p.finfo("float16").resolution, lambda p: p.finfo(p.float64).tiny,
        lambda p: p.finfo(np.float32).bits, lambda p: p.iinfo(np.uint8).dtype),
    row("limits_refused", lambda p: p.iinfo("float32"), lambda p: p.finfo("int32"),
        lambda p: p.iinfo("bool"), lambda p: p.finfo("foo")),
]  # fmt: skip


def moved(paddle, show, function, *inputs):
    """Show values and gradients of a function of tensors, with a seed that tells them apart."""
    tensors = [paddle.to_tensor(v, "float64", stop_gradient=False) for v in inputs]
    outs = function(*tensors)
    outs = outs if isinstance(outs, list) else [outs]
    seeds = [paddle.arange(1.0, y.size + 1, dtype="float64").reshape(y.shape) for y in outs]
    paddle.autograd.backward(outs, seeds)
    show("out", outs)
    show("gradients", [x.grad for x in tensors])


VECTOR, MATRIX = [1.0, -2.0, 3.0], [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
CUBE = [MATRIX, MATRIX]


@case
def diag_of_a_vector(paddle, show):
    for offset in (0, 1, -2):
        moved(
            paddle,
            lambda k, v, o=offset: show(f"{o} {k}", v),
            lambda x, o=offset: paddle.diag(x, o),
            VECTOR,
        )
    show("padding", paddle.diag(paddle.to_tensor([1, 2]), -1, padding_value=9))
    show("fraction", paddle.diag(paddle.to_tensor([1.0]), 1, padding_value=0.5))
    show("0-D", paddle.diag(paddle.to_tensor(3.0)))


@case
def diag_of_a_matrix(paddle, show):
    for offset in (0, 1, -1, 5):
        moved(
            paddle,
            lambda k, v, o=offset: show(f"{o} {k}", v),
            lambda x, o=offset: paddle.diag(x, o),
            MATRIX,
        )
    show.raises("cube", lambda: paddle.diag(paddle.to_tensor(CUBE)))
    show.raises("bool", lambda: paddle.diag(paddle.to_tensor([True])))


@case
def diagflat(paddle, show):
    moved(paddle, show, lambda x: paddle.diagflat(x, 1), MATRIX)
    show("method", paddle.to_tensor([1.0, 2.0]).diagflat(-1))
    show("0-D", paddle.diagflat(paddle.to_tensor(3.0)))


@case
def triangles(paddle, show):
    for name in ("tril", "triu"):
        for diagonal in (0, 1, -1):
            moved(
                paddle,
                lambda k, v, n=name, d=diagonal: show(f"{n} {d} {k}", v),
                lambda x, n=name, d=diagonal: getattr(paddle, n)(x, d),
                CUBE,
            )
        call = getattr(paddle, name)
        show(f"{name} bool", call(paddle.to_tensor([[True, True], [True, True]])))
        show(f"{name} int", call(paddle.to_tensor([[1, 2], [3, 4]]), 1))
        show(f"{name} empty", call(paddle.ones([0, 3])))
        show.raises(f"{name} vector", lambda f=call: f(paddle.ones([3])))
        show.raises(f"{name} half", lambda f=call: f(paddle.ones([3, 3]), 0.5))


@case
def default_dtype(paddle, show):
    try:
        for kind in ("float64", np.float32):
            paddle.set_default_dtype(kind)
            name = paddle.get_default_dtype()
            show(name, [
                str(x.dtype) for x in (
                    paddle.to_tensor(1.5), paddle.full([1], 3), paddle.ones([1]),
                        paddle.arange(2.0),
                    paddle.to_tensor(1 + 2j), paddle.eye(1), paddle.full([1], True),
                )
            ])  # fmt: skip
        show.raises("int32", lambda: paddle.set_default_dtype("int32"))
        show.raises("foo", lambda: paddle.set_default_dtype("foo"))
    finally:
        paddle.set_default_dtype("float32")


@case(differs="a size is one number; Paddle takes the first of several")
def a_size_of_two_elements(paddle, show):
    size = paddle.to_tensor([2, 3])
    show.raises("zeros", lambda: paddle.zeros([size]))
    show.raises("full", lambda: paddle.full([size, 1], 1.0))
    show.raises("randn", lambda: paddle.randn([size]))
