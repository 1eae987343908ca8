"""Control flow of Programs: cond, while_loop, case, switch_case, static_pylayer.

The functions of a branch or a loop build Programs of their own (`Part`). One operator of the outer
Program runs them: its kernel chooses a part, or repeats it. Its gradient operator runs the gradient
Programs of the parts, which compute the results once more. In dynamic mode they are Python's own
`if` and `while`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from typing import Any

import numpy as np

from .. import events
from ..device import to_numpy
from ..engine import modes, naming, source_line
from ..engine.guard import combine_guards
from ..engine.structures import items_in, map_structure
from ..engine.tensor import Tensor, run_in_frame
from ..ops import REGISTRY
from ..ops.arguments import as_list
from ..ops.bound import Forward
from . import errors
from .block import Block
from .errors import require_type
from .interpreter import Steps, run, start
from .mode import Builder, add_gradients
from .observed_run import run_part
from .operator import At, Composite, Operator, attrs_for_gradient
from .program import Program, default_main_program, default_startup_program, program_guard
from .scope import Scope
from .variable import Variable

Function = Callable[..., Any]

# ----- parts -------------------------------------------------------------------------------------


class PartBuilder(Builder):
    """Builder of a part, in which Variables and Tensors from outside become inputs."""

    def __init__(self, program: Program) -> None:
        self.outer = modes.here().builder
        self.traces = self.outer.traces
        self.outside = default_main_program(), default_startup_program()
        self.block = program.global_block()
        self.captured: dict[str, tuple[Variable, Variable]] = {}  # outer name -> outer, inner

    def current_block(self) -> Block:
        return self.block

    def append(
        self, op: Any, inputs: tuple[Any, ...], attrs: dict[str, Any], **options: Any
    ) -> Any:
        if any(out.block is not self.block for out in options.get("outputs") or ()):
            raise errors.written_outside(op.name)
        return super().append(op, inputs, attrs, **options)

    def as_variable(self, value: Any) -> Any:
        """Return the Variable of the part that stands for a value from outside."""
        if isinstance(value, Variable) and value.block is self.block:
            return value
        value = self.outer.as_variable(value)
        if not isinstance(value, Variable):
            return value
        if value.name not in self.captured:
            inner = declare_like(self.block, value)
            self.captured[value.name] = value, inner
        return self.captured[value.name][1]

    def create_parameter(self, *given: Any) -> Any:
        with combine_guards(program_guard(*self.outside), modes.override(builder=self.outer)):
            return self.outer.create_parameter(*given)

    def enter_layer(self, layer: Any) -> None:
        self.outer.enter_layer(layer)

    def read_condition(self, variable: Variable) -> None:
        raise errors.condition_inside(variable)

    def change_in_place(self, name: str) -> None:
        self.outer.change_in_place(name)

    def read_size(self, variable: Variable) -> None:
        self.outer.read_size(variable)


class Part:
    """A function as a Program of its own: its arguments, what it captured, and its results.

    `named` has names for the arguments if those of the Variables outside would mislead.
    """

    def __init__(
        self,
        name: str,
        function: Function,
        arguments: Sequence[Variable] = (),
        named: Sequence[str] = (),
    ) -> None:
        self.name, self.program = name, Program()
        self.program.names = default_main_program().names  # so that names never clash
        self.program.random_seed = default_main_program().random_seed
        self.block = self.program.global_block()
        builder = PartBuilder(self.program)
        pairs = zip(arguments, named or [""] * len(arguments), strict=True)
        self.arguments = [declare_like(self.block, variable, own) for variable, own in pairs]
        for argument in self.arguments:  # a later turn may want the gradient of any
            argument.stop_gradient = argument.dtype.numpy.kind not in "fc"
        with combine_guards(
            program_guard(self.program), modes.override(builder=builder, listeners=())
        ):
            made = function(*self.arguments)
            self.structure = map_structure(lambda item: as_result(builder, item), made)
        self.captured = list(builder.captured.values())
        self.results = [item for item in items_in(self.structure) if item is not None]

    def in_test_mode(self) -> Part:
        """Return this part with its layers in test mode."""
        twin = copy(self)
        twin.program = self.program.clone(for_test=True)
        twin.block = twin.program.global_block()
        return twin

    @property
    def outer(self) -> list[Variable]:
        """Captured Variables of the Program outside."""
        return [outer for outer, _ in self.captured]

    def names(self, variables: Sequence[Variable]) -> list[str]:
        """Return the names of the arguments, then of these captured Variables here."""
        inner = {outer.name: inner.name for outer, inner in self.captured}
        return [v.name for v in self.arguments] + [inner.get(v.name, "") for v in variables]

    def runner(self, captured: Sequence[Variable], before: int = 0) -> Runner:
        """Return a runner for an operator.

        The operator reads `before` other Variables, the arguments of this part, and the captured.
        """
        takes = [""] * before + self.names(captured)
        return Runner(self.program, self.name, takes, [v.name for v in self.results])

    def gradient(self, captured: Sequence[Variable], before: int = 0) -> Runner:
        """Return the Program of the gradients by the arguments and these captured Variables.

        It computes the part's results once more, so a part with random numbers has no gradient.
        """
        for op in self.block.ops:
            if is_random(op):
                raise errors.random_in_part(op)
        program, names = self.program.clone(), self.names(captured)
        targets = {n: v.name for n, v in enumerate(self.results) if not v.stop_gradient}
        seeds, grads = add_gradients(program, [*targets.values()], [*filter(None, names)])
        seed_of, found = dict(zip(targets, seeds, strict=True)), iter(grads)
        takes = [""] * before + names + [seed_of.get(n, "") for n in range(len(self.results))]
        gives = [""] * before + [(next(found) or "") if name else "" for name in names]
        return Runner(program, self.name, takes, gives)


class Runner:
    """Program of an operator: it computes results from the operator's arguments.

    `takes` are the names of the arguments here, `gives` those of the results; "" stands for one
    that the Program does not have.
    """

    def __init__(self, program: Program, name: str, takes: list[str], gives: list[str]) -> None:
        self.name, self.takes, self.gives = name, takes, gives
        self.steps = Steps(program.global_block(), tuple(filter(None, gives)))
        self.known: At | None = None  # operator that was last reported as the owner

    def __call__(self, at: At | None, arrays: Sequence[Any], turn: int = -1) -> list[Any]:
        """Return the results, None for ""; report to listeners if the operator is `at` a place."""
        feed = {name: a for name, a in zip(self.takes, arrays, strict=True) if name}
        values = start(self.steps, feed, Scope())
        if at is None:
            run(self.steps, values)
        else:
            self.notify(at)
            run_part(self.steps, values, at, turn)
        slots = iter(self.steps.fetched)
        return [values[next(slots)] if name else None for name in self.gives]

    def notify(self, at: At) -> None:
        """Emit to the listeners that the operator `at` a place has this part."""
        if self.known != at:
            self.known = at
            number, op = self.steps.block.program.number, at.operator
            results = op.results if self.name != "cond" else ()  # a condition gives no result
            takes = zip([name or "" for name in op.argument_names], self.takes, strict=True)
            gives = zip([name or "" for name in results], self.gives, strict=bool(results))
            row = self.name, tuple(takes), tuple(gives)
            events.emit(events.PartAppended(at.program, at.number, number, *row))
        self.steps.block.notify()


def is_random(op: Operator) -> bool:
    """Return whether an operator draws random numbers, as dropout in training does."""
    kernel = op.kernel
    if not isinstance(kernel, Forward):
        return False
    return kernel.op.random or (kernel.op.name == "dropout" and not kernel.values.get("is_test"))


def declare_like(block: Any, variable: Variable, name: str = "") -> Variable:
    """Declare an input of a part like a Variable, under the Variable's name or another one."""
    name = name or variable.name
    name = block.program.names(name) if block.has_var(name) else name
    stop = variable.stop_gradient
    return block.create_var(name, variable.shape, variable.dtype, stop_gradient=stop, is_data=True)


