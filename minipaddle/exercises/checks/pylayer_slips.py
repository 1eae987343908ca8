"""Mistakes that every PyLayer invites, whatever it computes."""

from __future__ import annotations

import dis
import re
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from ... import Tensor
from ...engine.bilingual import Text
from ...engine.errors import MinipaddleError, PreconditionNotMet
from ..slips import Slip
from ..trials import code_of, slopes

NEVER = object()  # what forward or backward gives that does not come to its end
Seen = Any  # a LayerTrial: pylayers.py makes them, and uses what stands here


def forward_none(trial: Seen) -> bool:
    """Forward ran to its end and gave nothing back."""
    return trial.made is None


def as_in_torch(trial: Seen) -> bool:
    """saved_tensor was taken for PyTorch's attribute: written with an s, or not called."""
    if isinstance(trial.error, AttributeError):
        return trial.error.name == "saved_tensors"
    code = code_of(trial.layer.backward)
    named = code is not None and "saved_tensor" in code.co_names
    return named and isinstance(trial.error, TypeError) and " method" in str(trial.error)


def saved_twice(trial: Seen) -> bool:
    """Forward called save_for_backward a second time."""
    in_forward = trial.y is None and isinstance(trial.error, PreconditionNotMet)
    return in_forward and "save_for_backward" in functions_in(trial.error)


def functions_in(error: Exception) -> set[str]:
    """The functions that an exception came through."""
    return {row.name for row in traceback.extract_tb(error.__traceback__)}


def saved_a_list(trial: Seen) -> bool:
    """Tensors were saved inside a list or tuple."""
    return any(isinstance(item, list | tuple) for item in trial.saved or ())


def no_return(trial: Seen) -> bool:
    """Backward ran to its end and gave nothing back."""
    return trial.returned is None


def numpy_array(trial: Seen) -> bool:
    """Backward gave back NumPy arrays."""
    values = trial.returned if isinstance(trial.returned, tuple | list) else (trial.returned,)
    return any(isinstance(value, np.ndarray | np.generic) for value in values)


def not_saved(trial: Seen) -> bool:
    """Backward wants something that forward did not keep."""
    if trial.saved or trial.y is None:
        return False
    nothing = "NoneType" if trial.saved is None else "got 0)"
    if trial.returned is not NEVER:
        return False
    return bool(not_in_sight(trial)) or nothing in str(trial.error)


def not_taken_back(trial: Seen) -> bool:
    """Something was saved, and backward reads a local name of forward all the same."""
    return bool(trial.saved) and bool(not_in_sight(trial))


def not_in_sight(trial: Seen) -> set[str]:
    """The names that backward reads from the notebook though they belong to forward."""
    code = code_of(trial.layer.backward)
    if code is None:
        return set()
    read = {i.argval for i in dis.get_instructions(code) if i.opname == "LOAD_GLOBAL"}
    return read & local_names(trial)


def outside(trial: Seen) -> bool:
    """Nothing was saved, and backward reads a variable of the notebook with a local name."""
    resolved = not isinstance(trial.error, NameError)
    return resolved and not trial.saved and trial.y is not None and bool(not_in_sight(trial))


def local_names(trial: Seen) -> set[str]:
    """The variables of forward, its inputs among them."""
    code = code_of(trial.layer.forward)
    return set(code.co_varnames) if code else set()


def how_many(trial: Seen) -> bool:
    """Backward takes back more tensors than were saved, or fewer."""
    return bool(trial.saved) and count_wanted(trial) not in (None, len(trial.saved))


def count_wanted(trial: Seen) -> int | None:
    """How many tensors backward wanted when unpacking what was saved failed."""
    counts = re.search(r"values to unpack \(expected (\d+)(?:, got (\d+))?", str(trial.error))
    if counts is None or int(counts[2] or len(trial.saved)) != len(trial.saved):
        return None
    return int(counts[1])


def not_unpacked(trial: Seen) -> bool:
    """A tuple was used in backward as if it were a tensor."""
    in_backward = trial.y is not None and trial.returned is NEVER
    return bool(trial.saved) and in_backward and "tuple" in str(trial.error)


