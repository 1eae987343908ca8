"""English words in Chinese texts: what is no name, no code and no number is told.

A text may name what its reader has written, and what Paddle's Chinese pages leave in English. A
word such as `zeros` is a name where the recorded program says so, and English anywhere else.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import io
import re
import tokenize
from collections.abc import Iterable, Iterator, Sequence

from minipaddle.engine import errors

CHINESE = re.compile(r"[\u4e00-\u9fff]")

# Why each word may stand in a Chinese text.
NAMES: dict[str, str] = {
    "Paddle's pages leave these in English": "Tensor Program Executor PyLayer PyLayerContext hook"
    " feed fetch inplace forward backward ctx grad buffer",
    "arguments and functions of Paddle, named for themselves": "reshape unsqueeze detach tanh relu"
    " sigmoid softmax argmax clip concat dropout apply groups max sum mask paddle out"
    " func nprocs op ReduceOp DataParallel DataLoader",
    "words and values of Python": "Python None True False NaN Inf int float bool list tuple return"
    " with as def self if elif else",
    "programs and products": "Paddle PaddlePaddle PyTorch NumPy CuPy JavaScript Jupyter Notebook"
    " LSTM LeNet transformer mpiexec pickle openmpi mpich",
    "words that Paddle's Chinese pages leave, of machines and Programs": "GPU CPU MPI API PIR rank"
    " NVIDIA bucket",
    "people, collections and licences": "E Alpaydin C Kaynak Yann LeCun UCI CC BY Apache",
    "operations as boxes call them": "add multiply conv",
    "names in a lesson's drawing and in code that it quotes": "result input left sums starts dout"
    " logits",
    "keys": "Esc Enter Home End Shift c f t m o p q n r",
    "units": "kB MB",
    "terms that the lessons give in both languages": "finite difference tape fan bias context"
    " kink straight through logit batch query key",
    "signs of mathematics": "e x y a b t dx dy da db dw",
    "a letter that is spoken of": "s k X",
    "what ranks do together, and through what": "reduce broadcast gather scatter alltoall MPI",
    "what NaN stands for": "not a number",
}
EXCEPTIONS = {
    name
    for module in (builtins, errors)
    for name, value in vars(module).items()
    if isinstance(value, type) and issubclass(value, BaseException)
}
# What texts are filled with: types, calls and arguments, numbers that are none, units; `it` for
# what has no name.
RECORDED = {"NoneType", "str", "ndarray", "minimize", "limit", "megabytes", "nan", "inf"}
RECORDED |= {"B", "KiB"}
KNOWN = frozenset(" ".join(NAMES.values()).split()) | EXCEPTIONS | RECORDED

# What is code wherever it stands: `this`, {holes}, calls(), dotted.names, 'quoted', x_y, x@GRAD.
CODE = re.compile(
    r"""`[^`]*` | \{[^{}]*\} | \$\$?[^$]*\$\$? | "[^"\s]*" | '[^'\s]*' | </?\w+[^<>]*>
    | \w+(?:\.\w+)*\([^()\u4e00-\u9fff]*\)      # a call
    | \w*\.\w[\w.]*                             # a dotted name
    | \w*[_@\d][\w@.]*                          # a name with a sign or a digit in it
    | \w+=\S*                                   # an argument
    | \w+…                                      # a name that is cut off
    """,
    re.VERBOSE | re.ASCII,
)
WORD = re.compile(r"[A-Za-z]+")


def foreign(text: str, names: Iterable[str] = ()) -> list[str]:
    """The words of a Chinese text that are neither names nor code."""
    own = {word for name in names for word in WORD.findall(name)}
    return [word for word in WORD.findall(CODE.sub(" ", text)) if word not in KNOWN | own]


def complaints(texts: Iterable[tuple[str, str]], names: Iterable[str] = ()) -> list[str]:
    """Of texts with their places: each foreign word, and where it stands."""
    own = list(names)
    return [f"{place}: {word} in {text!r}" for place, text in texts for word in foreign(text, own)]


def literals(place: str, tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Every literal with Chinese in it, with the place; what is filled in is left open."""
    inside = {id(part) for node in ast.walk(tree) for part in pieces(node)}
    for node in ast.walk(tree):
        text = ""
        if isinstance(node, ast.JoinedStr):
            text = "".join(
                str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values
            )
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in inside
        ):
            text = node.value
        if CHINESE.search(text):
            yield f"{place}:{getattr(node, 'lineno', 0)}", text


def pieces(node: ast.AST) -> list[ast.expr]:
    """What is no text of its own: the pieces of an f-string; a docstring, which users never see."""
    if isinstance(node, ast.JoinedStr):
        return node.values
    return [node.value] if isinstance(node, ast.Expr) else []


def raised(lines: Sequence[str]) -> set[str]:
    """What the program says itself in its exceptions."""
    return set(re.findall(r"raise \w+\((.*)\)", "\n".join(lines)))


def identifiers(lines: Sequence[str]) -> set[str]:
    """What code names: no comments, no texts."""
    found: set[str] = set()
    tokens = tokenize.generate_tokens(io.StringIO("\n".join(lines)).readline)
    # What is recorded may be a piece of a file, cut somewhere.
    with contextlib.suppress(tokenize.TokenError, IndentationError, SyntaxError):
        found.update(token.string for token in tokens if token.type == tokenize.NAME)
    return found
