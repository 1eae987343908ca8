"""Programs, Blocks, Operators and Variables: attributes, lookups, texts and errors."""

from ..harness import case
from ._static_worlds import expressions, world

STATIC = True

TABLE = [
    *expressions("static_objects", "program"),
    *expressions("static_objects", "input"),
    *expressions("static_objects", "started program", run=True),
    *expressions("static_objects", "block"),
    *expressions("static_objects", "operator"),
    *expressions("static_objects", "variable"),
    *expressions("static_objects", "value", run=True),
    *expressions("static_objects", "call"),
]  # fmt: skip


@case
def guards_of_names_and_devices(paddle, show):
    names = world(paddle)
    x, block = names["x"], names["block"]

    def last():
        _ = x + x
        return [block.ops[-1].attr("op_namescope"), block.ops[-1].attr("op_device")]

    with paddle.static.name_scope("oracle_outer"):
        show("outer", last())
        with paddle.static.name_scope("b"):
            show("inner", last())
        with paddle.static.name_scope("b"):
            show("inner again", last())
    with paddle.static.name_scope("oracle_outer"):
        show("outer again", last())
    show("after", last())
    for device in ("cpu", "gpu", "gpu:0", None):
        with paddle.static.device_guard(device):
            show(f"device {device}", last())


@case
def seeds_of_programs(paddle, show):
    program = paddle.static.Program()
    program.global_seed(90)
    show("own", program.random_seed)
    show("next", paddle.static.Program().random_seed)
    program.global_seed()
    show("again", [program.random_seed, paddle.static.Program().random_seed])
