"""Answers that stay in the process of a notebook, as the judge sees and drives them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from ... import Tensor, to_tensor, zeros_like
from ...autograd import PyLayer
from ...ops.arguments import as_list
from ..trials import Drive, Elsewhere


class Kernel(Protocol):
    """Process of a notebook, as the judge reaches it."""

    def drive(
        self, drive: Drive, number: int, arguments: tuple[Any, ...]
    ) -> tuple[dict[str, Any], BaseException | None]:
        """Call `drive` beside an object; return what it notes, and its exception."""


class Remote(Elsewhere):
    """Object in the process of a notebook.

    A check of the teacher's own may call it with tensors, arrays and plain data, and read its
    attributes. It gets copies, and gradients come back through a call.
    """

    def __init__(self, kernel: Kernel, number: int) -> None:
        self._kernel, self._number = kernel, number

    def run(
        self, drive: Drive, arguments: tuple[Any, ...]
    ) -> tuple[dict[str, Any], BaseException | None]:
        """Call `drive` beside the object."""
        return self._kernel.drive(drive, self._number, arguments)

    def _came(self, drive: Drive, *arguments: Any) -> dict[str, Any]:
        """Return what `drive` notes beside the object; raise its exception here."""
        came, error = self.run(drive, arguments)
        if error is not None:
            raise error
        return came

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self._came(read_attribute, name)["value"]

    def __getitem__(self, key: Any) -> Any:
        return self._came(read_item, key)["value"]

    def __len__(self) -> int:
        return int(self._came(count_items)["value"])

    def __iter__(self) -> Iterator[Any]:
        return iter([self[n] for n in range(len(self))])


class Callable(Remote):
    """Function, class or other object that can be called."""

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        came = self._came(call, arguments, named)
        inputs = [x for x in (*arguments, *named.values()) if wants_gradient(x)]
        links, value = came["links"], came["value"]
        if not links:
            return value
        made = iter([link_output(y, came["call"], n, inputs) for n, y in enumerate(links)])
        outputs = [next(made) if wants_gradient(y) else y for y in as_list(value)]
        return type(value)(outputs) if isinstance(value, list | tuple) else outputs[0]


def remote(kernel: Kernel, number: int, name: str, called: bool) -> Remote:
    """Return a stand-in whose type has this name."""
    kind: Any = type(name, (Callable if called else Remote,), {})
    return kind(kernel, number)


def wants_gradient(value: Any) -> bool:
    """Return whether a value is a Tensor that takes part in backward passes."""
    return isinstance(value, Tensor) and not value.stop_gradient


# ----- beside the answer --------------------------------------------------------------------------


def read_attribute(answer: Any, came: dict[str, Any], name: str) -> None:
    """Note the value of an attribute."""
    came["value"] = getattr(answer, name)


def read_item(answer: Any, came: dict[str, Any], key: Any) -> None:
    """Note the value of an item."""
    came["value"] = answer[key]


def count_items(answer: Any, came: dict[str, Any]) -> None:
    """Note the number of items."""
    came["value"] = len(answer)


class AnswerCall:
    """A call of an answer, with what its backward needs."""

    def __init__(self, inputs: list[Tensor], outputs: list[Tensor]) -> None:
        self.inputs, self.outputs = inputs, outputs


def call(
    answer: Any, came: dict[str, Any], arguments: tuple[Any, ...], named: dict[str, Any]
) -> None:
    """Call an answer; note its value, and of Tensors with gradients the call that made them."""
    inputs = [x for x in (*arguments, *named.values()) if wants_gradient(x)]
    value = came["value"] = answer(*arguments, **named)
    came["links"] = [y for y in as_list(value) if wants_gradient(y)]
    came["call"] = AnswerCall(inputs, came["links"])


def pull(made: AnswerCall, came: dict[str, Any], number: int, dy: Any) -> None:
    """Run backward of one output; note the gradients of the inputs."""
    for x in made.inputs:
        x.clear_grad()
    made.outputs[number].backward(to_tensor(dy), retain_graph=True)
    came["gradients"] = [None if x.grad is None else x.grad.numpy() for x in made.inputs]


# ----- in the judge -------------------------------------------------------------------------------


class Link(PyLayer):
    """Call of an answer in another process, as one step of a backward pass."""

    @staticmethod
    def forward(ctx: Any, y: Any, made: Remote, number: int, *inputs: Tensor) -> Tensor:
        """Return the value that came."""
        ctx.made, ctx.number = made, number
        ctx.save_for_backward(*inputs)
        return to_tensor(y)

    @staticmethod
    def backward(ctx: Any, dy: Tensor) -> Any:
        """Let the other process run its backward."""
        came = ctx.made._came(pull, ctx.number, dy.numpy())
        pairs = zip(ctx.saved_tensor(), came["gradients"], strict=True)
        return tuple(zeros_like(x) if dx is None else to_tensor(dx) for x, dx in pairs)


def link_output(y: Tensor, made: Remote, number: int, inputs: list[Tensor]) -> Tensor:
    """Return an output whose backward reaches the inputs through the other process."""
    return Link.apply(y.numpy(), made, number, *inputs) if inputs else y
