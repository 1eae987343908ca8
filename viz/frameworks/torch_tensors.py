"""Tensors and modules of PyTorch, as events show them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial, wraps
from typing import Any, ParamSpec, TypeVar

import torch
from torch.utils.weak import WeakIdKeyDictionary, WeakTensorKeyDictionary

from minipaddle import events
from minipaddle.engine.errors import Unimplemented
from minipaddle.events import Seen, Value

from ..document.values import SMALL, brief, quick_statistics, summary
from .things import ForeignThings, among

P = ParamSpec("P")
T = TypeVar("T")
tensors_in = partial(among, tensor=torch.Tensor)
UNREADABLE = ("torch.distributed.", "torch._subclasses.")  # modules of tensors without own values


def unseen(function: Callable[P, T]) -> Callable[P, T]:
    """Return a function whose use of tensors no TorchFunctionMode sees."""

    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        with torch._C.DisableTorchFunction():
            return function(*args, **kwargs)

    return run


class TorchThings(ForeignThings):
    """Numbers of tensors and names of modules in one recording."""

    called = "torch"
    tensor = torch.Tensor
    layer = torch.nn.Module

    def __init__(self) -> None:
        self.numbers: Any = WeakTensorKeyDictionary()
        self.buffers: Any = WeakTensorKeyDictionary()
        self.coming: list[
            tuple[Any, int]
        ] = []  # memory of saved tensors, which come back as new objects
        self.roles: Any = WeakIdKeyDictionary()  # module -> name in events
        self.counts: Counter[str] = Counter()

    # ----- tensors -------------------------------------------------------------------------------

    def number_of(self, tensor: Any) -> int:
        return int(self.numbers.get(tensor, 0)) if isinstance(tensor, torch.Tensor) else 0

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
        number, is_parameter = self.give_number(tensor), isinstance(tensor, torch.nn.Parameter)
        return Seen(
            number,
            self.key_of(tensor) if is_parameter or tensor in self.buffers else "",
            value_of(tensor, copy),
            not tensor.requires_grad,
            tensor.is_leaf,
            "parameter" if is_parameter else "tensor",
            version_of(tensor),
        )

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
                self.roles.setdefault(inner, f"{type(inner).__name__} {role}")
        return name

    def members(self, layer: Any) -> dict[str, str]:
        """Map the paths of a module's parameters and buffers to their names in events."""
        for _, buffer in layer.named_buffers():
            self.buffers[buffer] = True
        named = (*layer.named_parameters(), *layer.named_buffers())
        return {path: self.key_of(each) for path, each in named}


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


UNSURE = -1  # the version of a tensor whose values may change without one
_statistics: Any = WeakTensorKeyDictionary()  # large tensor -> its version, a Value


def value_of(tensor: Any, copy: bool = False) -> Value:
    """Return the values of a tensor, in its own memory unless a copy is asked for.

    In a flight a large tensor has only statistics, computed once for each version.
    """
    with torch._C.DisableTorchFunction():
        if not brief.get() or tensor.numel() <= SMALL:
            return _value_of(tensor, copy)
        version, known = version_of(tensor), _statistics.get(tensor)
        if known is None or known[0] != version:
            value = _value_of(tensor, copy=False)
            if value.data is not None:
                value.data, value.kept = measure_quickly(value.data) or summary(value.data), True
            version = UNSURE if known and known[0] == UNSURE else version
            known = _statistics[tensor] = version, value
    return Value(known[1].shape, known[1].dtype, known[1].data, known[1].kept)


def measure_quickly(array: Any) -> dict[str, Any] | None:
    """Return the quick statistics of an array by PyTorch's threads, or None if NumPy is needed."""
    if array.dtype.kind != "f" or array.itemsize < 4 or not array.flags.c_contiguous:
        return None
    row = torch.from_numpy(array).view(-1)
    low, high = (end.numpy()[()] for end in torch.aminmax(row))
    return quick_statistics(low, high, float(row.dot(row)), float(row.sum()), row.numel())


def is_written_elsewhere(tensor: Any) -> None:
    """Note that writes through another tensor, `x.data`, do not change the version."""
    if brief.get():
        _statistics[tensor] = UNSURE, None


def same_values(tensor: Any, other: Any) -> None:
    """Note that a tensor has the values of another one, so that they are measured once."""
    if brief.get() and tensor.numel() > SMALL:
        _statistics[tensor] = version_of(tensor), value_of(other)


def _value_of(tensor: Any, copy: bool) -> Value:
    with torch._C.DisableTorchFunction(), torch._C._DisableTorchDispatch():
        dtype = str(tensor.dtype).removeprefix("torch.")
        if tensor.is_meta or torch._C._functorch.is_functorch_wrapped_tensor(tensor):
            return Value(tuple(tensor.shape), dtype)
        plain = tensor.detach()
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
