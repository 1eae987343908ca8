"""Tensors and modules of PyTorch, as events show them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache, partial, wraps
from typing import Any, ParamSpec, TypeVar
from weakref import ref

import torch

from minipaddle import events
from minipaddle.engine.errors import Unimplemented
from minipaddle.events import Seen, Value

from ..document.values import SMALL, brief, summary
from .things import ForeignThings, among

P = ParamSpec("P")
T = TypeVar("T")
tensors_in = partial(among, tensor=torch.Tensor)
USUAL = (torch.Tensor, torch.nn.Parameter)
UNREADABLE = ("torch.distributed.", "torch._subclasses.")  # modules of tensors without own values


def unseen(function: Callable[P, T]) -> Callable[P, T]:
    """Return a function whose use of tensors no TorchFunctionMode sees."""

    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        with torch._C.DisableTorchFunction():
            return function(*args, **kwargs)

    return run


class Weak:
    """Dictionary whose keys are tensors or modules, which live no longer because of it.

    Keys are compared by identity. PyTorch's own one does this in Python, ten times as slowly.
    """

    def __init__(self) -> None:
        self.rows: dict[int, tuple[Any, Any]] = {}  # id of a key -> reference, value

    def get(self, key: Any) -> Any:
        row = self.rows.get(id(key))
        return None if row is None else row[1]

    def __setitem__(self, key: Any, value: Any) -> None:
        at = id(key)
        known = self.rows.get(at)
        held = known[0] if known else ref(key, lambda _: self.rows.pop(at, None))
        self.rows[at] = held, value


class TorchThings(ForeignThings):
    """Numbers of tensors and names of modules in one recording."""

    called = "torch"
    tensor = torch.Tensor
    layer = torch.nn.Module

    def __init__(self) -> None:
        self.numbers, self.buffers = Weak(), Weak()
        self.coming: list[
            tuple[Any, int]
        ] = []  # memory of saved tensors, which come back as new objects
        self.roles = Weak()  # module -> name in events
        self.counts: Counter[str] = Counter()

    # ----- tensors -------------------------------------------------------------------------------

    def number_of(self, tensor: Any) -> int:
        return int(self.numbers.get(tensor) or 0) if isinstance(tensor, torch.Tensor) else 0

    def give_number(self, tensor: Any) -> int:
        number: int | None = self.numbers.get(tensor)
        if number is None and self.coming:
            where = memory_of(tensor)
            number = next((known for memory, known in self.coming if memory == where), None)
            if number is not None:
                self.numbers[tensor] = number
        return self.renumber(tensor) if number is None else number

    def renumber(self, tensor: Any) -> int:
        """Give a tensor a new number: an in-place op has made it another result."""
        number = self.numbers[tensor] = events.new_number()
        return number

    @unseen
    def seen(self, tensor: Any, copy: bool = False) -> Seen:
        """Return a tensor as an event shows it; `copy`: its memory may change before that."""
        row: list[Any]
        row = known_of(tensor) if brief.get() else [None, _value_of(tensor, copy), None]
        if row[2] is None:
            number, is_parameter = self.give_number(tensor), isinstance(tensor, torch.nn.Parameter)
            named = is_parameter or self.buffers.get(tensor)
            row[2] = Seen(
                number,
                self.key_of(tensor) if named else "",
                row[1],
                not tensor.requires_grad,
                tensor.is_leaf,
                "parameter" if is_parameter else "tensor",
                version_of(tensor),
            )
        seen: Seen = row[2]
        return seen

    def key_of(self, parameter: Any) -> str:
        """Return the name that identifies a parameter or buffer in events, of Paddle's form."""
        return f"parameter_{self.give_number(parameter)}.w_0"

    # ----- modules -------------------------------------------------------------------------------

    def is_complete(self, layer: Any) -> bool:
        return "_modules" in vars(layer)

    def name_of(self, layer: Any) -> str:
        """Return `Linear 0` for a submodule called 0, `LeNet_0` for one that is in no other."""
        name: str | None = self.roles.get(layer)
        if name is None:
            kind = type(layer).__name__
            name = self.roles[layer] = f"{kind}_{self.counts[kind]}"
            self.counts[kind] += 1
            for path, inner in layer.named_modules():
                role = path.rpartition(".")[2]
                if self.roles.get(inner) is None:
                    self.roles[inner] = f"{type(inner).__name__} {role}"
        return name

    def members(self, layer: Any) -> dict[str, str]:
        """Map the paths of a module's parameters and buffers to their names in events."""
        found: dict[str, str] = {}  # name in events -> first path
        for path, inner in layer.named_modules():
            prefix = path and f"{path}."
            for role, buffer in inner._buffers.items():
                if buffer is not None:
                    if not self.buffers.get(buffer):
                        self.buffers[buffer] = True
                        forget(buffer)
                    found.setdefault(self.key_of(buffer), prefix + role)
            for role, parameter in inner._parameters.items():
                if parameter is not None:
                    found.setdefault(self.key_of(parameter), prefix + role)
        return {path: name for name, path in found.items()}


