"""The op that CONTRIBUTING.md adds, added to a copy of the project."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import minipaddle as paddle, viz
from minipaddle import static
x = paddle.to_tensor([2.0], stop_gradient=False)
with viz.record() as trace:
    y = paddle.cube(x)
    y.backward()
print(float(x.cube()), float(x.grad), paddle.cube.__doc__)
print(trace.text())
dx, = paddle.grad(paddle.cube(x), x, create_graph=True)
print(float(paddle.grad(dx, x)[0]))
paddle.enable_static()
v = static.data("v", [1])
v.stop_gradient = False
grads = static.gradients(paddle.cube(v), v)
print([op.type for op in static.default_main_program().global_block().ops])
print(static.Executor().run(feed={"v": [2.0]}, fetch_list=grads))
"""


def example() -> str:
    """The block of code under the heading."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    block = re.search(r"## Add an op.*?```python\n(.*?)```", text, re.DOTALL)
    assert block is not None
    return block[1]


@pytest.mark.slow
def test_the_example_op_works_everywhere(tmp_path):
    for name in ("minipaddle", "viz", "tests"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    family = tmp_path / "minipaddle/ops/elementwise/exponential.py"
    family.write_text(f"{family.read_text(encoding='utf-8')}\n\n{example()}", encoding="utf-8")

    def run(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    (tmp_path / "program.py").write_text(PROGRAM)
    said = run("program.py")
    assert "8.0 12.0 Every element to the third power." in said
    assert "y = x³" in said
    assert "dx = dy · 3 · x²" in said
    assert "\n12.0\n" in said
    assert "'cube', 'fill_any_like', 'cube_grad'" in said
    tested = run(
        "-m", "pytest", "-q", "tests/ops", "tests/static/test_same_as_eager.py", "-k", "cube"
    )
    passed = re.search(r"(\d+) passed", tested)
    assert passed is not None
    assert int(passed[1]) >= 3, tested
