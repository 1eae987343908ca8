"""The code of the documents runs unchanged, and prints what they show.

Programs are cut out of the documents by their form (`>>>` lines, literate blocks, or from `import`
to the end of the code) and run with minipaddle under the name `paddle`, in processes of their own.
The folder of the documents is named by the environment variable MINIPADDLE_DOCUMENTS.
"""

import json
import os
import re
from pathlib import Path

import pytest

from tests.processes import python

from ..conftest import missing

DOCUMENTS = os.environ.get("MINIPADDLE_DOCUMENTS", "")
AS_PADDLE = """
import json, sys, minipaddle, minipaddle.autograd
sys.modules["paddle"] = minipaddle
sys.modules["paddle.autograd"] = minipaddle.autograd
for program in json.load(sys.stdin):
    exec(compile(program, "document", "exec"), {"__name__": "__main__"})
    print(end="\\f")
"""

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def documents(request: pytest.FixtureRequest) -> None:
    """Skip tests without the folder of the documents, or fail if it is required."""
    if not DOCUMENTS:
        missing(request.config, "MINIPADDLE_DOCUMENTS names no folder", "--require-documents")
    assert Path(DOCUMENTS).is_dir(), f"MINIPADDLE_DOCUMENTS names {DOCUMENTS}, which is no folder"


def document(name: str) -> str:
    return Path(DOCUMENTS, name).read_text(encoding="utf-8")


def outputs_of(programs: list[str]) -> list[str]:
    """Run programs in one process where `paddle` is minipaddle; return their outputs."""
    done = python("-c", AS_PADDLE, given=json.dumps(programs), OMP_NUM_THREADS="1")
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\f")[:-1]


def output_of(program: str) -> str:
    return outputs_of([program])[0]


def sessions(text: str) -> list[tuple[str, str]]:
    """Cut interpreter sessions into pairs of program and output."""
    runs, program, printed = [], [], []
    for line in [*text.splitlines(), ">>> import end"]:
        start = line.startswith(">>> import paddle") or line == ">>> import end"
        if start and program:
            runs.append(("\n".join(program), "\n".join(printed)))
            program, printed = [], []
        if line.startswith((">>> ", "... ")):
            program.append(line[4:])
        elif program and re.match(r"Tensor\(|\s*\[", line):
            printed.append(re.sub(r"(\]\]\)).*$", r"\1", line))
    return runs


def blocks(text: str) -> list[str]:
    """Cut the indented code blocks out of a reStructuredText file."""
    parts = re.split(r"^\.\. code-block:: python\n", text, flags=re.MULTILINE)[1:]
    cut = [re.match(r"(?:[ \t]*\n|[ ]{4}.*\n)+", part).group() for part in parts]
    return [re.sub(r"^[ ]{4}", "", code, flags=re.MULTILINE) for code in cut]


def without_indentation(text: str) -> list[str]:
    return [line.strip() for line in text.strip().splitlines()]


# ----- PyLayer and PyLayerContext -----


@pytest.mark.parametrize("name", ["PyLayer.txt", "PyLayerContext.txt"])
def test_each_session_prints_what_its_document_shows(name):
    runs = sessions(document(name))
    assert len(runs) >= 4
    outputs = outputs_of([program for program, _ in runs])
    for output, (_, printed) in zip(outputs, runs, strict=True):
        assert without_indentation(output) == without_indentation(printed)


def test_the_seeded_gradients_are_shown():
    shown = [printed for _, printed in sessions(document("PyLayer.txt")) if printed]
    assert len(shown) == 2
    assert all("0.16604150" in printed for printed in shown)


def test_each_block_of_the_older_reference_runs():
    programs = blocks(document("PyLayer-2.0.rst.txt"))
    assert len(outputs_of(programs)) == len(programs) == 4


# ----- The guide -----


def guide_programs() -> list[str]:
    """Cut the guide into its runs of code, each from the line after Chinese text to the next."""
    lines = document("custom-python-op-guide.txt").splitlines()
    runs, current = [], []
    for line in [*lines, "。"]:
        prose = re.search(r"[\u4e00-\u9fff]", line) and "#" not in line
        if not prose:
            current.append(line)
            continue
        if "".join(current).strip():
            runs.append("\n".join(current).strip("\n"))
        current = []
    return runs


