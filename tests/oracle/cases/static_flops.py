"""`paddle.flops` of a Program counts operators, without the dimension of a batch."""

import contextlib
import io

from ..harness import case

STATIC = True


def told(paddle, **kwargs):
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        count = paddle.flops(paddle.static.default_main_program(), [1], **kwargs)
    return [text.getvalue(), int(count)]


@case
def operators(paddle, show):
    static = paddle.static
    show("nothing", told(paddle, print_detail=True))
    x = static.data("x", [2, 2, 8, 8])
    x.stop_gradient = False
    convolved = static.nn.batch_norm(static.nn.conv2d(x, 4, 3, groups=2))
    y = static.nn.fc(convolved, 5)
    loss = paddle.mean(y * y + 1.0)
    show("forward", told(paddle, print_detail=True))
    static.append_backward(loss)
    show("backward", told(paddle, print_detail=True))
    show("quiet", told(paddle))