def count(wanted: int) -> Slip:
    """As many gradients as inputs."""
    one = Text(
        "forward takes 1 Tensor, so backward gives back 1 gradient: return dx.",
        "forward 接收 1 个 Tensor，backward 就要返回 1 个梯度：return dx。",
    )
    several = Text(
        "forward takes {n} Tensors, so backward gives back {n} gradients, in the same order:"
        " return da, db.",
        "forward 接收 {n} 个 Tensor，backward 就要按同样的顺序返回 {n} 个梯度：return da, db。",
    )
    return Slip(
        "too_many" if wanted == 1 else "one_gradient",
        seen=lambda trial: trial.gradients is not None and len(trial.gradients) != wanted,
        hint=one if wanted == 1 else several.fill(n=str(wanted)),
    )


def saved_elsewhere(reference: Callable[..., Any]) -> Slip:
    """What was kept outlived its call: it came from the layer's last use."""
    return Slip(
        "saved_elsewhere",
        seen=lambda trial: trial.gives(tuple(slopes(reference, trial.others, (trial.dy,)))),
        hint=Text(
            "The layer was applied twice before backward, and backward saw the second call's"
            " tensor. What one call needs belongs to that call: ctx.save_for_backward(...),"
            " not the class or a global variable.",
            "在反向之前这个层被调用了两次，而 backward 拿到的是第二次的 Tensor。每次调用要用的东西"
            "应该存进这一次的 ctx：ctx.save_for_backward(...)，不要存在类属性或全局变量里。",
        ),
    )


FORWARD_NONE = Slip(
    "forward_none",
    seen=forward_none,
    hint=Text(
        "forward returned None. Its last line must return the result, and"
        " ctx.save_for_backward({save}) stands on a line of its own before it.",
        "forward 返回的是 None。最后一行要用 return 返回结果，ctx.save_for_backward({save}) 在"
        "它前面单独写一行。",
    ),
)
AS_IN_TORCH = Slip(
    "as_in_torch",
    seen=as_in_torch,
    hint=Text(
        "In Paddle this is a method, without s and with parentheses: {take} = ctx.saved_tensor().",
        "Paddle 里这是一个方法，没有 s，要加括号：{take} = ctx.saved_tensor()。",
    ),
)
CARET = Slip(
    "caret",
    raises="bitwise_xor()",  # ^ was written for a power
    hint=Text(
        "A power is written ** in Python: x ** 2. The sign ^ is the bitwise exclusive or.",
        "Python 的乘方是 **，例如 x ** 2；^ 是按位异或。",
    ),
)
SAVED_TWICE = Slip(
    "saved_twice",
    seen=saved_twice,
    hint=Text(
        "save_for_backward may be called only once, with everything:"
        " ctx.save_for_backward({save}).",
        "save_for_backward 只能调用一次，要存的一次写全：ctx.save_for_backward({save})。",
    ),
)
SAVED_A_LIST = Slip(
    "saved_a_list",
    seen=saved_a_list,
    hint=Text(
        "save_for_backward takes the tensors as they are, not in a list or tuple:"
        " ctx.save_for_backward({save}).",
        "Tensor 不要放进列表或元组，直接写：ctx.save_for_backward({save})。",
    ),
)
NOT_TAKEN_BACK = Slip(
    "not_taken_back",
    seen=not_taken_back,
    hint=Text(
        "backward cannot see the variables of forward, and it uses {names}. First take back what"
        " was saved: {take} = ctx.saved_tensor().",
        "backward 里用到了 {names}，但 backward 看不到 forward 里的变量。先取回保存的 Tensor："
        "{take} = ctx.saved_tensor()。",
    ),
    facts=lambda trial: {"names": ", ".join(sorted(not_in_sight(trial)))},
)
HOW_MANY = Slip(
    "how_many",
    seen=how_many,
    hint=Text(
        "Tensors saved in forward: {saved}; tensors taken back here: {taken}. Number and order"
        " must be the same on both sides.",
        "forward 存了 {saved} 个，这里却要取 {taken} 个：两边的个数和顺序要一致。",
    ),
    facts=lambda trial: {"saved": str(len(trial.saved)), "taken": str(count_wanted(trial))},
)
NO_RETURN = Slip(
    "no_return",
    seen=no_return,
    hint=Text(
        "backward gives nothing back. Its last line must return the gradient.",
        "backward 没有返回任何东西。最后一行要用 return 把梯度交回去。",
    ),
)
NUMPY_ARRAY = Slip(
    "numpy_array",
    seen=numpy_array,
    hint=Text(
        "backward gives back a NumPy array. Gradients must be Tensors: leave out .numpy() and use"
        " paddle's functions and operators.",
        "backward 返回的是 NumPy 数组，而梯度必须是 Tensor：去掉 .numpy()，用 paddle 的函数和"
        "运算符来算。",
    ),
)
NOT_SAVED = Slip(
    "not_saved",
    seen=not_saved,
    hint=Text(
        "backward needs a tensor that forward did not save. In forward, call"
        " ctx.save_for_backward(...) with it before the return.",
        "backward 要用的 Tensor，forward 没有保存。请在 forward 的 return 之前调用"
        " ctx.save_for_backward(...)。",
    ),
)
OUTSIDE = Slip(
    "outside",
    seen=outside,
    hint=Text(
        "backward uses a variable of the notebook, not the tensor that this call of forward got."
        " Save it in forward with ctx.save_for_backward(...) and take it back with"
        " ctx.saved_tensor().",
        "backward 用的是 Notebook 里的全局变量，而不是这一次 forward 收到的 Tensor。请在 forward 里"
        "用 ctx.save_for_backward(...) 保存，在 backward 里用 ctx.saved_tensor() 取回。",
    ),
)
NOT_UNPACKED = Slip(
    "not_unpacked",
    seen=not_unpacked,
    hint=Text(
        "ctx.saved_tensor() gives back a tuple, even for one tensor. Unpack it; mind the comma:"
        " {take} = ctx.saved_tensor().",
        "ctx.saved_tensor() 返回的是元组，只保存一个 Tensor 时也一样。要解包，注意逗号："
        "{take} = ctx.saved_tensor()。",
    ),
)

