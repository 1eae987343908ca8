"""Random small networks: a Program gives eager mode's values bit for bit, and its gradients.

Where several gradients meet, the two add them in another order; hence the last digits.
"""

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import minipaddle as paddle

from .world import fresh

ROWS, COLUMNS = 3, 4
UNARY = {
    "tanh": paddle.tanh,
    "sigmoid": paddle.sigmoid,
    "square": paddle.square,
    "scale": lambda x: x * 0.5 - 1.0,
    "softmax": lambda x: paddle.nn.functional.softmax(x, axis=-1),
    "row": lambda x: x - x.mean(axis=1, keepdim=True),
    "turned": lambda x: paddle.transpose(paddle.transpose(x, [1, 0]) * 2.0, [1, 0]),
    "flat": lambda x: paddle.reshape(paddle.reshape(x, [-1]) + 0.25, [-1, COLUMNS]),
    "halves": lambda x: paddle.concat(paddle.split(x, 2, axis=1)[::-1], axis=1),
}
BINARY = {
    "add": lambda x, y: x + y,
    "subtract": lambda x, y: x - y,
    "multiply": lambda x, y: x * y,
    "broadcast": lambda x, y: x + y.mean(axis=0),
    "product": lambda x, y: x @ paddle.transpose(y, [1, 0]) @ y * 0.1,
    "maximum": lambda x, y: paddle.maximum(x, y * 1.5),
}
STEPS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(sorted(UNARY)), st.integers(0, 99)),
        st.tuples(st.sampled_from(sorted(BINARY)), st.integers(0, 99), st.integers(0, 99)),
    ),
    min_size=1,
    max_size=8,
)


def network(steps: Any, leaves: list[Any]) -> Any:
    """Each step works on values made before it; the loss uses all of them."""
    values = list(leaves)
    for name, *chosen in steps:
        arguments = [values[i % len(values)] for i in chosen]
        values.append((UNARY if len(arguments) == 1 else BINARY)[name](*arguments))
    total = values[-1]
    for value in values[len(leaves) : -1]:
        total = total + value
    return (total * total).mean()


@given(STEPS, st.integers(0, 2**16), st.sampled_from(["float32", "float64"]))
@settings(max_examples=80)
def test_a_program_is_eager_mode_written_down(steps: Any, seed: int, dtype: str) -> None:
    rng = np.random.default_rng(seed)
    arrays = [rng.uniform(-1, 1, [ROWS, COLUMNS]).astype(dtype) for _ in range(2)]
    tensors = [paddle.to_tensor(a, stop_gradient=False) for a in arrays]
    eager = network(steps, tensors)
    eager.backward()
    with fresh():
        leaves = [paddle.static.data(name, [None, COLUMNS], dtype) for name in "ab"]
        for leaf in leaves:
            leaf.stop_gradient = False
        loss = network(steps, leaves)
        grads = paddle.static.gradients(loss, leaves)
        fetch = [loss, *(grad for grad in grads if grad is not None)]
        feed = dict(zip("ab", arrays, strict=True))
        value, *found = paddle.static.Executor().run(feed=feed, fetch_list=fetch)
    np.testing.assert_array_equal(value, eager.numpy())
    expected = [t.grad.numpy() for t in tensors if t.grad is not None]
    for left, right in zip(expected, found, strict=True):
        np.testing.assert_allclose(
            right,
            left,
            rtol=1e-12 if dtype == "float64" else 2e-5,
            atol=1e-12 if dtype == "float64" else 1e-6,
        )
