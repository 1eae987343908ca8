"""static.save and load: whole files or none; bad files execute and change nothing."""

import pickle
from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle.saving import pickles
from tests.contract.refusal import refused, refuses
from tests.each import each

from .world import X, start

pytestmark = pytest.mark.usefixtures("programs")
static = paddle.static


@pytest.fixture
def trained(tmp_path) -> tuple[Any, Any, Path]:
    """Train a Program for two steps; return it, its Executor, and a path for saving."""
    loss = paddle.mean(static.nn.fc(static.data("x", [None, 4]), 3))
    paddle.optimizer.Adam(0.1).minimize(loss)
    executor = start()
    for _ in range(2):
        executor.run(feed={"x": X})
    return static.default_main_program(), executor, tmp_path / "folder" / "model"


def values(program: Any) -> dict[str, Any]:
    return {name: np.array(value) for name, value in program.state_dict().items()}


def same(left: dict[str, Any], right: dict[str, Any]) -> bool:
    return list(left) == list(right) and all(np.array_equal(left[n], right[n]) for n in left)


@pytest.mark.parametrize(("protocol", "ending"), [(2, ""), (3, ".pdparams"), (4, ".pdopt")])
def test_saved_values_are_loaded(trained, protocol, ending) -> None:
    program, executor, path = trained
    before = values(program)
    static.save(program, path, protocol=protocol)
    executor.run(feed={"x": X})
    assert not same(values(program), before)
    static.load(program, f"{path}{ending}", executor)
    assert same(values(program), before)
    assert {"fc_0.w_0", "fc_0.w_0_moment1_0", "learning_rate_0"} <= set(before)
    assert same(static.load_program_state(path), before)


def test_paddle_save_writes_the_state_of_a_program(trained) -> None:
    program, executor, path = trained
    before, state = values(program), program.state_dict()
    paddle.save(state, path)
    paddle.save({"epoch": 3, "parts": [state["fc_0.b_0"]]}, f"{path}.whole")
    executor.run(feed={"x": X})
    loaded = paddle.load(path)
    assert same({name: np.array(value) for name, value in loaded.items()}, before)
    program.set_state_dict(loaded)
    assert same(values(program), before)
    whole = paddle.load(f"{path}.whole", return_numpy=True)
    assert whole["epoch"] == 3
    np.testing.assert_array_equal(whole["parts"][0], before["fc_0.b_0"])


def test_values_are_loaded_into_another_scope_and_in_part(trained) -> None:
    program, executor, path = trained
    static.save(program, path)
    before = values(program)
    with static.scope_guard(static.Scope()):
        static.load(program, path)
        assert same(values(program), before)
    executor.run(feed={"x": X})
    static.load(program, path, var_list=[program.global_block().var("fc_0.b_0")])
    after = values(program)
    kept = [name for name in before if np.array_equal(before[name], after[name])]
    assert kept == ["fc_0.b_0", "learning_rate_0"]


def test_the_files_are_plain_pickles_of_arrays(trained) -> None:
    program, _, path = trained
    static.save(program, path)
    held = pickle.loads(path.with_suffix(".pdparams").read_bytes())
    assert (type(held), list(held)) == (dict, ["fc_0.w_0", "fc_0.b_0"])
    assert type(held["fc_0.w_0"]) is np.ndarray
    assert sorted(file.name for file in path.parent.iterdir()) == ["model.pdopt", "model.pdparams"]


# ----- damaged and hostile files ------------------------------------------------------------------


@pytest.mark.parametrize("ending", [".pdparams", ".pdopt"])
def test_a_truncated_file_is_an_error_and_changes_nothing(trained, ending) -> None:
    program, executor, path = trained
    static.save(program, path)
    file = path.with_suffix(ending)
    whole = file.read_bytes()
    executor.run(feed={"x": X})
    before = values(program)
    for part in (0, 1, 50, 200, -1):
        file.write_bytes(whole[:part])
        with refuses(ValueError, "model" + ending, "cannot be read", "expected", "to do"):
            static.load(program, path, executor)
        assert same(values(program), before)


OTHER_VALUES = [
    np.array([object()], dtype=object),
    {"fc_0.w_0": np.array(["a"])},
    {"fc_0.w_0": np.array([("a", 1)], dtype=[("x", "U1"), ("y", int)])},
    {"fc_0.w_0": "text"},
    [1, 2],
    3,
]


