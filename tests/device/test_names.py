"""What kernels use of their namespace and of its arrays is what CuPy has, as the source says."""

import ast
import re
from collections.abc import Iterator

import numpy as np
import pytest

from minipaddle.testing.stand_in import CUPY
from tests.architecture.sources import Source, load
from tests.each import each

MODULE = {*CUPY["cupy"]["functions"], *CUPY["cupy"]["others"], *CUPY["ufuncs"]}
KNOWN = MODULE | {
    f"{part}.{name}" for part in ("fft", "linalg") for name in CUPY[part]["functions"]
}
KNOWN |= {f"linalg.{name}" for name in CUPY["linalg"]["others"]}
KNOWN |= {f"lib.stride_tricks.{name}" for name in CUPY["stride_tricks"]["functions"]}
KNOWN |= {f"{ufunc}.{method}" for ufunc, methods in CUPY["ufuncs"].items() for method in methods}
MEMBERS = {*CUPY["methods"], *CUPY["attributes"]}
NOT_CUPYS = {name for name in dir(np.ndarray) if not name.startswith("_")} - MEMBERS


def dotted(node: ast.AST) -> str:
    """`xp.add.at` as text, empty for what is no chain of names."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (front := dotted(node.value)):
        return f"{front}.{node.attr}"
    return ""


def uses(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every use of the namespace, the longest chain of names each time."""
    inner = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Attribute)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and id(node) not in inner:
            name = dotted(node)
            if name.startswith("xp."):
                yield node.lineno, name.removeprefix("xp.")


def is_known(name: str) -> bool:
    """A name of CuPy's, or an attribute of one (`xp.float32.itemsize`)."""
    first = name.partition(".")[0]
    return name in KNOWN or (first in MODULE and first not in CUPY["ufuncs"])


def kernels(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and [a.arg for a in node.args.args[:1]] == ["xp"]:
            yield node


def complaints(source: Source) -> list[str]:
    """What a module uses that CuPy does not have."""
    faults = [
        f"{source.module}:{line}: xp.{name}"
        for line, name in uses(source.tree)
        if not is_known(name)
    ]
    for kernel in kernels(source.tree):
        for node in ast.walk(kernel):
            if isinstance(node, ast.Attribute) and node.attr in NOT_CUPYS:
                faults.append(f"{source.module}:{node.lineno}: .{node.attr} of an array")
    return faults


@pytest.mark.slow
def test_only_names_of_cupy_are_used() -> None:
    sources = [source for source in load("minipaddle") if re.search(r"\bxp\b", source.text)]
    assert sum(len(list(uses(source.tree))) for source in sources) > 100
    assert [line for source in sources for line in complaints(source)] == []


@each(
    "line",
    [
        "xp.spacing(x)",
        "xp.maximum.reduce(x)",
        "xp.linalg.expm(x)",
        "xp.scipy.erf(x)",
        "x.setflags(write=False)",
        "x.T.getfield(float)",
    ],
)
def test_other_names_are_noticed(line: str) -> None:
    text = f"def kernel(xp, x):\n    return {line}\n"
    assert len(complaints(Source("m", text))) == 1
    fine = text.replace(line, "xp.add.at(x, xp.float32(1), xp.linalg.norm(x.T)).sum().item()")
    assert complaints(Source("m", fine)) == []