def as_result(builder: PartBuilder, value: Any) -> Any:
    """Return the Variable of a result; a number becomes one, an input that comes back is copied."""
    if value is None:
        return None
    if isinstance(value, (bool, int, float)):
        kind = {bool: "bool", int: "int64", float: "float32"}[type(value)]
        full = REGISTRY["full"]
        values = full.complete({"shape": (), "fill_value": value, "dtype": kind})
        return builder.append(full, (), values)
    variable = builder.as_variable(value)
    require_type(variable, (Variable,), "a result", "static.nn")
    if any(variable.name in op.writes for op in builder.block.ops):
        return variable
    return builder.append(REGISTRY["assign"], (variable,), {})


# ----- operators ---------------------------------------------------------------------------------


class Control(Composite):
    """Kernel of an operator that runs parts; `captured` are the Variables that they use.

    The operator reads `before` other Variables, the arguments of its parts, and the captured ones.
    """

    has_parts = True
    before = 0

    def __init__(self, parts: Sequence[Part], captured: list[Variable]) -> None:
        self.captured = captured
        self.use_parts(parts)

    def use_parts(self, parts: Sequence[Part]) -> None:
        """Set the parts, and the runners that compute their results."""
        self.parts = parts
        self.runners = [part.runner(self.captured, self.before) for part in parts]
        self.backward: dict[Part, Runner] = {}  # part -> runner of its gradients

    def in_test_mode(self) -> Control:
        twin = copy(self)
        twin.use_parts([part.in_test_mode() for part in self.parts])
        return twin

    def compute(self, at: At | None, arrays: Sequence[Any]) -> list[Any]:
        """Return the results for the operator's arguments."""
        raise NotImplementedError

    def gradient(self, at: At | None, arrays: Sequence[Any]) -> list[Any]:
        """Return a gradient for each argument; `arrays` are these, then those of the results."""
        raise NotImplementedError

    def gradient_runner(self, part: Part) -> Runner:
        """Return the runner of the gradients of a part, made when it is first needed."""
        if part not in self.backward:
            self.backward[part] = part.gradient(self.captured, self.before)
        return self.backward[part]

    def __call__(self, *arrays: Any, at: At | None = None) -> tuple[Any, ...]:
        # The results get memory of their own: they may be views of parameters.
        return tuple(array.copy() for array in self.compute(at, arrays))

    def gradient_operator(
        self, op: Operator, douts: list[str | None], grads: list[str | None]
    ) -> Operator:
        arrived = iter(douts)  # those of floating results
        given = [
            next(arrived) if op.block.vars[name].dtype.numpy.kind in "fc" else None
            for name in op.writes
        ]
        return Operator(
            op.block,
            f"{op.type}_grad",
            {"Input": [*op.reads], "Out@GRAD": [dout for dout in douts if dout]},
            {"Input@GRAD": [grad for grad in grads if grad]},
            attrs_for_gradient(op),
            kernel=ControlGradient(self, [grad is not None for grad in grads]),
            arguments=(*op.arguments, *given),
            results=tuple(grads),
            place=op.place,
            forward=op,
        )


