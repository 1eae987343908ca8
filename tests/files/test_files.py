"""`paddle.save` and `paddle.load`: files of real Paddle, files for it, damaged and hostile ones."""

import io
import json
import os
import pickle
import pickletools
import subprocess
from pathlib import Path

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle import nn
from tests.each import each

from ..contract.refusal import refuses
from .make import shown

PADDLES = Path(__file__).parent / "paddle"
FILES = sorted(path.name for path in PADDLES.iterdir() if path.suffix != ".json")
LOADED = json.loads((PADDLES / "loaded.json").read_text(encoding="utf-8"))
ORACLE = os.environ.get("MINIPADDLE_ORACLE")
READ_AGAIN = """
import json, sys
sys.path.insert(0, sys.argv[1])
import paddle
from tests.files.make import shown
print(json.dumps([shown(paddle.load(path)) for path in sys.argv[2:]]))
"""


def net():
    return nn.Sequential(nn.Linear(3, 2), nn.ReLU(), nn.Linear(2, 1))


def told(path):
    """What a file holds, in the form of the record; an array that was alone has no name."""
    held = json.loads(json.dumps(shown(paddle.load(str(path)))))
    return held | {"tensor": LOADED["array.pd"]["tensor"]} if path.name == "array.pd" else held


# ----- files of real Paddle -----


@each("name", FILES)
def test_a_file_of_real_paddle_reads_as_it_does_there(name) -> None:
    assert told(PADDLES / name) == LOADED[name]


@each("name", [n for n in FILES if n not in ("bfloat16.pd", "array.pd")])
def test_a_file_that_is_saved_again_is_the_same_pickle(name, tmp_path) -> None:
    copy = tmp_path / "copy"
    paddle.save(paddle.load(str(PADDLES / name)), str(copy), 2 if "protocol2" in name else 4)
    wanted, found = opcodes(PADDLES / name), opcodes(copy)
    if ".pd" + name.split(".pd")[1] in (".pdparams", ".pdopt"):
        assert found == wanted  # Paddle's pairs have a longer form in other values
    assert told(copy) == LOADED[name]


def opcodes(path):
    """A pickle's instructions, whichever NumPy wrote it."""
    steps = [(op.name, arg) for op, arg, _ in pickletools.genops(path.read_bytes())]
    return [
        (name, arg.replace("numpy._core", "numpy.core") if isinstance(arg, str) else arg)
        for name, arg in steps
        if name != "FRAME"
    ]


def test_a_net_continues_with_real_paddles_weights_and_moments() -> None:
    mine = net()
    mine.set_state_dict(paddle.load(str(PADDLES / "net.pdparams")))
    rate = paddle.optimizer.lr.StepDecay(0.1, 2)
    adam = paddle.optimizer.Adam(rate, parameters=mine.parameters())
    state = paddle.load(str(PADDLES / "adam.pdopt"))
    assert state["LR_Scheduler"]["last_epoch"] == 3
    names = [p.name for p in mine.parameters()]
    assert [k for k in state if k.endswith("moment1_0")] == [f"{n}_moment1_0" for n in names]
    adam.set_state_dict(state)
    assert rate.last_epoch == 3
    moments = {k: v for k, v in adam.state_dict().items() if k.endswith("moment2_0")}
    for key, value in moments.items():
        np.testing.assert_array_equal(value.numpy(), state[key].numpy())
    assert len(moments) == 4


@pytest.mark.oracle
@pytest.mark.skipif(not ORACLE, reason="MINIPADDLE_ORACLE names no Python with Paddle")
def test_real_paddle_reads_our_files(tmp_path) -> None:
    for name in FILES:
        paddle.save(paddle.load(str(PADDLES / name)), str(tmp_path / name))
    paths = [str(tmp_path / name) for name in FILES]
    root = str(Path(__file__).parents[2])
    run = subprocess.run(
        [ORACLE, "-c", READ_AGAIN, root, *paths], capture_output=True, text=True, check=True
    )
    found = dict(zip(FILES, json.loads(run.stdout.splitlines()[-1]), strict=True))
    for name in set(FILES) - {"array.pd"}:
        assert found[name] == told(tmp_path / name), name


