"""Hostile pickles: too much memory, endless time, foreign objects."""

import io
import pickle
import subprocess
import sys
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle.saving import pickles
from tests.each import each

from ..contract.refusal import refuses
from ..patience import PATIENCE

TABLE = "StructuredToParameterName@@"
LIMITED = """
import resource, sys
import minipaddle as paddle
resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[1]),) * 2)
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
for path in sys.argv[2:]:
    try:
        value = paddle.load(path)
    except paddle.engine.errors.MinipaddleError as error:
        print(str(error).splitlines()[0], flush=True)
    else:
        print("read a", type(value).__name__, flush=True)
"""


def load(data: bytes) -> Any:
    return paddle.load(io.BytesIO(data))


def within_limits(files: list[bytes], folder: Path) -> list[str]:
    """Load files in a process that has 2 GB and must end; return what it says of each."""
    paths = [folder / f"{number}.pd" for number in range(len(files))]
    for path, data in zip(paths, files, strict=True):
        path.write_bytes(data)
    command = [sys.executable, "-c", LIMITED, str(int(PATIENCE)), *map(str, paths)]
    return subprocess.run(command, check=False, capture_output=True, text=True).stdout.splitlines()


def array(shape: bytes, content: bytes = b"") -> bytes:
    """A pickle of an array with instructions for its shape."""
    return (
        b"cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\nK\x00\x85C\x01btR"
        b"(K\x01" + shape + b"cnumpy\ndtype\n(X\x02\x00\x00\x00f4\x89\x88tR"
        b"(K\x03X\x01\x00\x00\x00<NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb"
        b"\x89B" + len(content).to_bytes(4, "little") + content + b"tb."
    )


SHARED = b"\x80\x04)" + b"2\x86" * 45 + b"."  # 2^45 ways through 45 tuples
NEVER_ENDS = {
    "shared tuples": (SHARED, "read a tuple"),
    "a memo number": (b"\x80\x04Nr\xff\xff\xff\x07.", "memo number"),
    "bytes that are not there": (b"\x80\x04B\xff\xff\xff\x7fabc.", "cannot be read"),
    "more bytes that are not there": (
        b"\x80\x04\x8e\xff\xff\xff\xff\xff\xff\xff\x00a.", "cannot be read"
    ),
    "a text that is not there": (b"\x80\x04X\xff\xff\xff\x7fabc.", "cannot be read"),
    "a frame that is not there": (b"\x80\x04\x95\xff\xff\xff\xff\xff\xff\x00\x00N.", "be read"),
    "many sizes": (array(b"(" + b"J\xff\xff\xff\x7f" * 600_000 + b"t"), "cannot be read"),
    "an array of nothing": (array(b"(J\xff\xff\xff\x7fJ\xff\xff\xff\x7ft"), "cannot be read"),
    "lists in lists": (b"\x80\x04" + b"](" * 200_000 + b"e" * 200_000 + b".", "in each other"),
}  # fmt: skip


@pytest.mark.slow
def test_small_files_take_little_time_and_memory(tmp_path) -> None:
    said = within_limits([data for data, _ in NEVER_ENDS.values()], tmp_path)
    for (name, (_, words)), line in zip_longest(NEVER_ENDS.items(), said):
        assert words in (line or ""), f"{name}: {line}"


def test_shared_objects_stay_shared_when_read_and_written(tmp_path) -> None:
    pair = [1, paddle.ones([2])]
    paddle.save({"a": pair, "b": [pair, pair]}, tmp_path / "x")
    found = paddle.load(tmp_path / "x")
    assert found["a"] is found["b"][0] is found["b"][1]
    value: Any = ()
    for _ in range(60):  # 2^60 ways through
        value = (value, value)
    paddle.save([value], tmp_path / "y")
    assert (tmp_path / "y").stat().st_size < 1000
    (found,) = paddle.load(tmp_path / "y")
    for _ in range(60):
        assert found[0] is found[1]
        found = found[0]
    assert found == ()


def test_two_tensors_of_one_array_have_their_own_memory(tmp_path) -> None:
    tied = paddle.ones([2])
    paddle.save({"a": tied, "b": tied}, tmp_path / "x")
    state = paddle.load(tmp_path / "x")
    state["a"].add_(paddle.ones([2]))
    assert state["b"].tolist() == [1.0, 1.0]


def ring() -> Any:
    held: list[Any] = []
    held.append({"inner": held})
    return held


def test_a_list_that_contains_itself_is_an_error_in_both_directions(tmp_path) -> None:
    with refuses(ValueError, "cannot be read: a list or dict that holds itself"):
        load(pickle.dumps(ring()))
    with refuses(ValueError, "paddle.save cannot write a list or dict that holds itself"):
        paddle.save(ring(), tmp_path / "x")
    deep: list[Any] = []
    for _ in range(100):
        deep = [deep]
    with refuses(ValueError, "paddle.save cannot write more than 100 lists or dicts in each other"):
        paddle.save(deep, tmp_path / "x")
    assert list(tmp_path.iterdir()) == []
    paddle.save(deep[0], tmp_path / "x")
    assert paddle.load(tmp_path / "x") == deep[0]


# ----- what is not the file's --------------------------------------------------------------------