class ControlGradient(Composite):
    """Kernel of the gradient operator: it returns a gradient for each wanted input."""

    differentiable, has_parts = False, True

    def __init__(self, forward: Control, wanted: list[bool]) -> None:
        self.forward, self.wanted = forward, wanted

    def __call__(self, *arrays: Any, at: At | None = None) -> tuple[Any, ...]:
        inputs = arrays[: len(self.wanted)]
        found = self.forward.gradient(at, arrays)
        return tuple(
            (np.zeros_like(array) if grad is None else grad) if wanted else None
            for grad, array, wanted in zip(found, inputs, self.wanted, strict=True)
        )


def append_control(
    kind: str, inputs: list[Variable], results: list[Variable], kernel: Control
) -> list[Variable]:
    """Append an operator of control flow; return new Variables like the results of its parts."""
    builder = modes.here().builder
    block = builder.current_block()
    inputs = [builder.as_variable(variable) for variable in inputs]
    stopped = all(variable.stop_gradient for variable in inputs)
    outputs = [
        block.create_var(
            block.program.names(f"{kind}.tmp"), r.shape, r.dtype,
            stop_gradient=stopped or r.stop_gradient,
        )
        for r in results
    ]  # fmt: skip
    names = [variable.name for variable in inputs]
    operator = Operator(
        block,
        kind,
        {"Input": names},
        {"Out": [out.name for out in outputs]},
        {},
        kernel=kernel,
        arguments=tuple(names),
        results=tuple(out.name for out in outputs),
        place=source_line.here(),
    )
    block.append(operator, kind)
    return outputs


def read_bool(function: str, pred: Any) -> bool:
    """Return the value of a condition in dynamic mode."""
    if not isinstance(pred, Tensor) or pred._data.size != 1:
        raise errors.no_condition(function, pred)
    return bool(pred._data.reshape(()))


def check_condition(function: str, pred: Any) -> None:
    is_bool = isinstance(pred, Variable) and pred.dtype.name == "bool"
    if not is_bool or any(size > 1 for size in pred.shape):
        raise errors.no_condition(function, pred)


def captured_by(parts: Sequence[Part]) -> list[Variable]:
    """Return the Variables that any of the parts captured, each once."""
    return list({outer.name: outer for part in parts for outer in part.outer}.values())


# ----- cond --------------------------------------------------------------------------------------