IN_PLACE = Text(
    "{changed} was changed in place: whoever else uses it gets other numbers. Compute a new Tensor,"
    " without the functions whose names end in _.",
    "{changed} 被原地（inplace）修改了：别处再用到它，数就不对了。请算出新的 Tensor，不要用名字以 _"
    " 结尾的函数。",
)
CHANGED_IN_PLACE = Slip(
    "in_place",
    seen=lambda trial: bool(trial.changed),
    hint=IN_PLACE,
    facts=lambda trial: {"changed": ", ".join(sorted(trial.changed))},
)


def watched_in_place(layer: type[Any], changed: set[str]) -> type[Any]:
    """The same layer, which also notes what its methods change in place, by parameter."""

    def watched(method: str) -> Any:
        function = getattr(layer, method)

        def call(ctx: Any, *given: Any) -> Any:
            code = code_of(function)
            names = code.co_varnames[1 : code.co_argcount] if code else ()
            seen = {names[n] if n < len(names) else str(n): x for n, x in enumerate(given)}
            with suppress(MinipaddleError):  # which its own call will raise, too
                saved = method == "backward" and ctx.saved_tensor()
                seen |= {f"saved_tensor()[{n}]": x for n, x in enumerate(saved or ())}
            seen = {name: x for name, x in seen.items() if isinstance(x, Tensor)}
            versions = {name: x.inplace_version for name, x in seen.items()}
            made = function(ctx, *given)
            changed.update(name for name, x in seen.items() if x.inplace_version > versions[name])
            return made

        return staticmethod(call)

    methods = {"forward": watched("forward"), "backward": watched("backward")}
    return type(layer.__name__, (layer,), methods)


OTHER_DTYPE = Slip(
    "other_dtype",
    seen=lambda trial: bool(trial.dtypes),
    hint=Text(
        "For inputs of float32, backward gives back {dtypes}. Fix no dtype: take dy.dtype, or"
        " functions such as paddle.zeros_like.",
        "输入是 float32 时，backward 返回的是 {dtypes}。数据类型不要写死：请用 dy.dtype，或"
        " paddle.zeros_like 之类的函数。",
    ),
    facts=lambda trial: {"dtypes": ", ".join(sorted(trial.dtypes))},
)

FORM = (
    FORWARD_NONE,
    AS_IN_TORCH,
    CARET,
    SAVED_TWICE,
    SAVED_A_LIST,
    NUMPY_ARRAY,
    OUTSIDE,
    NOT_SAVED,
    NOT_TAKEN_BACK,
    HOW_MANY,
    NOT_UNPACKED,
    NO_RETURN,
    CHANGED_IN_PLACE,
    OTHER_DTYPE,
)
