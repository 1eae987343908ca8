"""`out=`: a tensor that becomes the result, with its shape, dtype and history."""

from tests.oracle.harness import case


@case
def functions_with_attributes(paddle, show):
    x = paddle.to_tensor([[1.0, 4.0], [3.0, 2.0]])
    calls = {
        "sum": lambda out: paddle.sum(x, axis=1, out=out),
        "mean": lambda out: paddle.mean(x, axis=0, keepdim=True, out=out),
        "clip": lambda out: paddle.clip(x, 1.5, 3.5, out=out),
        "matmul": lambda out: paddle.matmul(x, x, out=out),
        "tril": lambda out: paddle.tril(x, out=out),
        "concat": lambda out: paddle.concat([x, x], axis=1, out=out),
        "stack": lambda out: paddle.stack([x, x], out=out),
        "where": lambda out: paddle.where(x > 2.0, x, -x, out=out),
    }
    for name, call in calls.items():
        out = paddle.zeros([1])
        show(f"{name} result", call(out))
        show(f"{name} out", out)


@case
def the_history_comes_along(paddle, show):
    x, out = paddle.to_tensor([1.0, 2.0], stop_gradient=False), paddle.zeros([2])
    paddle.tanh(x, out=out)
    show("stop", out.stop_gradient)
    show("leaf", out.is_leaf)
    (out * paddle.to_tensor([1.0, 3.0])).sum().backward()
    show("gradient", x.grad)


@case
def shape_and_dtype_come_along(paddle, show):
    x, out = paddle.to_tensor([1.0, 2.0]), paddle.zeros([3, 3], dtype="int32")
    paddle.add(x, x, out=out)
    show("out", out)