BRANCHES = ("true_fn", "false_fn")


def cond(
    pred: Any,
    true_fn: Any = None,
    false_fn: Any = None,
    name: str | None = None,  # noqa: ARG001
    return_names: Any = None,  # noqa: ARG001
) -> Any:
    """Return true_fn() if pred is true, else false_fn(); in a Program the run decides.

    `pred` is a bool of one element. Both functions take nothing and return the same structure of
    Variables, with the same dtypes.
    Source: Paddle's `paddle.static.nn.cond`.

    Errors: TypeError for another pred; ValueError for results that differ.

    >>> paddle.enable_static()
    >>> with paddle.static.program_guard(paddle.static.Program()):
    ...     x = paddle.static.data("x", [2])
    ...     y = paddle.static.nn.cond(x.max() > 2, lambda: x * 2, lambda: x - 1)
    ...     exe = paddle.static.Executor()
    ...     exe.run(feed={"x": np.float32([2, 3])}, fetch_list=[y])[0].tolist()
    [4.0, 6.0]
    >>> paddle.disable_static()
    """
    functions = [function or (lambda: None) for function in (true_fn, false_fn)]
    if not all(map(callable, functions)):
        raise errors.no_function("cond", true_fn, false_fn)
    if not modes.is_static():
        wrong = not read_bool("cond", pred)
        return run_in_frame("control", f"cond {BRANCHES[wrong]}", functions[wrong])
    check_condition("cond", pred)
    parts = [Part(*each) for each in zip(BRANCHES, functions, strict=True)]
    check_alike("cond", *parts)
    captured = captured_by(parts)
    kernel = Choice(parts, captured)
    likes = list(map(merge_sizes, *[part.results for part in parts]))
    outputs = iter(append_control("cond", [pred, *captured], likes, kernel))
    return map_structure(lambda v: None if v is None else next(outputs), parts[0].structure)


class Choice(Control):
    """Kernel of cond: the first argument chooses one of two parts."""

    before = 1

    def compute(self, at: At | None, arrays: Sequence[Any]) -> list[Any]:
        return self.runners[not is_true(arrays[0])](at, arrays)

    def gradient(self, at: At | None, arrays: Sequence[Any]) -> list[Any]:
        return self.gradient_runner(self.parts[not is_true(arrays[0])])(at, arrays)


def is_true(pred: Any) -> bool:
    """Return the value of the array of a condition."""
    return bool(to_numpy(pred).reshape(()))


def check_alike(function: str, first: Part, second: Part) -> None:
    """Raise an error for parts that return different structures or dtypes.

    Dicts may have their keys in another order, which the second part takes over.
    """
    kinds = [
        map_structure(lambda item: None if item is None else item.dtype.name, part.structure)
        for part in (first, second)
    ]
    if kinds[0] != kinds[1]:
        raise errors.results_differ(function, *kinds)
    second.structure = map_structure(lambda _, item: item, first.structure, second.structure)
    second.results = [item for item in items_in(second.structure) if item is not None]


def merge_sizes(first: Variable, second: Variable) -> Variable:
    """Return a Variable with the sizes that both have; a size that differs is unknown."""
    if len(first.shape) != len(second.shape):
        raise errors.ranks_differ(first, second)
    sizes = zip(first.shape, second.shape, strict=True)
    shape = tuple(m if m == n else -1 for m, n in sizes)
    stop = first.stop_gradient and second.stop_gradient
    return Variable(first.block, first.name, shape, first.dtype, stop_gradient=stop)


# ----- while -------------------------------------------------------------------------------------


