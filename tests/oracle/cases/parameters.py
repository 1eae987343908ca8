"""Parameters in dynamic mode: flags, calls of clips, Assign, and the class Variable."""

import numpy as np

from ..harness import case
from ._texts import texts


def parameter(paddle, values, need_clip=True):
    assign = paddle.nn.initializer.Assign(np.float32(values))
    attr = paddle.ParamAttr(initializer=assign, need_clip=need_clip)
    return paddle.create_parameter([len(values)], "float32", attr=attr)


@case
def flags(paddle, show):
    for name, make in {
        "tensor": lambda: paddle.to_tensor([1.0]),
        "result": lambda: paddle.to_tensor([1.0]) * 2,
        "parameter": lambda: parameter(paddle, [1.0]),
    }.items():
        x = make()
        show(f"{name}: as made", [x.persistable, str(x.type), x.stop_gradient])
        for value in (True, False):
            x.persistable = value
            show(f"{name}: persistable {value}", x.persistable)
        for flag in ("persistable", "type"):
            for value in (1, "a", [True]):
                show.raises(
                    f"{name}: {flag} {value}", lambda x=x, f=flag, v=value: setattr(x, f, v)
                )


@case
def trainable(paddle, show):
    weight = parameter(paddle, [1.0])
    for value in (False, True):
        weight.trainable = value
        show(f"{value}", [weight.trainable, weight.stop_gradient])
    for value in (1, None, "a"):
        show.raises(f"{value}", lambda v=value: setattr(weight, "trainable", v))


CLIPS = {
    "value": lambda nn: nn.ClipGradByValue(1.0, -0.5),
    "norm": lambda nn: nn.ClipGradByNorm(1.0),
    "global norm": lambda nn: nn.ClipGradByGlobalNorm(1.0),
}


@case
def clips_are_called(paddle, show):
    for name, make in CLIPS.items():
        rows = [([1, 2], [3, -4], True), ([1], [2], False), ([5], [0.25], True)]
        pairs = [(parameter(paddle, v, n), paddle.to_tensor(np.float32(g))) for v, g, n in rows]
        pairs.insert(1, (parameter(paddle, [1.0]), None))
        clipped = make(paddle.nn)(pairs)
        places = [next(i for i, (q, _) in enumerate(pairs) if q is p) for p, _ in clipped]
        show(f"{name}: whose", places)
        show(f"{name}: gradients", [g for _, g in clipped])
        show(f"{name}: none", make(paddle.nn)([]))
        show.raises(f"{name}: no list", lambda make=make: make(paddle.nn)(3))
        bare = paddle.to_tensor([9.0])
        show(f"{name}: a tensor", make(paddle.nn)([(paddle.to_tensor([1.0]), bare)])[0][1])


@case(differs="the gradients that were given stay as they are")
def the_global_norm_changes_the_gradients_in_place(paddle, show):
    grad = paddle.to_tensor([3.0, 4.0])
    paddle.nn.ClipGradByGlobalNorm(1.0)([(parameter(paddle, [1.0, 2.0]), grad)])
    show("given", grad)


DIFFERS = {
    "assign of another shape":
        "the parameter keeps its shape: the values of one row fill it, others are refused",
}  # fmt: skip
TABLE = texts("parameters", globals(), DIFFERS)
