"""Block.append_op: operators by type, slots and attributes, their declarations and values."""

from ..harness import Case
from ._static_worlds import FEED, expressions, world
from ._tables import recorded_texts

STATIC = True


def appended(name, type, inputs, attrs=None, outputs=("o",)):
    """Return a case: the operator's type, attributes and outputs, and their values."""
    attrs = attrs or {}

    def play(paddle, show):
        names = world(paddle)
        block = names["block"]
        made = [block.create_var(name=name, dtype="float32") for name in outputs]
        op = block.append_op(
            type=type,
            inputs={slot: names[name] for slot, name in inputs.items()},
            outputs={"Out": made if len(made) > 1 else made[0]},
            attrs={**attrs},  # Paddle adds the call stack to it
        )
        show("type", op.type)
        if type != "slice":
            show("attributes", [(name, op.attr(name)) for name in sorted(attrs)])
        show("outputs", [str(block.var(name)) for name in outputs])
        executor = paddle.static.Executor(paddle.CPUPlace())
        with paddle.static.scope_guard(paddle.static.Scope()):
            paddle.seed(3)
            executor.run(names["startup"])
            show("values", executor.run(feed=FEED, fetch_list=made))

    return Case(name, play, None, 16)


TABLE = [
    appended(name, *eval(text)) for name, text in recorded_texts("static_append_op", "appended")
]
TABLE += expressions("static_append_op", "refused")
