"""CompiledProgram and BuildStrategy: names of old programs; an Executor compiles by itself."""

from __future__ import annotations

from typing import Any

from .checks import require_type
from .program import Program


class BuildStrategy:
    """Hints for a compiler, which change nothing here: see `Executor.plan`.

    Errors: none.
    Source: Paddle's `paddle.static.BuildStrategy`.

    >>> strategy = BuildStrategy()
    >>> strategy.fuse_elewise_add_act_ops = True
    """

    def __setattr__(self, name: str, value: Any) -> None:
        self.__dict__[name] = value


class CompiledProgram:
    """Program with a build strategy, which `exe.run` runs like the Program itself.

    TypeError for anything but a Program. Source: Paddle's `paddle.static.CompiledProgram`.

    >>> import minipaddle as paddle
    >>> paddle.enable_static()
    >>> main = paddle.static.Program()
    >>> with paddle.static.program_guard(main):
    ...     y = paddle.static.data("x", [1]) * 2.0
    >>> compiled = paddle.static.CompiledProgram(main)
    >>> paddle.static.Executor().run(compiled, {"x": np.ones(1, "float32")}, [y])
    [array([2.], dtype=float32)]
    >>> paddle.disable_static()
    """

    def __init__(
        self, program_or_graph: Program, build_strategy: BuildStrategy | None = None
    ) -> None:
        require_type(program_or_graph, (Program,), "program_to_graph", "CompiledProgram")
        self.program = program_or_graph
        self.build_strategy = build_strategy
