"""Mistakes that every PyLayer invites, whatever it computes."""

from __future__ import annotations

import dis

import numpy as np

from .pylayer import Slip, Trial, code_of, differences, same
from .words import Say


def no_return(trial: Trial) -> bool:
    """Backward ran to its end and gave nothing back."""
    return trial.returned is None


def numpy_array(trial: Trial) -> bool:
    """Backward gave back NumPy arrays."""
    values = trial.returned if isinstance(trial.returned, tuple | list) else (trial.returned,)
    return any(isinstance(value, np.ndarray | np.generic) for value in values)


def not_saved(trial: Trial) -> bool:
    """Backward wants something that forward did not keep."""
    if trial.saved or trial.y is None:
        return False
    if isinstance(trial.error, NameError):
        return trial.error.name in local_names(trial)
    return "NoneType" in str(trial.error)


def outside(trial: Trial) -> bool:
    """Nothing was saved, and backward reads a variable of the notebook with a local name."""
    code = code_of(trial.layer.backward)
    if trial.saved or trial.y is None or code is None:
        return False
    read = {i.argval for i in dis.get_instructions(code) if i.opname == "LOAD_GLOBAL"}
    return bool(read & local_names(trial))


def local_names(trial: Trial) -> set[str]:
    """The variables of forward, its inputs among them."""
    code = code_of(trial.layer.forward)
    return set(code.co_varnames) if code else set()


def not_unpacked(trial: Trial) -> bool:
    """The tuple of saved tensors was used as if it were a tensor."""
    return bool(trial.saved) and trial.error is not None and "tuple" in str(trial.error)


def count(wanted: int) -> Slip:
    """As many gradients as inputs."""
    return Slip(
        "too_many" if wanted == 1 else "one_gradient",
        lambda trial: trial.gradients is not None and len(trial.gradients) != wanted,
        Say(
            "forward takes {n} Tensor, so backward gives back {n} gradient: return dx.",
            "forward 接收 {n} 个 Tensor，backward 就要返回 {n} 个梯度：return dx。",
        ).fill(n=wanted)
        if wanted == 1
        else Say(
            "forward takes {n} Tensors, so backward gives back {n} gradients, in the same order:"
            " return da, db.",
            "forward 接收 {n} 个 Tensor，backward 就要按同样的顺序返回 {n} 个梯度：return da, db。",
        ).fill(n=wanted),
    )


def saved_elsewhere(function: object) -> Slip:
    """What was kept outlived its call: it came from the layer's last use."""

    def seen(trial: Trial) -> bool:
        return same(trial.gradients, differences(function, trial.others, trial.dy))  # type: ignore[arg-type]

    return Slip(
        "saved_elsewhere", seen,
        Say(
            "The layer was applied twice before backward, and backward saw the second call's"
            " tensor. What one call needs belongs to that call: ctx.save_for_backward(...),"
            " not the class or a global variable.",
            "在反向之前这个层被调用了两次，而 backward 拿到的是第二次的张量。每次调用要用的东西"
            "应该存进这一次的 ctx：ctx.save_for_backward(...)，不要存在类属性或全局变量里。",
        ),
    )  # fmt: skip


NO_RETURN = Slip(
    "no_return", no_return,
    Say(
        "backward computes something but gives nothing back. Its last line must return the"
        " gradient.",
        "backward 算了，却没有返回任何东西。最后一行要用 return 把梯度交回去。",
    ),
)  # fmt: skip
NUMPY_ARRAY = Slip(
    "numpy_array", numpy_array,
    Say(
        "backward gives back a NumPy array. Gradients must be Tensors: leave out .numpy() and use"
        " paddle's functions and operators.",
        "backward 返回的是 NumPy 数组，而梯度必须是 Tensor：去掉 .numpy()，用 paddle 的函数和"
        "运算符来算。",
    ),
)  # fmt: skip
NOT_SAVED = Slip(
    "not_saved", not_saved,
    Say(
        "backward needs a tensor that forward did not save. In forward, call"
        " ctx.save_for_backward(...) with it before the return.",
        "backward 要用的张量，forward 没有保存。请在 forward 的 return 之前调用"
        " ctx.save_for_backward(...)。",
    ),
)  # fmt: skip
OUTSIDE = Slip(
    "outside", outside,
    Say(
        "backward uses a variable of the notebook, not the tensor that this call of forward got."
        " Save it in forward with ctx.save_for_backward(...) and take it back with"
        " ctx.saved_tensor().",
        "backward 用的是笔记本里的全局变量，而不是这一次 forward 收到的张量。请在 forward 里用"
        " ctx.save_for_backward(...) 保存，在 backward 里用 ctx.saved_tensor() 取回。",
    ),
)  # fmt: skip
NOT_UNPACKED = Slip(
    "not_unpacked", not_unpacked,
    Say(
        "ctx.saved_tensor() gives back a tuple, even for one tensor. Unpack it; mind the comma:"
        " (x,) = ctx.saved_tensor().",
        "ctx.saved_tensor() 返回的是元组，只保存一个张量时也一样。要解包，注意逗号："
        "(x,) = ctx.saved_tensor()。",
    ),
)  # fmt: skip

FORM = (NUMPY_ARRAY, OUTSIDE, NOT_SAVED, NOT_UNPACKED, NO_RETURN)