def while_loop(
    cond: Any,
    body: Any,
    loop_vars: Any,
    is_test: bool = False,  # noqa: ARG001
    name: str | None = None,  # noqa: ARG001
) -> Any:
    """Repeat loop_vars = body(*loop_vars) while cond(*loop_vars) is true; return loop_vars.

    In a Program the run decides how often. `body` returns as many Variables, of the same dtypes.
    Source: Paddle's `paddle.static.nn.while_loop`.

    Errors: TypeError for a condition that is no bool of one element; ValueError for other results
    of body.

    >>> i, total = paddle.to_tensor(0), paddle.to_tensor(1.0)
    >>> _, total = paddle.static.nn.while_loop(
    ...     lambda i, total: i < 3, lambda i, total: [i + 1, total * 2], [i, total]
    ... )
    >>> total.item()
    8.0
    """
    if not callable(cond) or not callable(body):
        raise errors.no_function("while_loop", cond, body)
    if not isinstance(loop_vars, (list, tuple)) or not loop_vars:
        raise errors.no_loop_vars(loop_vars)
    if not modes.is_static():
        return run_in_frame("control", "while", lambda: loop_in_python(cond, body, list(loop_vars)))
    variables = list(loop_vars)
    for variable in variables:
        require_type(variable, (Variable, Tensor), "loop_vars", "while_loop")
    variables = [modes.here().builder.as_variable(variable) for variable in variables]
    # Variables of a loop change from turn to turn, so they have other names than those outside.
    test = Part("cond", cond, variables, parameter_names(cond, len(variables)))
    named = parameter_names(body, len(variables))
    turn = Part("body", lambda *now: as_list(body(*now)), variables, named)
    if len(test.results) != 1:
        raise errors.no_condition("while_loop", test.structure)
    check_condition("while_loop", test.results[0])
    check_turn(variables, turn)
    captured = captured_by([test, turn])
    kernel = Loop([test, turn], captured)
    likes = [
        merge_sizes(before, after) for before, after in zip(variables, turn.results, strict=True)
    ]
    return append_control("while", [*variables, *captured], likes, kernel)


def parameter_names(function: Any, count: int) -> list[str]:
    """Return the names of a function's parameters, [] unless there are `count`."""
    code = getattr(function, "__code__", None)
    names = code.co_varnames[: code.co_argcount] if code else ()
    return list(names) if len(names) == count else []


def loop_in_python(cond: Function, body: Function, values: list[Any]) -> list[Any]:
    loop, turn = -naming.next_id(), 0  # negative, unlike loops that a recorder finds
    while read_bool("while_loop", cond(*values)):
        if events.heard():
            events.emit(events.LoopTurn(loop, turn))
        after = as_list(body(*values))
        if len(after) != len(values):
            raise errors.other_count(len(values), len(after))
        values, turn = after, turn + 1
    if turn and events.heard():
        events.emit(events.LoopTurn(loop, events.LoopTurn.OVER))
    return values


def check_turn(variables: list[Variable], turn: Part) -> None:
    """Raise an error if a turn returns other Variables than it takes."""
    if len(turn.results) != len(variables):
        raise errors.other_count(len(variables), len(turn.results))
    kinds = [[v.dtype.name for v in row] for row in (variables, turn.results)]
    if kinds[0] != kinds[1]:
        raise errors.results_differ("while_loop", *kinds)


class Loop(Control):
    """Kernel of while_loop: as long as the first part gives true, the second makes a turn."""

    def values(self, at: At | None, arrays: Sequence[Any]) -> Iterator[list[Any]]:
        """Yield the loop's values before each turn, and after the last."""
        count, (test, turn) = len(self.parts[1].arguments), self.runners
        now, others = list(arrays[:count]), arrays[count:]
        yield now
        for number in itertools.count():
            if not is_true(test(at, [*now, *others], number)[0]):
                return
            now = turn(at, [*now, *others], number)
            yield now

    def compute(self, at: At | None, arrays: Sequence[Any]) -> list[Any]:
        *_, last = self.values(at, arrays)
        return last

    def gradient(self, at: At | None, arrays: Sequence[Any]) -> list[Any]:
        turn = self.parts[1]
        back, count = self.gradient_runner(turn), len(turn.arguments)
        end = count + len(self.captured)
        others, flowing, totals = arrays[count:end], [*arrays[end:]], [None] * len(self.captured)
        *before, _ = self.values(None, arrays[:end])
        for number, values in reversed([*enumerate(before)]):
            found = back(at, [*values, *others, *flowing], number)
            pairs = zip(found[:count], values, strict=True)
            flowing = [np.zeros_like(now) if grad is None else grad for grad, now in pairs]
            totals = [
                new if total is None else total if new is None else total + new
                for total, new in zip(totals, found[count:], strict=True)
            ]
        return [*flowing, *totals]


# ----- several conditions ------------------------------------------------------------------------


def case(
    pred_fn_pairs: Any,
    default: Any = None,
    name: str | None = None,  # noqa: ARG001
) -> Any:
    """Return the result of the first function whose condition is true, else default().

    Without a default the last function is the default.
    Source: Paddle's `paddle.static.nn.case`.

    Errors: TypeError for anything but a list of (condition, function).

    >>> x = paddle.to_tensor(3.0)
    >>> paddle.static.nn.case([(x < 1, lambda: x), (x < 5, lambda: x * 10)], lambda: x * 100).item()
    30.0
    """
    pairs = list(pred_fn_pairs) if isinstance(pred_fn_pairs, (list, tuple)) else []
    if not pairs or not all(isinstance(p, (list, tuple)) and len(p) == 2 for p in pairs):
        raise errors.no_pairs("case", pred_fn_pairs)
    if default is None:
        default = pairs.pop()[1]
    return nest_conditions(pairs, default)


