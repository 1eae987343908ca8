"""Programs, Blocks, Operators and Variables: attributes, lookups, texts and errors."""

import numpy as np

from ..harness import case
from ._static_worlds import expressions, started, world

STATIC = True

TABLE = [
    *expressions(
        "program ",
        """
        main
        startup
        main.num_blocks
        len(main.blocks)
        main.current_block_idx
        main.block(0) is block
        main.current_block() is main.global_block()
        main.block(1)
        main.block("a")
        [v.name for v in main.list_vars()]
        [p.name for p in main.all_parameters()]
        main.random_seed
        setattr(main, "random_seed", "a")
        setattr(main, "random_seed", 1.5)
        setattr(main, "random_seed", 7) or main.random_seed
        main == main
        main == main.clone()
        main != main.clone()
        str(main) == repr(main)
        main.to_string()
        main.to_string(1)
        main.to_string(True, 1)
        main.state_dict()
        main.state_dict("foo")
        main.set_state_dict(3)
        len(main.clone().global_block().ops)
        static.Program(3)
        static.program_guard(None).__enter__()
        static.program_guard(main, 3).__enter__()
        """,
    ),
    *expressions(
        "input ",
        """
        str(static.InputSpec([None, 4]))
        str(static.InputSpec([None, 4], "int64", "x", True))
        static.InputSpec((2, 3)).shape
        static.InputSpec([2]).name
        str(static.InputSpec([2]).batch(4))
        str(static.InputSpec([None]).batch([3]))
        static.InputSpec([2]).batch((4, 5))
        static.InputSpec([2]).batch("a")
        str(static.InputSpec([4, 2]).unbatch())
        static.InputSpec([]).unbatch()
        static.InputSpec([2]) == static.InputSpec([2])
        static.InputSpec([2]) != static.InputSpec([3])
        static.InputSpec([2], "int64") == static.InputSpec([2])
        static.InputSpec([2], name="a") == static.InputSpec([2])
        hash(static.InputSpec([2])) == hash(static.InputSpec([2]))
        str(static.InputSpec.from_numpy(np.ones((2, 3)), "n"))
        str(static.InputSpec.from_tensor(x))
        str(static.InputSpec.from_tensor(x, name="q"))
        static.InputSpec.from_tensor(3)
        static.InputSpec(3)
        static.InputSpec("a")
        static.InputSpec([2], "foo")
        static.InputSpec(None)
        """,
    ),
    *expressions(
        "started program ",
        """
        main.state_dict()
        main.state_dict("param")
        main.state_dict("opt")
        main.state_dict("all", 3)
        main.set_state_dict({"fc_0.b_0": np.ones(3, "float32")})
        main.set_state_dict([])
        """,
        run=True,
    ),
    *expressions(
        "block ",
        """
        block.idx
        block.parent_idx
        block.forward_block_idx
        block.program is main
        block
        block.has_var("x")
        block.has_var("nope")
        block.has_var(3)
        block.var("x")
        block.var("nope")
        block.var(3)
        list(block.vars)
        [p.name for p in block.iter_parameters()]
        block.create_var(name="o", shape=[2], dtype="int64")
        block.create_var(name="o", dtype="float32")
        block.create_var(shape=[-1, 2], dtype="float32")
        block.create_var(name="x", shape=[2], dtype="float32")
        block.create_var(name="x", shape=[-1, 4], dtype="int32")
        block.create_var(name="s", shape=[2], dtype="float32", stop_gradient=True)
        block.create_var(name="p", shape=[2], dtype="float32", persistable=True)
        block.create_parameter(name="v", shape=[2, 3], dtype="float32")
        block.create_parameter(shape=[2], dtype="float32")
        block.create_parameter(name="v", dtype="float32")
        block.create_parameter(name="v", shape=[2])
        block.create_parameter(name="v", shape=[-1, 2], dtype="float32")
        block.create_parameter(name="fc_0.w_0", shape=[4, 3], dtype="float32").name
        block.create_parameter(name="fc_0.w_0", shape=[4, 4], dtype="float32")
        """,
    ),
    *expressions(
        "operator ",
        """
        op
        op.type
        op.idx
        block.ops[-1].idx
        op.block is block
        op.input_names
        op.output_names
        op.input_arg_names
        op.output_arg_names
        op.input("X")
        op.output("Out")
        op.input("Z")
        op.output("Z")
        op.attr("x_num_col_dims")
        op.attr("nope")
        op.has_attr("op_role")
        op.has_attr("nope")
        sorted(set(op.attr_names) - {"op_callstack"})
        sorted(set(op.all_attrs()) - {"op_callstack"})
        str(op.attr_type("op_role"))
        str(op.attr_type("op_device"))
        str(op.attr_type("op_role_var"))
        str(op.attr_type("with_quant_attr"))
        op.attr_type("nope")
        op.to_string()
        str(op) == repr(op)
        """,
    ),
    *expressions(
        "variable ",
        """
        x.name
        x.shape
        str(x.dtype)
        x.ndim
        x.dim()
        x.ndimension()
        str(x.type)
        int(x.type)
        x.lod_level
        x.block is block
        x.grad_name
        x.element_size()
        x.persistable
        w.persistable
        x.is_data
        w.is_data
        w.trainable
        w.optimize_attr
        w.need_clip
        w.regularizer
        w.is_distributed
        setattr(w, "trainable", False) or w
        setattr(x, "stop_gradient", False) or x
        setattr(x, "persistable", True) or x
        x.requires_grad
        x.requires_grad_()
        x.requires_grad_(False)
        x.size()
        x.to_string(True)
        w.to_string(True)
        w.to_string(True, True)
        x.to_string(False, with_details=True)
        x.to_string()
        x.to_string(1)
        x.numpy()
        x.backward()
        x.gradient()
        x.clear_gradient()
        float(x)
        int(x)
        complex(x)
        len(x)
        bool(x)
        [1, 2][x]
        w.__setitem__(0, 1.0)
        x.get_value()
        w.get_value()
        x.astype("foo")
        f"{x}"
        """,
    ),
    *expressions(
        "value ",
        """
        w.get_value()
        w.get_value(3)
        w.get_value(static.Scope())
        x.get_value()
        w.set_value(np.ones([4, 3], "float32")) or w.get_value()
        w.set_value(w.get_value())
        w.set_value(np.ones([4, 2], "float32"))
        w.set_value([[1.0] * 3] * 4)
        w.set_value(3)
        w.set_value(np.ones([4, 3], "float32"), 3)
        w.set_value(np.ones([4, 3], "float32"), static.Scope())
        x.set_value(np.ones([2, 4], "float32"))
        """,
        run=True,
    ),
]


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
    show.raises("no name", lambda: paddle.static.name_scope().__enter__())
    show.raises("empty name", lambda: paddle.static.name_scope("").__enter__())
    for device in ("cpu", "gpu", "gpu:0", None):
        with paddle.static.device_guard(device):
            show(f"device {device}", last())
    show.raises("foo", lambda: paddle.static.device_guard("foo").__enter__())
    show.raises("cpu:1", lambda: paddle.static.device_guard("cpu:1").__enter__())
    show.raises("number", lambda: paddle.static.device_guard(3).__enter__())


