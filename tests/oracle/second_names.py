"""Write down the second names that Paddle's functions take for their arguments: `dim` for `axis`.

Call it with an interpreter that has Paddle: `python tests/oracle/second_names.py`. It writes
`minipaddle/paddle_names/second_names.txt`. Paddle documents these names nowhere, so each one is
tried: a function takes `dim` for `axis` if a wrong value under either name raises the same error,
and a value under an unknown name raises another. Each function runs in a process of its own,
because some of them crash.
"""

import itertools
import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
RECORD = ROOT / "minipaddle" / "paddle_names" / "second_names.txt"
SIGNATURES = ROOT / "tests" / "data" / "signatures.json"

PLACES = r"paddle\.(Tensor\.|fft\.|linalg\.|nn\.functional\.)?[a-z]\w*"
WORLD = r"save|load|set_|able|seed|summary|flops|cuda|xpu|rank|check|autograd|dlpack"
SECOND = [
    "A", "B", "axis", "boundaries", "dim", "dim0", "dim1", "dimension", "dims", "elements", "end",
    "end_dim", "eps", "exponent", "from", "input", "keepdim", "keepdims", "kernel_size", "lambd",
    "m", "n", "obj", "ord", "other", "output_size", "return_indices", "size", "sizes", "source",
    "start_dim", "steps", "target", "tensor", "tensors", "test_elements", "to", "type", "values",
    "vec2", "x", "x1", "x2", "y",
]  # fmt: skip
# Names that trying cannot decide: any value is fine, the errors are equal, or Paddle crashes.
KNOWN = {
    "count_nonzero": {"input": "x", "dim": "axis"},
    "diff": {"input": "x", "dim": "axis"},
    "eye": {"n": "num_rows", "m": "num_columns"},
    "fold": {
        "input": "x", "output_size": "output_sizes", "kernel_size": "kernel_sizes",
        "stride": "strides", "padding": "paddings", "dilation": "dilations",
    },
    "is_tensor": {"obj": "x"},
    "layer_norm": {"input": "x", "eps": "epsilon"},
    "nanmean": {"input": "x", "dim": "axis"},
    "pairwise_distance": {"x1": "x", "x2": "y", "eps": "epsilon"},
    "remainder": {"input": "x", "other": "y"},
    "sum": {"input": "x", "dim": "axis"},
    "where": {"input": "x", "other": "y"},
}  # fmt: skip


class Wrong:
    """A value that no argument takes."""

    def __repr__(self) -> str:
        return "Wrong"


def complaint(call: Callable[..., Any], arguments: dict[str, Any]) -> str:
    """Return the text of a call's error, or "" if it raises none."""
    try:
        call(**arguments)
    except BaseException as error:  # noqa: BLE001  (every class is an answer)
        return f"{type(error).__name__}: {error}"
    return ""


def second_names(call: Callable[..., Any], rows: list[Any], tensor: Any) -> Iterator[Any]:
    """Return pairs of a second name and its parameter."""
    names = [row[0] for row in rows if row[0][0] != "*"]
    required = [row[0] for row in rows if len(row) == 1 and row[0][0] != "*"]
    chosen: set[str] = set()
    tried = [n for n in names if n not in ("name", "out", "dtype", "device", "self")]
    for name, rest in itertools.product(tried, (tensor, 1)):
        others = {other: rest for other in required if other != name}
        if rest is not tensor and "x" in others:
            others["x"] = tensor
        wanted = complaint(call, {**others, name: Wrong()})
        nobody = complaint(call, {**others, "nobody": Wrong()})
        for second in SECOND:
            if not wanted or second in names or second in chosen:
                continue
            told = complaint(call, {**others, second: Wrong()})
            if told == wanted and told != nobody.replace("nobody", second):
                chosen.add(second)
                yield second, name


def apart(work: Callable[[], Iterator[Any]]) -> list[Any]:
    """Return what `work` yields in a process of its own, until that ends or crashes."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        try:
            for item in work():
                os.write(writing, json.dumps(item).encode() + b"\n")
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as lines:
        told = [json.loads(line) for line in lines]
    os.waitpid(child, 0)
    return told


def main() -> None:
    """Try every recorded function, and write the names found."""
    import paddle

    signatures = json.loads(SIGNATURES.read_text(encoding="utf-8"))["signatures"]
    tensor = paddle.ones([2, 3])
    pairs: dict[tuple[str, str], set[str]] = {}
    for function, known in KNOWN.items():
        for pair in known.items():
            pairs.setdefault(pair, set()).add(function)
    for path, rows in signatures.items():
        function = path.rpartition(".")[2]
        call: Any = paddle
        for step in path.split(".")[1:]:
            call = getattr(call, step, None)
        if call is None or not re.fullmatch(PLACES, path) or re.search(WORLD, path):
            continue
        if function in KNOWN:
            continue
        for second, first in apart(lambda c=call, r=rows: second_names(c, r, tensor)):
            pairs.setdefault((second, first), set()).add(function)
    made_by = "by tests/oracle/second_names.py"
    lines = [f"# Second names of arguments in PaddlePaddle {paddle.__version__}, {made_by}"]
    lines += [f"{q} {p}: {' '.join(sorted(inner))}" for (q, p), inner in sorted(pairs.items())]
    RECORD.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