# ----- there and back -----


def test_a_state_dict_keeps_values_and_names(tmp_path) -> None:
    first, second = net(), net()
    path = str(tmp_path / "new" / "folder" / "net.pdparams")
    paddle.save(first.state_dict(), path)
    state = paddle.load(path)
    assert [t.name for t in state.values()] == [p.name for p in first.parameters()]
    assert all(t.stop_gradient for t in state.values())
    assert second.set_state_dict(state) == ([], [])
    for a, b in zip(first.parameters(), second.parameters(), strict=True):
        np.testing.assert_array_equal(a.numpy(), b.numpy())
    raw = pickle.loads(Path(path).read_bytes())
    assert raw["StructuredToParameterName@@"]["0.weight"] == first[0].weight.name


def test_load_returns_arrays_and_the_table_of_names_on_request(tmp_path) -> None:
    path = str(tmp_path / "net.pdparams")
    paddle.save({"w": paddle.ones([2])}, path)
    assert isinstance(paddle.load(path, return_numpy=True)["w"], np.ndarray)
    assert list(paddle.load(path)) == ["w"]
    assert "w" in paddle.load(path, keep_name_table=True)["StructuredToParameterName@@"]


def test_open_files_and_path_objects_are_taken(tmp_path) -> None:
    file = io.BytesIO()
    paddle.save([paddle.ones([2]), "text"], file)
    file.seek(0)
    tensor, text = paddle.load(file)
    assert (tensor.tolist(), text) == ([1.0, 1.0], "text")
    paddle.save({}, tmp_path / "empty.pd")
    assert paddle.load(tmp_path / "empty.pd") == {}


@each("protocol", [2, 3, 4])
def test_every_protocol_can_be_written(protocol, tmp_path) -> None:
    value = {"a": [paddle.ones([2]), {1, 2}, 1j, None, True], "b": {"c": np.float64(2.0)}}
    paddle.save(value, str(tmp_path / "x"), protocol=protocol)
    raw = (tmp_path / "x").read_bytes()
    assert raw[:2] == b"\x80" + bytes([protocol])
    found = paddle.load(str(tmp_path / "x"))
    assert found["a"][0].tolist() == [1.0, 1.0]
    assert found["a"][1:] == [{1, 2}, 1j, None, True]
    assert found["b"]["c"] == 2.0


# ----- what is refused -----


def test_values_that_no_file_can_store_are_errors(tmp_path) -> None:
    path = str(tmp_path / "x")
    with refuses(ValueError, "paddle do not support saving `paddle.nn.Layer`", "state_dict()"):
        paddle.save({"a": nn.Linear(1, 1)}, path)
    with refuses(ValueError, "cannot write a function"):
        paddle.save([net], path)
    with refuses(ValueError, "cannot write a ndarray"):
        paddle.save(np.array([object()]), path)
    with refuses(ValueError, "protocol=5"):
        paddle.save({}, path, protocol=5)
    with refuses(ValueError, "filename is empty"):
        paddle.save({}, str(tmp_path) + "/")
    with refuses(ValueError, "save()", "foo"):
        paddle.save({}, path, foo=1)
    with refuses(NotImplementedError, "use_binary_format"):
        paddle.save(paddle.ones([1]), path, use_binary_format=True)
    with refuses(ValueError, "got int"):
        paddle.save({}, 3)
    assert list(tmp_path.iterdir()) == []


