"""Names of older programs: Print, accuracy, CompiledProgram, paddle.base, paddle.batch."""

import numpy as np
import pytest

import minipaddle as paddle
from tests.contract.refusal import refuses
from tests.each import each

from .world import X, data, fresh, run, types

pytestmark = pytest.mark.usefixtures("programs")
static = paddle.static


# ----- Print --------------------------------------------------------------------------------------

TEXT = """Variable: x
  - message: here
  - lod: {}
  - place: Place(cpu)
  - shape: [2, 4]
  - layout: NCHW
  - dtype: float32
  - data: [1.000000 -2.000000 0.500000]
"""


def test_print_shows_what_paddle_shows_at_each_run(capsys) -> None:
    out = static.Print(data(), message="here", summarize=3) * 2.0
    executor = static.Executor()
    for _ in range(4):  # runs of the interpreter, the recorder, and the plan
        np.testing.assert_array_equal(executor.run(feed={"x": X}, fetch_list=[out])[0], X * 2)
        assert capsys.readouterr().out == TEXT


@each(
    ("array", "text"),
    [
        (np.arange(3), "[0.000000 1.000000 2.000000]"),
        (np.array([True, False]), "[1.000000 0.000000]"),
        (np.array([1 / 3, 1e-9, 1e10]), "[0.333333 0.000000 10000000000.000000]"),
        (np.array([np.inf, np.nan]), "[inf nan]"),
        (np.zeros([0, 3], "int32"), "[]"),
        (np.array(2.5, "float32"), "[2.500000]"),
    ],
)
@fresh()
def test_print_shows_every_dtype(array, text, capsys) -> None:
    run(static.Print(data(shape=array.shape, dtype=array.dtype.name)), x=array)
    assert f"  - data: {text}\n" in capsys.readouterr().out


@each(
    ("phase", "names"),
    [
        ("both", ["x", "print_0.tmp_0@GRAD"]),
        ("forward", ["x"]),
        ("backward", ["print_0.tmp_0@GRAD"]),
    ],
)
@fresh()
def test_print_shows_the_gradient(phase, names, capsys) -> None:
    x = data(needs=True)
    y = static.Print(x, print_phase=phase)
    (dx,) = static.gradients(y * y, x)
    np.testing.assert_array_equal(run(dx)[0], 2 * X)
    shown = capsys.readouterr().out
    assert [line[10:] for line in shown.splitlines() if line.startswith("Var")] == names
    assert (
        "2.000000 -4.000000 1.000000 8.000000 0.500000 6.000000 -3.000000 4.000000" in shown
    ) == (phase != "forward")


# ----- accuracy -----------------------------------------------------------------------------------


@each(("k", "part"), [(1, 0.5), (2, 0.75), (3, 1.0)])
@fresh()
def test_accuracy_counts_labels_among_the_highest(k, part) -> None:
    scores = np.float32([[1, 2, 3], [3, 2, 1], [1, 3, 2], [2, 1, 3]])
    label = np.array([[2], [1], [1], [1]])
    block = static.default_main_program().global_block()
    correct, total = (block.create_var(name=n, shape=[], dtype="int32") for n in ("c", "t"))
    found = static.accuracy(
        data("scores", [-1, 3]), data("label", [-1, 1], "int64"), k, correct, total
    )
    assert found.name == "accuracy_0.tmp_2"
    assert run(found, correct, total, scores=scores, label=label) == [part, part * 4, 4]
    assert types(static.default_main_program())[:2] == ["top_k_v2", "accuracy"]


# ----- compiled programs --------------------------------------------------------------------------


def test_some_options_of_run_change_nothing_and_one_is_an_error() -> None:
    out = data() * 2.0
    executor = static.Executor()
    (value,) = executor.run(None, {"x": X}, [out], "feed", "fetch", None, True, True)
    np.testing.assert_array_equal(value, X * 2)
    np.testing.assert_array_equal(executor.run(feed=[{"x": X}], fetch_list=out)[0], X * 2)
    with refuses(NotImplementedError, "use_prune is not here", "clone(for_test=True)"):
        executor.run(feed={"x": X}, use_prune=True)


# ----- paddle.base and paddle.batch ---------------------------------------------------------------


def test_paddle_base_has_the_objects_of_paddle() -> None:
    for name in ("Program", "Executor", "Variable", "program_guard", "global_scope", "gradients"):
        assert getattr(paddle.base, name) is getattr(static, name)
    assert not paddle.base.in_dygraph_mode()
    paddle.base.enable_dygraph()
    assert paddle.base.in_dygraph_mode()
    paddle.base.disable_dygraph()
    with refuses(AttributeError, "paddle.base", "nothing_like_it"):
        _ = paddle.base.nothing_like_it