def test_pickles_of_other_objects_are_errors(trained) -> None:
    program, _, path = trained
    static.save(program, path)
    before = values(program)
    for value in OTHER_VALUES:
        path.with_suffix(".pdparams").write_bytes(pickle.dumps(value))
        with pytest.raises((ValueError, RuntimeError)):
            static.load(program, path)
        assert same(values(program), before)


@each("protocol", [2, 3, 4, 5])
@each(
    "array",
    [
        np.arange(6, dtype="int64").reshape(2, 3),
        np.asfortranarray(X),
        X[:, ::2],
        np.array(2.5),
        np.zeros([0, 3], "float16"),
        np.array([True, False]),
        np.array([1 + 2j]),
        X.astype(">f4"),
        np.arange(3, dtype="uint8"),
    ],
)
def test_every_array_is_saved_and_loaded(array, protocol) -> None:
    found = pickles.loads(pickle.dumps(OrderedDict(a=[array, (array, 1)]), protocol), "here")
    for read in (found["a"][0], found["a"][1][0]):
        assert read.dtype == array.dtype.newbyteorder("=")
        np.testing.assert_array_equal(read, array)
    read[...] = 0  # the loaded array has its own memory


# ----- what does not fit --------------------------------------------------------------------------


def rewritten(path: Path, **changes: Any) -> None:
    file = path.with_suffix(".pdparams")
    held = {**pickle.loads(file.read_bytes()), **changes}
    file.write_bytes(pickle.dumps({k: v for k, v in held.items() if v is not None}))


@pytest.mark.parametrize(
    ("array", "error", "words"),
    [
        (np.ones(4, "float32"), ValueError, ["shape does not match", "'fc_0.b_0'", "[3]", "[4]"]),
        (np.ones(3), ValueError, ["data type does not match", "float32", "float64"]),
        (None, AssertionError, ["Cannot find [fc_0.b_0] in model file"]),
    ],
)
def test_values_that_do_not_fit_change_nothing(trained, array, error, words) -> None:
    program, executor, path = trained
    static.save(program, path)
    rewritten(path, **{"fc_0.b_0": array})
    executor.run(feed={"x": X})
    before = values(program)
    with refuses(error, "load()", "expected", "received", "to do", *words):
        static.load(program, path)
    assert same(values(program), before)


def test_missing_files_are_errors(trained) -> None:
    program, _, path = trained
    with refuses(FileNotFoundError, "No such file", "model.pdparams"):
        static.load(program, path)
    with refuses(FileNotFoundError, "No such file"):
        static.load_program_state(path)
    static.save(program, path)
    path.with_suffix(".pdopt").unlink()
    with refuses(AssertionError, "Optimizer file", "model.pdopt", "clone(for_test=True)"):
        static.load(program, path)
    static.load(program.clone(for_test=True), path)


def test_wrong_arguments_of_save_are_errors(trained) -> None:
    program, _, path = trained
    for wrong in (1, 5, "a"):
        refused(lambda wrong=wrong: static.save(program, path, protocol=wrong), ValueError)
    refused(lambda: static.save(program, "folder/"), AssertionError)
    refused(lambda: static.save(3, path), TypeError)


def test_saving_before_initialization_is_an_error() -> None:
    static.nn.fc(static.data("x", [None, 4]), 3)
    with refuses(ValueError, "Can not find Variable 'fc_0.w_0' in the Scope", "startup"):
        static.save(static.default_main_program(), "model")
    with refuses(AssertionError, "'executor'", "int 3"):
        static.load(static.default_main_program(), "model", 3)


# ----- program states -----------------------------------------------------------------------------


def test_a_state_is_set_by_name(trained) -> None:
    program, executor, path = trained
    static.save(program, path)
    state = static.load_program_state(path)
    executor.run(feed={"x": X})
    static.set_program_state(program, state)
    assert same(values(program), state)
    state["fc_0.b_0"] += 1.0
    assert not same(values(program), state)  # the program has copies
    with pytest.warns(UserWarning, match="not found in program. There are: other"):
        static.set_program_state(program, {"other": X, "fc_0.b_0": np.float32([1, 2, 3])})
    np.testing.assert_array_equal(values(program)["fc_0.b_0"], np.float32([1, 2, 3]))


@pytest.mark.parametrize("array", [np.ones(4, "float32"), np.ones(3)])
def test_a_state_that_does_not_fit_changes_nothing(trained, array) -> None:
    program, _, _ = trained
    before = values(program)
    with refuses(AssertionError, "set_program_state()", "does not match", "'fc_0.b_0'"):
        static.set_program_state(
            program, {"fc_0.w_0": np.zeros([4, 3], "float32"), "fc_0.b_0": array}
        )
    assert same(values(program), before)
