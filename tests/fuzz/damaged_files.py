"""Damaged files: each loads as the values that it contains, or ends in one clear error.

`python -m tests.fuzz.damaged_files SEED COUNT` damages that many files, in processes of little
time and memory, and prints the first that does harm.
"""

import functools
import io
import json
import os
import pickle
import random
import resource
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import minipaddle as paddle
import viz
from minipaddle.engine.errors import MinipaddleError
from minipaddle.saving import pickles

PADDLES = Path(__file__).parents[1] / "files" / "paddle"
SECONDS, MEMORY = 30, 3 << 30  # limits of a chunk: processor time, address space
CHUNK = 100  # files in one process
# Functions that Python's own unpickler may call to find the content of a file.
REFERENCE = {
    ("numpy", "ndarray"), ("numpy", "dtype"), ("_codecs", "encode"), ("collections", "OrderedDict"),
    ("builtins", "tuple"), ("builtins", "set"), ("builtins", "complex"),
    ("__builtin__", "tuple"), ("__builtin__", "set"), ("__builtin__", "complex"),
    ("__builtin__", "bytes"),
    *((f"numpy.{core}.multiarray", name) for core in ("core", "_core")
      for name in ("_reconstruct", "scalar")),
}  # fmt: skip
INSTRUCTIONS = (
    b"()].}N0120aebsuiotcRhjqrp\x80\x81\x85\x86\x87\x88\x89\x8a\x8c\x8e\x8f\x90\x91\x93\x94\x95"
)


# ----- whole files -------------------------------------------------------------------------------


def values() -> Any:
    """Return values as in checkpoints."""
    shared = [1, paddle.ones([2])]
    return {
        "net": {"w": paddle.arange(6.0).reshape([2, 3]), "b": paddle.to_tensor([True, False])},
        "adam": {"LR_Scheduler": {"last_epoch": 3, "last_lr": 0.1}, "m": np.zeros((0, 3), "int8")},
        "mixed": [shared, shared, (1 + 2j, None, "名"), {1, 2}, np.float32(0.5), -(2**70)],
        3: {(1, "a"): np.arange(4, dtype=">i4"), 2.5: np.asfortranarray(np.ones((2, 3)))},
    }


@functools.cache
def whole_files() -> tuple[tuple[str, bytes], ...]:
    """Return files of every writer: ours by all protocols, real Paddle's, and traces."""
    found = [("pickle", path.read_bytes()) for path in sorted(PADDLES.glob("*.pd*"))]
    for protocol in (2, 3, 4):
        for value in (values(), values()["net"]):
            file = io.BytesIO()
            paddle.save(value, file, protocol)
            found.append(("pickle", file.getvalue()))
        # static.save writes a dict of arrays; a file of protocol 5 may have another writer.
        found.append(("pickle", pickle.dumps({"w_0": np.ones((2, 2), "float32")}, protocol)))
    found.append(("pickle", pickle.dumps([np.ones(3), {"a": bytearray(b"xyz")}], 5)))
    with viz.record("a net") as trace:
        x = paddle.ones([2, 2])
        x.stop_gradient = False
        (paddle.tanh(x) @ paddle.ones([2, 2])).sum().backward()
    found.append(("trace", trace.dumps().encode()))
    return tuple(found)


# ----- damage ------------------------------------------------------------------------------------


def damaged(seed: int) -> tuple[str, bytes]:
    """Return a file with a few damaged places; equal seeds give equal files."""
    choice = random.Random(seed)
    files = whole_files()
    kind, data = files[-1] if choice.random() < 0.05 else choice.choice(files[:-1])
    for _ in range(choice.choice([1, 1, 1, 2, 4])):
        data = choice.choice(DAMAGES)(choice, data)
    return kind, data


def piece(choice: random.Random, data: bytes) -> tuple[int, int]:
    start = choice.randint(0, len(data))
    return start, min(len(data), start + choice.choice([0, 1, 1, 2, 4, 9, 40]))


def put(choice: random.Random, data: bytes, new: bytes) -> bytes:
    start, end = piece(choice, data)
    return data[:start] + new + data[choice.choice([start, end, start + len(new)]) :]


def instruction(choice: random.Random, data: bytes) -> bytes:
    return put(choice, data, bytes(choice.choices(INSTRUCTIONS, k=choice.randint(1, 3))))


def bit(choice: random.Random, data: bytes) -> bytes:
    """Flip one bit, which changes a number in the middle of an array."""
    at = choice.randrange(len(data) or 1)
    turned = bytes(byte ^ 1 << choice.randrange(8) for byte in data[at : at + 1])
    return data[:at] + turned + data[at + 1 :]


