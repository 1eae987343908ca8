"""Names of a framework's own functions, in sentences that name those of Paddle."""

from __future__ import annotations

from typing import Any

from minipaddle.messages import Message, Row, Text, languages

# Framework -> names of Paddle and its own, in the order in which they are replaced.
DIALECTS: dict[str, tuple[tuple[str, str], ...]] = {
    "torch": (
        # Longer names come before their parts.
        ("grad_clip=paddle.nn.ClipGradByGlobalNorm(1.0)", "torch.nn.utils.clip_grad_norm_"),
        ("paddle.testing.check_grad({name}.apply, [...])", "torch.autograd.gradcheck"),
        ("paddle.testing.check_grad", "torch.autograd.gradcheck"),
        ("paddle.clip(..., 1e-6)", "torch.clamp(..., 1e-6)"),
        ("paddle.logsumexp(...)", "torch.logsumexp(..., dim)"),
        ("parameters=net.parameters()", "torch.optim.SGD(net.parameters())"),
        ("x.clear_grad()", "x.grad = None"),
        ("clear_grad()", "zero_grad()"),
        ("retain_grads()", "retain_grad()"),
        ("stop_gradient of {x} is True", "requires_grad of {x} is False"),
        ("{x} 的 stop_gradient 是 True", "{x} 的 requires_grad 是 False"),
        ("stop_gradient = False", "requires_grad = True"),
        ("stop_gradient 设为 False", "requires_grad 设为 True"),
        ("paddle.to_tensor(..., dtype='float32')", "torch.tensor(..., dtype=torch.float32)"),
        ("{x}.stop_gradient = True", "{x}.requires_grad = False"),
        ("{name}.stop_gradient is True", "{name}.requires_grad is False"),
        ("{name}.stop_gradient 为 True", "{name}.requires_grad 为 False"),
        ("stop_gradient = True", "requires_grad = False"),
        ("paddle.grad", "torch.autograd.grad"),
        ("to_tensor()", "torch.tensor()"),
        ("w.subtract_(lr * w.grad)", "w.sub_(lr * w.grad)"),
        ("Paddle's ops", "PyTorch's ops"),
        ("Paddle operation", "PyTorch operation"),
        ("PyLayer", "torch.autograd.Function"),
        ("paddle.", "torch."),
    )
}


# Framework -> its function that makes a tensor of numbers.
MAKER = {"torch": "tensor"}
NUMBERS = "to_tensor(["  # the beginning of the name of a tensor that is called by its numbers


def maker(framework: str) -> str:
    """Return the name of a framework's function that makes a tensor of numbers."""
    return MAKER.get(framework, "to_tensor")


def spelled(message: Message, framework: str) -> Message:
    """Return a message with the names of a framework's functions in place of Paddle's."""
    pairs = DIALECTS.get(framework)
    if not pairs:
        return message
    slots = {name: spelled_slot(value, framework) for name, value in message.slots.items()}
    templates = {lang: message.template_in(lang) for lang in languages()}
    ours = {lang: replaced(text, pairs) for lang, text in templates.items()}
    if ours != templates:
        return Text(ours.pop("en"), **ours).fill(**slots)
    same = all(value is message.slots[name] for name, value in slots.items())
    return message if same else message.fill(**slots)


def spelled_slot(value: Any, framework: str) -> Any:
    """Return the value of a slot, respelled if it is a message, a row or a tensor's numbers."""
    text = getattr(value, "text", value)  # a tensor in a sentence has a text
    if isinstance(text, str) and text.startswith(NUMBERS):
        return maker(framework) + text.removeprefix("to_tensor")
    if isinstance(value, Message):
        return spelled(value, framework)
    if isinstance(value, Row):
        items = [spelled_slot(item, framework) for item in value.items]
        if any(item is not old for item, old in zip(items, value.items, strict=True)):
            return Row(items, value.between, value.last)
    return value


def replaced(text: str, pairs: tuple[tuple[str, str], ...]) -> str:
    """Return a text with each first member of a pair replaced by the second."""
    for theirs, own in pairs:
        text = text.replace(theirs, own)
    return text
