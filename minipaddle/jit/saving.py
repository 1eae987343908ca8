"""jit.save and jit.load: a function or Layer as files, and back as a Layer."""

from __future__ import annotations

import os
from typing import Any

from ..device import to_numpy
from ..engine import modes
from ..engine.errors import InvalidArgument
from ..engine.structures import items_in
from ..engine.tensor import Parameter, Tensor
from ..nn.layer import Layer
from ..ops.errors import require_choice
from ..static.inference_model import Model, prune, read, write
from ..static.program import Program
from ..static.variable import Variable
from . import errors
from .running import Runner
from .static_function import StaticFunction, from_numpy
from .tracing import Traced


def save(layer: Any, path: str | os.PathLike[str], input_spec: Any = None, **configs: Any) -> None:  # noqa: ARG001
    """Write a Layer or a function as a Program with its values: path.json and path.pdiparams.

    The Program is that of input_spec (here, or of `to_static`), or that of its only call so far. It
    is saved in test mode.
    Source: Paddle's `paddle.jit.save`.

    Errors: ValueError if no input_spec says which Program, and for code that cannot become one.

    >>> import tempfile
    >>> net = paddle.nn.Linear(2, 1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     spec = paddle.static.InputSpec([None, 2], "float32", "x")
    ...     paddle.jit.save(net, f"{folder}/net", [spec])
    ...     loaded = paddle.jit.load(f"{folder}/net")
    >>> bool((loaded(paddle.ones([3, 2])) == net(paddle.ones([3, 2]))).all())
    True
    """
    function = layer.forward if isinstance(layer, Layer) else layer
    if not callable(function):
        raise errors.no_function(layer)
    if not isinstance(function, StaticFunction):
        owner = layer if isinstance(layer, Layer) else getattr(layer, "__self__", None)
        function = StaticFunction(function, owner=owner)
    traced = function.traced_for(input_spec)
    fetches = [item.name for item in items_in(traced.outputs) if isinstance(item, Variable)]
    feeds = [variable.name for variable in traced.inputs]
    program = prune(traced.program, feeds, fetches)
    known = program.global_block().vars
    values = {v.name: to_numpy(t._data) for v, t in traced.captured if v.name in known}
    write(path, Model(program, feeds, fetches, values))


def load(path: str | os.PathLike[str], **configs: Any) -> TranslatedLayer:  # noqa: ARG001
    """Read what `save` wrote as a Layer, whose parameters can be trained further.

    Source: Paddle's `paddle.jit.load`.

    Errors: ValueError for a missing or damaged file.

    >>> try:
    ...     paddle.jit.load("nowhere")
    ... except ValueError:
    ...     print("there is no such file")
    there is no such file
    """
    return TranslatedLayer(read(path, InvalidArgument))


class TranslatedLayer(Layer):
    """Layer that runs a Program from a file; `load` makes it.

    Errors: those of the Program's operators.
    Source: Paddle's `paddle.jit.TranslatedLayer`.

    >>> isinstance(paddle.jit.TranslatedLayer, type)
    True
    """

    def __init__(self, model: Model) -> None:
        super().__init__()
        block = model.program.global_block()
        captured: list[tuple[Variable, Tensor]] = []
        for number, name in enumerate(sorted(model.values)):
            variable = block.var(name)
            if variable.stop_gradient:
                tensor = Tensor(model.values[name])
                self.register_buffer(f"param_{number}", tensor)
            else:
                tensor = Parameter(model.values[name], name)
                self.add_parameter(f"param_{number}", tensor)
            captured.append((variable, tensor))
        outputs = [block.var(name) for name in model.fetches]
        inputs = [block.var(name) for name in model.feeds]
        result = outputs[0] if len(outputs) == 1 else outputs
        self._model = model
        self._runner = Runner(Traced(model.program, inputs, captured, result, []), "forward")
        self.training = False

    def forward(self, *inputs: Any) -> Any:
        """Run the Program on its inputs, in the order in which they were saved."""
        if modes.is_static():
            raise errors.loaded_inside()
        if len(inputs) != len(self._model.feeds):
            raise errors.inputs_expected(self._model.feeds, len(inputs))
        return self._runner([from_numpy(item) for item in inputs])

    def program(self, method_name: str = "forward") -> Program:
        """Return the Program of forward, the only method that is saved."""
        require_choice("TranslatedLayer.program", "method_name", method_name, ("forward",))
        return self._model.program
