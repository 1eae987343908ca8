"""In WebAssembly, minipaddle and viz compute and draw what they do in CPython."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ..architecture.sources import ROOT
from ..conftest import missing
from . import computing
from .computing import Packed, unpacked
from .watching import functions_of

pytestmark = pytest.mark.slow

Run = Callable[[str], Any]
PARTS = ("minipaddle", "viz", "lessons/demo", "lessons/data", "pyproject.toml", "tests")
TOOLS = ("_pytest", "iniconfig", "packaging", "pluggy", "py", "pygments", "pytest")
OPTION = "--require-wasm"

# Of the C library and of the processor's own code for them. All other functions give equal bits.
CURVES = {
    "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctan2", "arctanh", "cos", "cosh", "exp",
    "expm1", "log", "log10", "log1p", "log2", "logaddexp", "power", "sin", "sinh", "tan", "tanh",
}  # fmt: skip
# Of BLAS and LAPACK: sums in another order.
MATRICES = {
    "cholesky", "det", "dot", "eig", "eigh", "eigvals", "eigvalsh", "einsum", "inv", "matmul",
    "matrix_power", "pinv", "qr", "slogdet", "solve", "svd",
}  # fmt: skip
# Most that numbers may differ: one function by ULPs of each number; several, and gradients, by
# spacings of the largest number of the array, of which most have been seen 2.4 and 5.8.
ONE_CURVE, CURVED, SUMMED = 2, 6, 16


@pytest.fixture(scope="session")
def wasm(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Runs Python in WebAssembly, in one process; the program's last line is its value as JSON."""
    node, folder = shutil.which("node"), os.environ.get("MINIPADDLE_PYODIDE", "")
    if node is None:
        missing(request.config, "Node.js is not installed", OPTION)
    if not (Path(folder) / "pyodide-lock.json").is_file():
        missing(request.config, "MINIPADDLE_PYODIDE names no folder of Pyodide", OPTION)
    archive = tmp_path_factory.mktemp("wasm") / "sources.zip"
    with zipfile.ZipFile(archive, "w") as sources:
        tools = [Path(str(importlib.util.find_spec(name).origin)) for name in TOOLS]  # type: ignore[union-attr]
        tools = [path.parent if path.stem == "__init__" else path for path in tools]
        starts = [(ROOT / part, ROOT) for part in PARTS] + [(tool, tool.parent) for tool in tools]
        for start, above in starts:
            for path in (start, *start.rglob("*")):
                if path.is_file() and path.suffix != ".pyc":
                    sources.write(path, path.relative_to(above))
    command = [node, Path(__file__).with_name("run.mjs"), Path(folder).resolve(), archive]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, text=True, encoding="utf-8", **pipes) as process:

        def run(program: str) -> Any:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.dumps(program) + "\n")
            process.stdin.flush()
            answer = json.loads(process.stdout.readline() or '{"error": "Node.js has ended."}')
            assert "error" not in answer, answer["error"]
            return json.loads(answer["value"] or "null")

        yield run
        process.stdin.close()  # type: ignore[union-attr]  # ends the process


def there(run: Run, function: str) -> Any:
    """Return what a function of `computing` returns in WebAssembly."""
    return run(f"import json; from tests.wasm import computing; json.dumps(computing.{function}())")


# ----- numbers -----------------------------------------------------------------------------------


def differ(here: Packed, other: Packed, used: set[str], forward: bool) -> bool:
    """Say whether two results differ by more than the functions that made them allow."""
    x, y = unpacked(here), unpacked(other)
    if (x.dtype, x.shape) != (y.dtype, y.shape):
        return True
    if not used & (CURVES | MATRICES) or x.dtype.kind not in "fc" or not x.size:
        return x.tobytes() != y.tobytes()
    if forward and len(used) == 1 and used <= CURVES:
        most = ONE_CURVE * np.spacing(np.abs(x))
    else:
        most = (SUMMED if used & MATRICES else CURVED) * np.spacing(np.abs(x).max())
    return not bool(np.all((x == y) | (np.abs(x - y) <= most) | (np.isnan(x) & np.isnan(y))))


def test_every_op_computes_the_same_numbers(wasm: Run) -> None:
    found, exact, wrong, unnoticed = there(wasm, "samples"), 0, [], []
    for name, op, sample, arrays in computing.drawn():
        every_used = functions_of(op, sample, arrays)
        results = computing.results(op, sample, arrays)
        for part, used in enumerate(every_used):
            used |= {"matmul"} if name.startswith("lu-") and part else set()  # in its own kernel
            exact += not used & (CURVES | MATRICES)
            for one, other in zip(results[part], found[name][part], strict=True):
                if differ(one, other, used, part == 0):
                    wrong.append((name, part))
                bad = corrupted(one)
                if bad and not differ(bad, other, used, part == 0):
                    unnoticed.append((name, part))
    assert wrong == []
    assert unnoticed == [], "a corrupted result passes"
    assert len(found) > 1900
    assert exact > 2900


def corrupted(one: Packed) -> Packed | None:
    """Return a result whose largest number is wrong in its last bits; None without numbers."""
    array = unpacked(one).copy()
    if not array.size or (array.dtype.kind in "fc" and not np.isfinite(array).all()):
        return None
    at = np.abs(array).argmax()
    if array.dtype.kind in "fc":
        array.flat[at] += 40 * np.spacing(np.abs(array.flat[at]))
    else:
        array.flat[at] ^= 1
    return computing.packed(array)


