"""static.Print: an operator that prints a Variable while the Program runs."""

from __future__ import annotations

from typing import Any

from ..device import place_of, to_numpy
from ..engine import source_line
from ..engine.errors import NotFound
from ..ops.errors import choice
from .errors import require_static, require_type
from .operator import Operator, attrs_for_gradient
from .variable import Variable

PHASES = ("FORWARD", "BACKWARD", "BOTH")


def Print(
    input: Variable,
    first_n: int = -1,
    message: str | None = None,
    summarize: int = 20,
    print_tensor_name: bool = True,
    print_tensor_type: bool = True,
    print_tensor_shape: bool = True,
    print_tensor_layout: bool = True,
    print_tensor_lod: bool = True,
    print_phase: str = "both",
) -> Variable:
    """Print a Variable and its gradient in each run; later operators must read the result.

    `first_n` runs at most (-1: all), `summarize` elements at most (-1: all). `print_phase` is
    "forward", "backward" or "both". Source: Paddle's `paddle.static.Print`.

    Errors: AssertionError outside static mode.

    >>> import minipaddle as paddle
    >>> paddle.enable_static()
    >>> with paddle.static.program_guard(paddle.static.Program()):
    ...     x = paddle.static.Print(paddle.static.data("x", [2]), message="now")
    ...     _ = paddle.static.Executor().run(feed={"x": np.float32([1, 2])})
    Variable: x
      - message: now
      - lod: {}
      - place: Place(cpu)
      - shape: [2]
      - layout: NCHW
      - dtype: float32
      - data: [1.000000 2.000000]
    >>> paddle.disable_static()
    """
    require_static("Print")
    require_type(input, (Variable,), "input", "Print")
    for name, number in (("first_n", first_n), ("summarize", summarize)):
        require_type(number, (int,), name, "Print")
    require_type(message, (str, type(None)), "message", "Print")
    if str(print_phase).upper() not in PHASES:
        raise choice("Print", "print_phase", print_phase, ("forward", "backward", "both"), NotFound)
    attrs = {
        "first_n": first_n, "message": message or "", "summarize": summarize,
        "print_tensor_name": print_tensor_name, "print_tensor_type": print_tensor_type,
        "print_tensor_shape": print_tensor_shape, "print_tensor_layout": print_tensor_layout,
        "print_tensor_lod": print_tensor_lod, "print_phase": str(print_phase).upper(),
    }  # fmt: skip
    names = input.block.program.names
    out: Variable = input.block.add(
        Variable(
            input.block,
            names(names("print") + ".tmp"),
            input.shape,
            input.dtype,
            stop_gradient=input.stop_gradient,
        )
    )
    input.block.append(_print_operator(input.block, input.name, out.name, attrs, True), "print")
    return out


class PrintCall:
    """Kernel of a print operator: prints its input and returns it."""

    differentiable = True

    def __init__(self, name: str, attrs: dict[str, Any]) -> None:
        self.name = name
        self.attrs = attrs
        self.shown = 0

    def __call__(self, array: Any) -> tuple[Any, ...]:
        attrs = self.attrs
        values = to_numpy(array)
        phase = "FORWARD" if attrs["is_forward"] else "BACKWARD"
        if attrs["print_phase"] in (phase, "BOTH") and not 0 <= attrs["first_n"] <= self.shown:
            self.shown += 1
            print("\n".join(self._output_lines(array, values)))
        return (array,)

    def _output_lines(self, array: Any, values: Any) -> list[str]:
        attrs = self.attrs
        number = attrs["summarize"]
        shown = values.ravel()[: None if number < 0 else number].astype("float64").tolist()
        fields = (
            ("message", attrs["message"], attrs["message"]),
            ("lod", attrs["print_tensor_lod"], "{}"),
            ("place", True, place_of(array)),
            ("shape", attrs["print_tensor_shape"], list(values.shape)),
            ("layout", attrs["print_tensor_layout"], "NCHW"),
            ("dtype", attrs["print_tensor_type"], values.dtype.name),
            ("data", True, f"[{' '.join(f'{value:f}' for value in shown)}]"),
        )
        head = [f"Variable: {self.name}"] if attrs["print_tensor_name"] else []
        return head + [f"  - {label}: {text}" for label, wanted, text in fields if wanted]

    def gradient_operator(self, forward: Operator, douts: Any, grads: Any) -> Operator:
        """Make the print operator that prints the gradient and returns it."""
        attrs = attrs_for_gradient(forward)
        operator = _print_operator(forward.block, douts[0], grads[0], attrs, False)
        operator.forward, operator.place = forward, forward.place
        return operator


def _print_operator(
    block: Any, source: str, target: str, attrs: dict[str, Any], forward: bool
) -> Operator:
    own = {**attrs, "is_forward": forward}
    return Operator(
        block,
        "print",
        {"In": [source]},
        {"Out": [target]},
        own,
        kernel=PrintCall(source, own),
        arguments=(source,),
        results=(target,),
        place=source_line.here(),
    )