def nest_conditions(pairs: list[Any], default: Function) -> Any:
    """Return the result of conds inside each other, one for each condition."""
    if not pairs:
        return default()
    (pred, function), *others = pairs
    return cond(pred, function, lambda: nest_conditions(others, default))


def switch_case(
    branch_index: Any,
    branch_fns: Any,
    default: Any = None,
    name: str | None = None,  # noqa: ARG001
) -> Any:
    """Return the result of the function of this index, else default().

    `branch_fns` is a dict, or a list of functions or of (index, function). Without a default the
    function of the largest index is the default.
    Source: Paddle's `paddle.static.nn.switch_case`.

    Errors: TypeError for anything else.

    >>> index, x = paddle.to_tensor(1), paddle.to_tensor(3.0)
    >>> paddle.static.nn.switch_case(index, [lambda: x, lambda: x * 10]).item()
    30.0
    """
    require_type(branch_index, (Variable, Tensor), "branch_index", "switch_case")
    rows = list(branch_fns.items()) if isinstance(branch_fns, dict) else branch_fns
    if not isinstance(rows, (list, tuple)) or not rows:
        raise errors.no_pairs("switch_case", branch_fns)
    rows = [row if isinstance(row, (list, tuple)) else (at, row) for at, row in enumerate(rows)]
    table = dict(rows)
    if default is None:
        default = table.pop(max(table))
    pairs = [(branch_index == index, function) for index, function in table.items()]
    return nest_conditions(pairs, default)


# ----- a gradient of one's own -------------------------------------------------------------------


class Custom(Control):
    """Kernel of static_pylayer, whose gradients the user's own function computes."""

    differentiable = False
    run_back: Runner

    def compute(self, at: At | None, arrays: Sequence[Any]) -> list[Any]:
        return self.runners[0](at, arrays)

    def gradient(self, at: At | None, arrays: Sequence[Any]) -> list[Any]:
        return self.run_back(at, arrays)


def static_pylayer(
    forward_fn: Any,
    inputs: Any,
    backward_fn: Any = None,
    name: str | None = None,  # noqa: ARG001
) -> Any:
    """Return forward_fn(*inputs) in a Program; backward_fn takes and returns gradients.

    `backward_fn` gets a gradient for each result of forward_fn, and returns one for each input.
    Source: Paddle's `paddle.static.nn.static_pylayer`.

    Errors: AssertionError in dynamic mode; ValueError for another number of gradients.

    >>> paddle.enable_static()
    >>> with paddle.static.program_guard(paddle.static.Program()):
    ...     x = paddle.static.data("x", [1])
    ...     x.stop_gradient = False
    ...     y = paddle.static.nn.static_pylayer(paddle.tanh, [x], lambda dy: dy * 5)
    ...     (dx,) = paddle.static.gradients(y, x)
    ...     paddle.static.Executor().run(feed={"x": np.float32([0])}, fetch_list=[dx])
    [array([5.], dtype=float32)]
    >>> paddle.disable_static()
    """
    if not modes.is_static():
        raise errors.pylayer_in_dynamic_mode()
    if not callable(forward_fn) or not (backward_fn is None or callable(backward_fn)):
        raise errors.no_function("static_pylayer", forward_fn, backward_fn)
    variables = as_list(inputs)
    for variable in variables:
        require_type(variable, (Variable, Tensor), "inputs", "static_pylayer")
    forward = Part("forward_fn", forward_fn, variables)
    captured = forward.outer

    kernel = Custom([forward], captured)
    if backward_fn is not None:
        back = Part("backward_fn", backward_fn, forward.results)
        if len(back.results) != len(variables):
            raise errors.gradients_expected(len(variables), len(back.results))
        if back.captured:
            raise errors.captured_in_backward(back.outer[0])
        takes = [""] * (len(variables) + len(captured)) + back.names([])
        gives = [v.name for v in back.results] + [""] * len(captured)
        kernel.run_back, kernel.differentiable = Runner(back.program, back.name, takes, gives), True
    outputs = iter(append_control("pylayer", [*variables, *captured], forward.results, kernel))
    return map_structure(lambda v: None if v is None else next(outputs), forward.structure)
