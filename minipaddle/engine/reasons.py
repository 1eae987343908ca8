"""The catalogue: all that is said of each reason why a gradient is missing, in both languages.

`why_no_grad`, the picture of an explanation and the player take their words from here; what they
do for a reason hangs on its `Reason`, never on these texts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .bilingual import Text
from .stop_reasons import Reason


@dataclass(frozen=True, slots=True)
class Wording:
    """What is said of one reason. {x} is the tensor, {by} the op, layer or node concerned.

    `happened` and `advice` answer who asks the engine; `mark` stands in a picture where the
    gradient ends. `recorded` is all that a recording can tell, which knows less than the engine;
    it is None for a reason that no recording shows.
    """

    happened: Text
    advice: Text
    mark: Text
    recorded: Text | None = None


WORDINGS: Mapping[Reason, Wording] = {
    Reason.HAS_GRADIENT: Wording(
        Text("{x}.grad holds a gradient that is not zero.", "{x}.grad 里有梯度，而且不是全 0。"),
        advice=Text("", ""),
        mark=Text("", ""),
    ),
    Reason.STOP_GRADIENT: Wording(
        Text(
            "stop_gradient of {x} is True, as it is for whatever to_tensor() makes and for "
            "whatever is computed only from such tensors.",
            "{x} 的 stop_gradient 是 True；to_tensor() 创建的 Tensor 默认如此，仅由这类 Tensor "
            "算出的结果也一样。",
        ),
        advice=Text(
            "Set stop_gradient = False on the tensors that need gradients before computing with "
            "them.",
            "计算之前，把需要梯度的 Tensor 的 stop_gradient 设为 False。",
        ),
        mark=Text("stop_gradient = True", "stop_gradient = True"),
        recorded=Text("stop_gradient of {x} is True.", "{x} 的 stop_gradient 是 True。"),
    ),
    Reason.INTEGER: Wording(
        Text(
            "{x} holds {dtype} values, which do not vary continuously, and its stop_gradient is "
            "True.",
            "{x} 的数据类型是 {dtype}，不能连续变化，而且 stop_gradient 是 True。",
        ),
        advice=Text(
            "Use floating-point values: paddle.to_tensor(..., dtype='float32').",
            "请使用浮点数：paddle.to_tensor(..., dtype='float32')。",
        ),
        mark=Text("integers", "整数"),
        recorded=Text(
            "{x} holds whole numbers, which do not vary continuously.",
            "{x} 是整数，不能连续变化。",
        ),
    ),
    Reason.NO_GRAD: Wording(
        Text(
            "{by} ran under paddle.no_grad(), where nothing is recorded.",
            "{by} 在 paddle.no_grad() 里运行，那里什么都不记录。",
        ),
        advice=Text(
            "Compute outside the no_grad block, or inside `with paddle.enable_grad():`. "
            "A parameter is changed in place under no_grad, as by subtract_(): `w -= ...` makes a "
            "new tensor.",
            "把计算移到 no_grad 之外，或放进 `with paddle.enable_grad():`。参数要在 no_grad 里"
            "原地（inplace）修改，例如用 subtract_()：`w -= ...` 会得到新的 Tensor。",
        ),
        mark=Text("no_grad()", "no_grad()"),
        recorded=Text(
            "{by} ran where nothing is recorded, as in paddle.no_grad().",
            "{by} 在不记录梯度的地方运行，例如 paddle.no_grad()。",
        ),
    ),
    Reason.DETACHED: Wording(
        Text(
            "detach() cut it off from the computation that made it.", "detach() 使结果脱离计算图。"
        ),
        advice=Text(
            "Leave detach() out where a gradient should flow.",
            "在需要梯度的地方不要用 detach()。",
        ),
        mark=Text("detach()", "detach()"),
    ),
    Reason.GRADLESS_OP: Wording(
        Text(
            "{by} has no gradient, so none comes from its result.",
            "{by} 没有梯度，所以从它的结果传不回梯度。",
        ),
        advice=Text(
            "Use a differentiable function in its place, for example softmax instead of argmax.",
            "换成可导的函数，例如用 softmax 代替 argmax。",
        ),
        mark=Text("{by} has no gradient", "{by} 没有梯度"),
        recorded=Text("{by} has no gradient.", "{by} 没有梯度。"),
    ),
    Reason.NON_DIFFERENTIABLE: Wording(
        Text(
            "this output of {by} is marked non-differentiable.",
            "{by} 的这个输出被标记为不可导。",
        ),
        advice=Text(
            "Take the gradient of another output, or leave the mark out.",
            "对另一个输出求梯度，或去掉这个标记。",
        ),
        mark=Text("marked non-differentiable", "标记为不可导"),
        recorded=Text(
            "only an output of {by} that is marked non-differentiable was used.",
            "用到的只是 {by} 的被标记为不可导的输出。",
        ),
    ),
    Reason.NOT_A_LEAF: Wording(
        Text(
            "{x} is not a leaf but the result of {by}: backward hands its gradient on and does "
            "not keep it.",
            "{x} 不是叶子 Tensor，而是 {by} 的结果：反向把梯度传下去，但不保留。",
        ),
        advice=Text(
            "Call retain_grads() on it before backward. A parameter must stay a leaf: change it "
            "in place inside `with paddle.no_grad():`, and do not bind its name to a result.",
            "在反向之前调用 retain_grads()。参数必须保持为叶子 Tensor：在 no_grad() 中"
            "原地（inplace）修改，不要把参数名重新绑定到运算结果。",
        ),
        mark=Text("not a leaf: not kept", "不是叶子 Tensor：不保留"),
        recorded=Text(
            "it is a result, not a leaf: backward hands its gradient on and does not keep it.",
            "它是运算结果，不是叶子 Tensor：反向把梯度传下去，但不保留。",
        ),
    ),
    Reason.OVERWRITTEN: Wording(
        Text(
            "{x} has been overwritten in place: it is no longer a leaf but the result of {by}, and "
            "only leaves keep gradients.",
            "{x} 被原地（inplace）修改过，不再是叶子 Tensor，而是 {by} 的结果；"
            "只有叶子 Tensor 保留梯度。",
        ),
        advice=Text(
            "Compute a new tensor instead, or call retain_grads() on it before backward.",
            "改为计算一个新的 Tensor，或在反向之前调用 retain_grads()。",
        ),
        mark=Text("overwritten in place", "原地（inplace）修改过"),
    ),
    Reason.NO_BACKWARD: Wording(
        Text("No backward has run yet.", "还没有运行过 backward()。"),
        advice=Text(
            "Call loss.backward(). paddle.grad() gives gradients back and does not store them.",
            "调用 loss.backward()。paddle.grad() 只返回梯度，不存入 .grad。",
        ),
        mark=Text("no backward() yet", "还没有 backward()"),
        recorded=Text("no backward was recorded by then.", "到那时还没有记录到反向。"),
    ),
    Reason.CLEARED: Wording(
        Text(
            "The gradient has been cleared since the last backward.",
            "上次反向之后，梯度被清除了。",
        ),
        advice=Text(
            "Look at it before clear_grad() or .grad = None, or call backward() again.",
            "在 clear_grad() 或 .grad = None 之前查看，或再次调用 backward()。",
        ),
        mark=Text("cleared", "已清除"),
    ),
    Reason.NOT_REACHED: Wording(
        Text(
            "The last backward did not reach {x}: the loss it started from does not depend on it.",
            "上次反向没有到达 {x}：那个损失不依赖它。",
        ),
        advice=Text(
            "Look whether it is used at all, and whether values go through NumPy, item() or "
            "to_tensor() on the way: those cut the history.",
            "检查它是否真的被使用，中间是否经过了 NumPy、item() 或 to_tensor()："
            "它们会使结果脱离计算图。",
        ),
        mark=Text("no way here", "没有通路"),
        recorded=Text(
            "no recorded way leads from it to where backward started.",
            "记录里没有从它到反向起点的通路。",
        ),
    ),
    Reason.RETURNED_NONE: Wording(
        Text(
            "backward of {by}, applied at {place}, returned None where the gradient of {x} "
            "would come from.",
            "{by}.backward（{by} 调用于 {place}）在本应给出 {x} 的梯度的地方返回了 None。",
        ),
        advice=Text(
            "Return a Tensor there: None says that no gradient flows to that input.",
            "请在那里返回一个 Tensor：None 表示没有梯度传到那个输入。",
        ),
        mark=Text("None", "None"),
        recorded=Text(
            "backward of {by} returned None for it.",
            "{by}.backward 在这里返回了 None。",
        ),
    ),
    Reason.INTERRUPTED: Wording(
        Text(
            "The loss depends on {x}, but the last backward ended before it arrived there: an "
            "exception stopped it.",
            "损失依赖 {x}，但上次反向因为异常中断，没有到达。",
        ),
        advice=Text(
            "Repair what it complained of and call backward() again.",
            "修复错误后再次调用 backward()。",
        ),
        mark=Text("an exception", "异常"),
    ),
    Reason.ZERO: Wording(
        Text(
            "The gradient has arrived, and every element of it is zero.",
            "梯度已经到达，但每个元素都是 0。",
        ),
        advice=Text(
            "Look for functions that are flat there (relu of negative numbers, clip, max), a sum "
            "of softmax, or a factor of zero.",
            "检查路径上是否有导数为 0 的地方：relu 的负半轴、clip 截断处、max 未选中的元素、"
            "对 softmax 求和（恒为 1），或乘以 0。",
        ),
        mark=Text("all zero from here on", "从这里起全 0"),
    ),
}

# The stop_gradient of a result, set by hand, is explained differently from that of a leaf.
RESULT_STOPPED = Wording(
    Text(
        "{x} is the result of {by}, but its stop_gradient has been set to True.",
        "{x} 是 {by} 的结果，但它的 stop_gradient 被设成了 True。",
    ),
    advice=Text(
        "Leave stop_gradient of results alone, or set it back to False.",
        "不要改动运算结果的 stop_gradient，或把它设回 False。",
    ),
    mark=WORDINGS[Reason.STOP_GRADIENT].mark,
)

# What a reason has to do with the tensor, where it lies in another one.
LOSS_STOPPED = Text(
    "The last backward did nothing, because its loss wants no gradient: {cause}",
    "上次反向没有计算任何梯度，因为它的损失不需要梯度：{cause}",
)
LAST_USE = Text(
    "The loss does not depend on {x}, whose last use without gradients was this: {cause}",
    "损失不依赖 {x}，它最近一次不带梯度的使用是：{cause}",
)

# How a text names what has no name of its own.
THE_TENSOR = Text("the tensor", "这个 Tensor")
THE_LOSS = Text("the loss", "损失")

__all__ = [
    "LAST_USE",
    "LOSS_STOPPED",
    "RESULT_STOPPED",
    "THE_LOSS",
    "THE_TENSOR",
    "WORDINGS",
    "Reason",
    "Text",
    "Wording",
]
