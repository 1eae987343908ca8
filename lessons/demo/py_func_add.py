"""The documents' second py_func program: two matrices added by a loop in Python."""

import minipaddle as paddle
import numpy as np


def element_wise_add(x, y):
    x = np.array(x)
    y = np.array(y)
    if x.shape != y.shape:
        raise AssertionError("the shape of inputs must be the same!")
    result = np.zeros(x.shape, dtype="int32")
    for i in range(len(x)):
        for j in range(len(x[0])):
            result[i][j] = x[i][j] + y[i][j]
    return result


def create_tmp_var(name, dtype, shape):
    block = paddle.static.default_main_program().current_block()
    return block.create_var(name=name, dtype=dtype, shape=shape)


def py_func_demo():
    x = paddle.static.data(name="x", shape=[2, 3], dtype="int32")
    y = paddle.static.data(name="y", shape=[2, 3], dtype="int32")
    output = create_tmp_var("output", "int32", [2, 3])
    paddle.static.py_func(func=element_wise_add, x=[x, y], out=output)

    exe = paddle.static.Executor(paddle.CPUPlace())
    exe.run(paddle.static.default_startup_program())
    input1 = np.random.randint(1, 10, size=[2, 3], dtype="int32")
    input2 = np.random.randint(1, 10, size=[2, 3], dtype="int32")
    out = exe.run(
        paddle.static.default_main_program(),
        feed={"x": input1, "y": input2},
        fetch_list=[output.name],
    )
    print(f"{input1} + {input2} = {out}")


if __name__ == "__main__":
    paddle.enable_static()
    py_func_demo()
