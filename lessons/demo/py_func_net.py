"""The documents' first py_func program: four layers, each with a tanh written in NumPy."""

import minipaddle as paddle
import numpy as np


def tanh(x):
    return np.tanh(x)


def tanh_grad(y, dy):
    return np.array(dy) * (1 - np.square(np.array(y)))


def debug_func(x):
    value = np.array(x)
    print(f"  hidden: {value.shape}, from {value.min():.3f} to {value.max():.3f}")


def create_tmp_var(name, dtype, shape):
    block = paddle.static.default_main_program().current_block()
    return block.create_var(name=name, dtype=dtype, shape=shape)


def simple_net(img, label, size=200, layers=4):
    hidden = img
    for idx in range(layers):
        hidden = paddle.static.nn.fc(hidden, size=size)
        new_hidden = create_tmp_var(f"hidden_{idx}", hidden.dtype, hidden.shape)
        hidden = paddle.static.py_func(
            func=tanh,
            x=hidden,
            out=new_hidden,
            backward_func=tanh_grad,
            skip_vars_in_backward_input=hidden,
        )
        paddle.static.py_func(func=debug_func, x=hidden, out=None)
    # The documents take this softmax, and CrossEntropyLoss another: the page tells of it.
    prediction = paddle.static.nn.fc(hidden, size=10, activation="softmax")
    ce_loss = paddle.nn.loss.CrossEntropyLoss()
    return ce_loss(prediction, label)


def build(with_gradients=False):
    """The Program, and if wanted its gradient operators."""
    x = paddle.static.data(name="x", shape=[1, 4], dtype="float32")
    y = paddle.static.data(name="y", shape=[1], dtype="int64")
    loss = simple_net(x, y)
    if with_gradients:
        paddle.static.append_backward(loss)
    return loss


def run(loss):
    """Make the parameters, feed one random row, and fetch the loss."""
    exe = paddle.static.Executor(paddle.CPUPlace())
    exe.run(paddle.static.default_startup_program())
    row = np.random.random(size=[1, 4]).astype("float32")
    label = np.random.randint(1, 10, size=[1], dtype="int64")
    return exe.run(
        paddle.static.default_main_program(),
        feed={"x": row, "y": label},
        fetch_list=[loss.name],
    )


if __name__ == "__main__":
    paddle.enable_static()
    print(run(build()))