def size(choice: random.Random, data: bytes) -> bytes:
    """Return the bytes of a number: small, large, or about the length of the file."""
    width = choice.choice([1, 2, 4, 8])
    number = choice.choice([0, 1, 127, 255, len(data), 2**31 - 1, 2**32 - 1, 2**62, 2**64 - 1])
    return put(choice, data, (number % 256**width).to_bytes(width, "little"))


def again(choice: random.Random, data: bytes) -> bytes:
    start, end = piece(choice, data)
    return put(choice, data, data[start:end] * choice.choice([1, 2, 50]))


def from_another(choice: random.Random, data: bytes) -> bytes:
    _, other = choice.choice(whole_files())
    start, end = piece(choice, other)
    return put(choice, data, other[start:end])


def text(choice: random.Random, data: bytes) -> bytes:
    """Return bytes that have a meaning in JSON, or in a name."""
    words = [b'"\\ud800"', b"1e999", b"NaN", b"-1", b"null", b"[[]]", b"9" * 30]
    return put(choice, data, choice.choice([*words, b"[0,1000000000000]"]))


DAMAGES: list[Callable[[random.Random, bytes], bytes]] = [
    lambda choice, data: data[: choice.randint(0, len(data))],
    lambda choice, data: put(choice, data, b""),
    lambda choice, data: put(choice, data, choice.randbytes(choice.randint(1, 4))),
    instruction,
    bit,
    bit,
    bit,
    size,
    again,
    from_another,
    text,
]


# ----- what may come of it -----------------------------------------------------------------------


class Reference(pickle.Unpickler):
    """Python's own unpickler, with the real functions of NumPy."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in REFERENCE:
            raise ValueError(name)
        return super().find_class(module, name)


def check(kind: str, data: bytes) -> None:
    """Load a file; raise unless it gives the right value, or one of our own errors."""
    refusal = ""
    try:
        check_trace(data) if kind == "trace" else check_pickle(data)
    except MinipaddleError as error:
        refusal = str(error)
    assert not refusal or "expected" in refusal
    assert len(refusal) < 2000


def check_pickle(data: bytes) -> None:
    held = pickles.loads(data, "the file")
    try:
        wanted = Reference(io.BytesIO(data), encoding="latin1").load()
    except Exception:  # noqa: BLE001  (NumPy's own functions accept less)
        wanted = held
    assert same(held, wanted, {}), (held, wanted)
    for numpy in (True, False):
        paddle.load(io.BytesIO(data), return_numpy=numpy)


def same(one: Any, other: Any, met: dict[tuple[int, int], Any]) -> bool:
    """Say whether two values are equal, bit for bit; shared objects are compared once."""
    if type(one) is not type(other):
        return False
    if (id(one), id(other)) in met:
        return True
    met[id(one), id(other)] = one, other
    if isinstance(one, dict):
        return same(list(one.items()), list(other.items()), met)
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(
            same(a, b, met) for a, b in zip(one, other, strict=True)
        )
    if isinstance(one, (np.ndarray, np.generic)):
        bits = other.astype(other.dtype.newbyteorder("=")).tobytes()
        return (one.shape, one.tobytes()) == (other.shape, bits)
    return bool(one == other) or (one != one and other != other)


def check_trace(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "trace.json")
        path.write_bytes(data)
        trace = viz.load(path)
        assert trace.text().encode("utf-8")
        for ending in (".html", ".svg", ".dot"):
            trace.save(Path(folder, f"a{ending}"))
        assert json.loads(trace.dumps()) == trace.document


# ----- running it --------------------------------------------------------------------------------


def does_harm(work: Callable[[], None]) -> bool:
    """Say whether a call fails in a process of its own, or exceeds its limits."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        try:
            work()
        except BaseException as error:  # noqa: BLE001  (no error may reach the parent)
            print(f"{type(error).__name__}: {str(error)[:500]}", flush=True)
            os._exit(1)
        os._exit(0)
    return os.waitpid(child, 0)[1] != 0


def search(first: int, count: int) -> int | None:
    """Return the first of the seeds whose file does harm, or None."""
    for start in range(first, first + count, CHUNK):
        seeds = range(start, min(start + CHUNK, first + count))
        if does_harm(lambda seeds=seeds: [check(*damaged(seed)) for seed in seeds]):
            for seed in seeds:
                if does_harm(lambda seed=seed: check(*damaged(seed))):
                    return seed
    return None


def main(first: int, count: int) -> int:
    whole_files()
    for kind, data in whole_files():
        check(kind, data)
    seed = search(first, count)
    if seed is None:
        print(f"{count} damaged files from seed {first} on: no harm")
        return 0
    kind, data = damaged(seed)
    print(f"seed {seed}: a {kind} of {len(data)} bytes does harm:\n{data!r:.2000}")
    return 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:3])))