def test_missing_and_foreign_files_are_errors(tmp_path) -> None:
    path = tmp_path / "net.pdparams"
    paddle.save({}, str(path))
    with refuses(ValueError, "to load model not exists", "full file name", "net.pdparams')"):
        paddle.load(str(tmp_path / "net"))
    with refuses(ValueError, "which is a folder"):
        paddle.load(str(tmp_path))
    with refuses(ValueError, "load()", "foo"):
        paddle.load(str(path), foo=1)
    program = tmp_path / "net.pdmodel"
    program.write_bytes(b"\n\xc2\x18")
    with refuses(ValueError, "a program of real Paddle", "paddle.static.load"):
        paddle.load(str(program))
    for damaged in (b"{", b"{}", b'{"format": ' + b"[" * 100_000):
        program.write_bytes(damaged)
        with refuses(ValueError, "no Program", "net.pdmodel"):
            paddle.load(str(program))
    path.write_bytes(b"hello")
    with refuses(ValueError, "cannot be read"):
        paddle.load(str(path))


def test_a_program_and_its_values_come_back_and_compute_the_same(tmp_path) -> None:
    paddle.enable_static()
    x = paddle.static.data("x", [None, 3])
    y = paddle.static.nn.fc(x, 2, activation="tanh")
    exe, program = paddle.static.Executor(), paddle.static.default_main_program()
    exe.run(paddle.static.default_startup_program())
    feed = {"x": np.random.default_rng().standard_normal([4, 3], np.float32)}
    (want,) = exe.run(feed=feed, fetch_list=[y])
    paddle.save(program, str(tmp_path / "model.pdmodel"))
    paddle.save(program.state_dict(), str(tmp_path / "model.pdparams"))
    exe.run(paddle.static.default_startup_program())  # draws other values
    again = paddle.load(str(tmp_path / "model.pdmodel"))
    (other,) = exe.run(again, feed=feed, fetch_list=[y.name])
    again.set_state_dict(paddle.load(str(tmp_path / "model.pdparams")))
    (got,) = exe.run(again, feed=feed, fetch_list=[y.name])
    assert (got == want).all()
    assert (other != want).any()
    paddle.optimizer.SGD(0.1).minimize(y.mean())
    with refuses(ValueError, "fill_constant", "cannot be written into a file"):
        paddle.save(program, str(tmp_path / "other.pdmodel"))
    assert not (tmp_path / "other.pdmodel").exists()
    paddle.disable_static()


@each("share", [0.0, 0.1, 0.5, 0.9, 0.99])
def test_a_file_cut_short_is_an_error_and_the_net_keeps_its_values(share, tmp_path) -> None:
    whole = (PADDLES / "net.pdparams").read_bytes()
    path = tmp_path / "cut.pdparams"
    path.write_bytes(whole[: int(len(whole) * share)])
    mine = net()
    before = [p.numpy().copy() for p in mine.parameters()]
    with refuses(ValueError, "cut.pdparams' cannot be read", "save it again"):
        mine.set_state_dict(paddle.load(str(path)))
    for parameter, value in zip(mine.parameters(), before, strict=True):
        np.testing.assert_array_equal(parameter.numpy(), value)


class Hostile:
    def __reduce__(self):
        return os.system, ("echo this must not run",)


class Hidden:
    def __reduce__(self):
        return getattr, ("a text", "upper")


@each(
    ("data", "name"),
    [
        (pickle.dumps({"w": np.ones(2), "x": Hostile()}), "system"),
        (pickle.dumps({"w": np.ones(2), "x": Hidden()}), "getattr"),
        (pickle.dumps([Path("/")]), "Path"),
        (b"c__builtin__\neval\n(S'1'\ntR.", "eval"),
        (b"cnumpy\nload\n(S'x'\ntR.", "load"),
    ],
)
def test_a_file_that_calls_a_function_is_an_error_with_its_name(data, name, tmp_path) -> None:
    path = tmp_path / "hostile.pdparams"
    path.write_bytes(data)
    with refuses(RuntimeError, "asks to call", name):
        paddle.load(str(path))
