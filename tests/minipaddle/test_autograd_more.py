"""Modes, flags, retained gradients and graph files."""

import weakref
from pathlib import Path

import pytest

import minipaddle as paddle

from ..samples import Cut, leaf, pylayer

# ----- the flag of a leaf's gradient -------------------------------------------------------------


def test_a_pass_that_fails_leaves_no_flag_for_the_next_one() -> None:
    Broken = pylayer(lambda ctx, x: x * 1, lambda ctx, dy: 1 / 0)
    x, w = leaf(1.0), leaf(1.0)
    with pytest.raises(OSError, match="ZeroDivisionError"):
        (Cut.apply(x) + Broken.apply(w) + Cut.apply(x * 1)).backward()
    x.clear_grad(False)
    (x * 2).backward()
    assert x.grad.stop_gradient is False


# ----- kept gradients ----------------------------------------------------------------------------


def test_a_deleted_tensor_retains_no_gradient() -> None:
    x = leaf(1.0)
    y = x * 2
    y.retain_grads()
    z = y * 3
    deleted = weakref.ref(y)
    del y
    assert deleted() is None
    z.backward()
    assert x.grad.tolist() == [6.0]


# ----- paddle.grad -------------------------------------------------------------------------------


def test_create_graph_gives_gradients_that_never_stop_gradients() -> None:
    kept = paddle.ones([1])
    Own = pylayer(lambda ctx, x: x * 1, lambda ctx, dy: kept)
    x = leaf(1.0)
    for y in (x * 2, Cut.apply(x), Own.apply(x)):
        (dx,) = paddle.grad(y, x, create_graph=True)
        assert dx.stop_gradient is False
        with pytest.raises(ValueError, match="The 0-th input does not appear"):
            paddle.grad(dx, x)
    assert kept.stop_gradient is True


# ----- the graph as a file -----------------------------------------------------------------------

DOT = """\
digraph backward {
  node_0 [label="AddGradNode", shape=ellipse];
  node_1 [label="MultiplyGradNode", shape=ellipse];
  node_2 [label="GradNodeAccumulation\\n%s float32 [1]", shape=box];
  node_0 -> node_1 [label="0"];
  node_0 -> node_2 [label="1"];
  node_1 -> node_2 [label="0"];
  node_1 -> node_2 [label="1"];
}
"""


def test_the_graph_is_written_for_graphviz(tmp_path: Path) -> None:
    x = leaf(2.0)
    expected = DOT % x.name
    folder = tmp_path / "new" / "graphs"
    (x * x + x).backward(dump_backward_graph_path=str(folder))
    paddle.grad(x * x + x, x, dump_backward_graph_path=str(folder))
    paddle.autograd.backward([x * x + x], dump_backward_graph_path=str(folder))
    files = sorted(folder.iterdir())
    assert [path.name for path in files] == [f"backward_graph_{n}.dot" for n in range(3)]
    assert all(path.read_text(encoding="utf-8") == expected for path in files)
    assert x.grad.tolist() == [10.0]
    with pytest.raises(TypeError, match="dump_backward_graph_path does not fit"):
        x.backward(dump_backward_graph_path=3)