# What depends on the size of NumPy's own integers.
SUITE = (
    "ops/test_infer.py", "ops/test_gathering.py", "ops/test_indexing.py", "ops/test_creation.py",
    "contract/test_pyfunc_contract.py", "contract/test_pylayer_contract.py",
    "static/test_known_at_run.py",
)  # fmt: skip
SUITE_RUN = """
import contextlib, io, json, sys
from unittest.mock import MagicMock
for name in ("hypothesis", "hypothesis.extra", "hypothesis.strategies"):
    sys.modules[name] = MagicMock()  # its tests are left out, since it is no pure Python
import pytest
options = "-q --capture=sys -p no:faulthandler -p no:cacheprovider -c tests/wasm/suite.ini"
with contextlib.redirect_stdout(io.StringIO()) as shown:
    status = pytest.main([*options.split(), "--rootdir=.", "--confcutdir=.", *{paths}])
json.dumps([status, shown.getvalue()])
"""


def test_a_part_of_the_suite_passes(wasm: Run) -> None:
    paths = [f"tests/{name}" for name in SUITE]
    status, shown = wasm(SUITE_RUN.replace("{paths}", repr(paths)))
    assert status == 0, shown[-5000:]
    assert int(re.findall(r"(\d+) passed", shown)[-1]) > 100, shown


def test_the_documents_programs_compute_the_same(wasm: Run) -> None:
    found, shown = there(wasm, "documents")
    here, printed = computing.documents()
    assert len(found) == len(here) == 12
    sums = {"tanh", "matmul"}
    assert not any(differ(one, other, sums, False) for one, other in zip(here, found, strict=True))
    assert shown == printed.replace(", dtype=int32", "")  # NumPy's own integers are these there


# ----- pictures and texts ------------------------------------------------------------------------


def test_traces_are_saved_as_in_cpython(wasm: Run) -> None:
    found, here = there(wasm, "saved"), computing.saved()
    for ending in ("json", "svg", "txt", "text", "again"):
        assert found[ending] == here[ending], ending
    assert found["text"] == found["again"] == found["txt"]
    # Only the compressed part, which zlib decides, may differ.
    assert abs(len(found["html"]) - len(here["html"])) < 500
    start = here["html"].index('inflated(bytesIn("')
    assert found["html"][:start] == here["html"][:start]


# ----- what a browser lacks ----------------------------------------------------------------------

LACKING = {
    'trace.save("a.png")': 'await micropip.install("matplotlib")',
    'trace.save("a.pdf")': 'await micropip.install("matplotlib")',
    'trace.save("a.gif")': 'await micropip.install("pillow")',
    'trace.save("a.dot")': 'await micropip.install("graphviz")',
    'trace.save("a.svg", engine="dot")': 'await micropip.install("graphviz")',
    "trace.graphviz()": 'await micropip.install("graphviz")',
    "trace.to_networkx()": 'await micropip.install("networkx")',
    "viz.plots": 'await micropip.install("matplotlib")',
    "viz.load_ipython_extension": 'await micropip.install("ipython")',
    "paddle.vision.datasets.Digits()": 'await micropip.install("pillow")',
    "paddle.vision.transforms.resize(np.zeros((2, 2)), 4)": 'await micropip.install("pillow")',
    "paddle.vision.datasets.MNIST()": "could not be downloaded",
    "paddle.text.Imdb()": "could not be downloaded",
    "paddle.distributed.spawn(print, nprocs=2)": "a browser starts no processes",
    "paddle.set_device('gpu')": "a browser has no CUDA",
}
WORKING = {
    "viz.save_all({'a.svg': trace, 'b.txt': trace})[1].read_text() == trace.text()": True,
    "[len(each.steps) for each in viz.sweep(lambda rate: x * rate, [1.0, 2.0])]": [1, 1],
    "[b.tolist() for b in paddle.io.DataLoader([*range(4)], batch_size=2, num_workers=2)]": [
        [0, 1],
        [2, 3],
    ],
    "[str(b.dtype) for b in paddle.io.DataLoader([1, 2])]": ["paddle.int64"] * 2,
    "paddle.distributed.init_parallel_env()": None,
    "paddle.vision.models.LeNet()(paddle.ones([1, 1, 28, 28])).shape": [1, 10],
    "paddle.vision.transforms.to_tensor(np.zeros((2, 2, 3), 'uint8')).shape": [3, 2, 2],
    "main(['launch', 'x.py'])": 1,
    "main(['grade', '.'])": 1,
    "main(['doctor'])": 0,
}
PROGRAM = """
import contextlib, json, tempfile, warnings
import numpy as np
import minipaddle as paddle, viz
from minipaddle.__main__ import main
from minipaddle.engine.errors import MinipaddleError
x = paddle.to_tensor([2.0], stop_gradient=False)
with viz.record() as trace:
    x.backward()
answers = []
for text in {texts}:
    with warnings.catch_warnings(action="ignore"), contextlib.chdir(tempfile.mkdtemp()):
        try:
            answers.append(eval(text))
        except MinipaddleError as error:
            answers.append(str(error))
json.dumps(answers)
"""


def test_what_a_browser_lacks_is_an_error_that_says_what_to_do(wasm: Run) -> None:
    answers = wasm(PROGRAM.replace("{texts}", repr([*LACKING])))
    for (text, advice), answer in zip(LACKING.items(), answers, strict=True):
        assert advice in str(answer), f"{text}: {answer}"


def test_what_needs_other_processes_elsewhere_works_in_this_one(wasm: Run) -> None:
    answers = wasm(PROGRAM.replace("{texts}", repr([*WORKING])))
    assert dict(zip(WORKING, answers, strict=True)) == WORKING