@unseen
def memory_of(tensor: Any) -> Any:
    """Return what identifies the part of memory that a tensor shows."""
    strided = tensor.layout is torch.strided and tensor.numel()
    return (tensor.data_ptr(), tuple(tensor.shape), tensor.stride()) if strided else object()


@unseen
def is_same(one: Any, other: Any) -> bool:
    """Return whether two tensors show the same memory, in whatever shape."""
    return one is other or bool(
        one.layout is torch.strided is other.layout
        and one.numel() == other.numel() > 0
        and one.data_ptr() == other.data_ptr()
    )


def version_of(tensor: Any) -> int:
    """Return how often a tensor was changed in place; 0 for one that does not count it."""
    return 0 if tensor.is_inference() else int(tensor._version)


_known = Weak()  # tensor -> its state in a flight, or None if that is unsure; a Value, a Seen


def value_of(tensor: Any, copy: bool = False) -> Value:
    """Return the values of a tensor, in its own memory unless a copy is asked for.

    In a flight each state of a tensor is copied once, or measured if it is large.
    """
    with torch._C.DisableTorchFunction():
        return known_of(tensor)[1] if brief.get() else _value_of(tensor, copy)


def known_of(tensor: Any, value: Value | None = None) -> list[Any]:
    """Return what a flight knows of a tensor as it is now: its state, a Value, a Seen or None.

    `value`: the values of a tensor of which nothing is known.
    """
    row, state = _known.get(tensor), None
    if type(tensor) in USUAL and tensor.layout is torch.strided and not tensor.is_inference():
        memory = tensor._version, tensor.data_ptr()
        state = brief.get(), memory, tensor.requires_grad, tensor.is_leaf
    if row is None or row[0] is None or row[0] != state:
        is_small = tensor.numel() <= SMALL
        value = value or _value_of(tensor, copy=is_small)
        if value.data is not None and not value.kept:
            value.data, value.kept = value.data if is_small else summary(value.data, ends_of), True
        row = [None if row and row[0] is None else state, value, None]
        _known[tensor] = row
    return row


def ends_of(row: Any) -> tuple[Any, Any]:
    """Return the range of a row of numbers, found by PyTorch's threads."""
    low, high = torch.aminmax(torch.from_numpy(row))
    return low.numpy()[()], high.numpy()[()]


def forget(tensor: Any) -> None:
    """Note that a flight has to look at a tensor again, though its state is as before."""
    if row := _known.get(tensor):
        row[0] = row[0] and ()


def is_written_elsewhere(tensor: Any) -> None:
    """Note that writes through another object, such as `x.data`, do not change the version."""
    if brief.get():
        _known[tensor] = [None, None, None]


def same_values(tensor: Any, other: Any) -> None:
    """Note that a new tensor has the values of another one, so that they are measured once."""
    if brief.get() and _known.get(tensor) is None:
        known_of(tensor, value_of(other))


@cache
def name_of_dtype(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def _value_of(tensor: Any, copy: bool) -> Value:
    dtype = name_of_dtype(tensor.dtype)
    with torch._C._DisableTorchDispatch():
        if tensor.is_meta or torch._C._functorch.is_functorch_wrapped_tensor(tensor):
            return Value(tuple(tensor.shape), dtype)
        plain = tensor.detach()
        try:
            array = plain.numpy()
        except (RuntimeError, TypeError):  # its numbers are in a form that NumPy does not know
            if plain.layout is not torch.strided:
                plain = plain.to_dense()
            if plain.is_quantized:
                plain = plain.dequantize()
            plain = plain.resolve_conj().resolve_neg().cpu()
            if dtype == "bfloat16" or dtype.startswith("float8"):
                plain = plain.float()
            array = plain.numpy()
    return Value(array.shape, dtype, array.copy() if copy else array)


def refuse_unreadable(tensors: Iterable[Any]) -> None:
    """Raise Unimplemented for a tensor whose values lie elsewhere, such as a DTensor."""
    for each in tensors:
        if type(each).__module__.startswith(UNREADABLE):
            raise Unimplemented(
                f"viz.record() cannot read the values of a {type(each).__name__}.",
                expected="tensors whose values lie in this process",
                received=f"{type(each).__module__}.{type(each).__qualname__}",
                fix="record a run of the same model in one process",
            )