@case
def seeds_of_programs(paddle, show):
    program = paddle.static.Program()
    program.global_seed(90)
    show("own", program.random_seed)
    show("next", paddle.static.Program().random_seed)
    program.global_seed()
    show("again", [program.random_seed, paddle.static.Program().random_seed])


@case
def state_is_put_into_the_scope(paddle, show):
    names = started(paddle, world(paddle))
    main = names["main"]
    main.set_state_dict({"fc_0.b_0": np.float32([1, 2, 3])})
    show("parameter", np.array(names["b"].get_value()))
    show("result", names["exe"].run(main, feed=names["FEED"], fetch_list=[names["y"]]))
    held = {name: np.array(value) for name, value in main.state_dict().items()}
    show("held", list(held))


@case
def created_variables_and_parameters(paddle, show):
    static = paddle.static
    show("global", str(static.create_global_var([2], 1.0, "float32")))
    show("kept", str(static.create_global_var([2], 3, "int64", persistable=True, name="g")))
    show("parameter", str(static.create_parameter([2, 3], "float32")))
    show("bias", str(static.create_parameter([3], "float32", is_bias=True)))
    show("named", str(static.create_parameter([3], "float32", name="pp")))
    attr = paddle.ParamAttr(name="n2")
    show("by attr", str(static.create_parameter([3], "float32", name="n1", attr=attr)))
    show("startup", [op.type for op in static.default_startup_program().global_block().ops])
    show.raises("shape", lambda: static.create_parameter(3, "float32"))
    show.raises("dtype", lambda: static.create_parameter([3], "foo"))
    show.raises("global shape", lambda: static.create_global_var(2, 1.0, "float32"))
    show.raises("global dtype", lambda: static.create_global_var([2], 1.0, "foo"))
    show.raises("value", lambda: static.create_global_var([2], "a", "float32"))
    show.raises("attr", lambda: static.create_parameter([3], "float32", attr="zz"))
    show.raises("integers", lambda: static.create_parameter([3], "int64"))