OURS = [
    b"cnumpy.core.multiarray\n_reconstruct\n",
    b"cnumpy.core.multiarray\nscalar\n",
    b"cnumpy\ndtype\n",
    b"c_codecs\nencode\n",
    b"ccollections\nOrderedDict\n",
    b"cbuiltins\ntuple\n",
]
CHANGES = {
    "a state": b"}X\x01\x00\x00\x00aK\x01sb.",
    "a state of slots": b"N}X\x08\x00\x00\x00__code__K\x01s\x86b.",
    "an item": b"X\x01\x00\x00\x00aK\x01s.",
    "an element": b"K\x01a.",
    "nothing, but gives it back": b".",
    "nothing, but puts it into a list": b"\x85.",
}


@each("change", CHANGES)
@each("function", OURS)
def test_no_function_is_changed_or_returned(function, change) -> None:
    with refuses(ValueError, "cannot be read"):
        load(b"\x80\x02" + function + CHANGES[change])
    assert load(pickle.dumps({"a": np.ones(2, "float32")}, 2))["a"].tolist() == [1.0, 1.0]


def test_a_value_of_a_file_is_not_changed_by_a_state() -> None:
    with refuses(ValueError, "cannot be read"):
        load(b"\x80\x02ccollections\nOrderedDict\n)R}X\x05\x00\x00\x00itemsK\x01sb.")
    with refuses(ValueError, "half an array"):
        load(b"\x80\x02cnumpy.core.multiarray\n_reconstruct\n(tR.")


def test_a_dtype_that_numpy_would_not_write_is_an_error() -> None:
    """NumPy keeps its own order for some of these, and fails hard for others."""
    whole = pickle.dumps(np.arange(2, dtype=">i4"), 3)
    assert pickles.loads(whole, "here").tolist() == [0, 1]
    with refuses(ValueError, "flags"):
        load(whole.replace(b"\x89\x88\x87", b"NN\x87"))
    with refuses(ValueError, "a dtype with fields"):
        load(whole.replace(b"NNNJ", b"NNJ"))


@each("table", [None, [1], "names", 5, {"a": 5}])
def test_a_wrong_table_of_names_is_an_error(table) -> None:
    with refuses(ValueError, f"its {TABLE} is no table of names", "paddle.save"):
        load(pickle.dumps({"a": np.ones(2), TABLE: table}))


@each("dtype", ["U3", "S3", "O", "M8[s]", "m8[s]", "f4,i4", "longdouble", "clongdouble"])
def test_elements_that_paddle_does_not_have_are_errors(dtype, tmp_path) -> None:
    odd = np.zeros(2, dtype)
    for value in ({"a": odd}, [odd], odd):
        with refuses(ValueError, "cannot be read"):
            load(pickle.dumps(value))
        with refuses(ValueError, "paddle.save cannot write a ndarray of", "astype"):
            paddle.save(value, tmp_path / "x")
    if dtype != "O":
        with refuses(ValueError, "paddle.save cannot write a"):
            paddle.save([odd[0]], tmp_path / "x")


@pytest.mark.parametrize("dtype", ["uint32", "uint64"])
def test_array_only_elements_load_only_as_arrays(dtype, tmp_path) -> None:
    paddle.save([np.ones(2, dtype)], tmp_path / "x")
    with refuses(ValueError, f"an array of {dtype}, which no Tensor can have", "return_numpy"):
        paddle.load(tmp_path / "x")
    (found,) = paddle.load(tmp_path / "x", return_numpy=True)
    assert (found.dtype, found.tolist()) == (dtype, [1, 1])


def test_only_arrays_of_tensors_become_tensors(tmp_path) -> None:
    """As in real Paddle: those that were, and all where none is known to have been one."""
    one, array = paddle.ones([1]), np.ones(2, "float32")

    def kinds(value: Any) -> list[str]:
        paddle.save(value, tmp_path / "x")
        found = paddle.load(tmp_path / "x")
        return [type(v).__name__ for v in (found.values() if isinstance(found, dict) else found)]

    assert kinds({"a": one, "b": array}) == ["Tensor", "ndarray"]
    assert kinds({"b": array}) == ["Tensor"]
    assert kinds({"a": one, "b": array, "c": {"x": 1}}) == ["Tensor", "ndarray", "dict"]
    assert kinds([array, one]) == ["ndarray", "Tensor"]


def test_keys_and_values_of_local_classes_are_errors(tmp_path) -> None:
    class Text(str):
        __slots__ = ()

    for value in ([Text("a")], {Text("a"): 1}, {(1, Text("a")): 1}, {Text("a")}):
        with refuses(ValueError, "paddle.save cannot write a Text"):
            paddle.save(value, tmp_path / "x")
    with refuses(ValueError, "paddle.save cannot write a MaskedArray"):
        paddle.save([np.ma.masked_array([1.0], [True])], tmp_path / "x")
    value = {(1, "a"): 1, None: 2, 1.5: 3, 2**70: 4, 1j: 5, b"x": 6, True: {(1, 2), "a"}}
    paddle.save(value, tmp_path / "x")
    assert paddle.load(tmp_path / "x") == value


def test_a_file_opened_as_text_is_an_error(tmp_path) -> None:
    (tmp_path / "x").write_text("hello")
    with (tmp_path / "x").open() as file, refuses(ValueError, "reads bytes", "'rb'"):
        paddle.load(file)