def guide(*words: str) -> str:
    """Return the only run of code that contains all the words."""
    matching = [code for code in guide_programs() if all(word in code for word in words)]
    assert len(matching) == 1, f"{len(matching)} runs of code hold {words}"
    return matching[0]


HEAD = "import numpy as np\nimport paddle\nfrom paddle.autograd import PyLayer\n"


def test_the_guide_contains_the_code_that_the_tests_run():
    programs = guide_programs()
    signatures = [code for code in programs if re.search(r"^ +(pass|\.\.\.)$", code, re.MULTILINE)]
    assert (len(programs), len(signatures)) == (16, 5)


def test_the_two_steps_of_the_guide_run():
    first, second = guide("class cus_tanh", "# 调用 Paddle API"), guide("# 通过 apply 运行这个")
    printed = output_of(first + "\n" + second)
    assert re.match(r"Tensor\(shape=\[2, 3\], dtype=float32, place=Place\(cpu\), stop_g", printed)


def test_the_guide_passes_a_function_through_the_context():
    code = guide("ctx.func = func2") + "\nz.sum().backward()\nprint(input1.grad is not None)"
    assert output_of(code) == "True\n"


def test_the_wrong_example_is_an_error_and_the_right_one_runs():
    wrong, right = guide("# 错误示例").split("# 正确示例")
    indented = "\n".join(f"    {line}" for line in wrong.splitlines())
    caught = f"try:\n{indented}\nexcept ValueError as error:\n    print(error)\n"
    assert "cus_tanh" in output_of(HEAD + caught)
    assert output_of(HEAD + right).startswith("Tensor(shape=[2, 3], dtype=float32")


def test_the_example_with_an_input_that_stops_gradients_runs():
    assert output_of(HEAD + guide("fake_loss", "print(data1.grad)")).startswith(
        "Tensor(shape=[2, 3]"
    )


def test_the_example_whose_inputs_all_stop_gradients_runs():
    assert output_of(HEAD + guide("print(data1.grad is None)")) == "True\n"


@pytest.mark.parametrize(
    "call", ["backward_func=tanh_grad)", "skip_vars_in_backward_input=in_var)"]
)
def test_the_three_steps_of_the_static_guide_run(call):
    functions = guide("element_wise_add", "tanh_grad(x, y, dy)")
    others, variables = guide("def tanh_grad_without_x"), guide("in_var = paddle.static.data")
    wants = "in_var.stop_gradient = False"
    check = """
executor = paddle.static.Executor(paddle.CPUPlace())
grads = paddle.static.gradients(out_var, in_var)
fed = np.random.random([2, 28, 28]).astype("float32")
out, dx = executor.run(feed={"input": fed}, fetch_list=[out_var, grads[0]])
assert np.allclose(out, np.tanh(fed)) and np.allclose(dx, 1 - np.tanh(fed) ** 2, atol=1e-6)
print("done")
"""
    step = guide("paddle.static.nn.py_func", call)
    parts = [functions, others, variables, wants, step, check]
    assert output_of("\n".join(parts)) == "done\n"


# ----- py_func -----


def test_the_first_program_of_py_func_runs():
    printed = output_of(document("py_func_example_1.py"))
    texts = re.findall(r"- shape: \[1, 200\]\n  - layout: NCHW\n.*\n  - dtype: float32", printed)
    assert len(texts) == 4
    assert re.search(r"\[array\(\d\.\d+, dtype=float32\)\]\n$", printed)


def test_the_first_program_of_py_func_has_the_loss_of_its_seed():
    seed = "import paddle, numpy\npaddle.seed(1107); numpy.random.seed(1107)\n"
    printed = output_of(seed + document("py_func_example_1.py"))
    loss = float(re.search(r"\[array\((\d\.\d+), dtype=float32\)\]\n$", printed).group(1))
    assert loss == pytest.approx(2.3394802, abs=1e-6)


def test_the_second_program_of_py_func_runs():
    printed = output_of(document("py_func_example_2.py"))
    numbers = [int(n) for n in re.findall(r"\d+", printed.replace("int32", ""))]
    first, second, total = numbers[:6], numbers[6:12], numbers[12:]
    assert total == [a + b for a, b in zip(first, second, strict=True)]
    assert printed.endswith("dtype=int32)]\n")
