"""Every public function, class and member of Tensor says what a learner asks `help` for.

One sentence; shapes and dtypes where tensors go in; errors; Paddle's name for it; an example, which
runs. Public is what `__all__` of a public module names, and what `dir(paddle.Tensor)` shows.
"""

import doctest
import functools
import importlib
import inspect
import re
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import minipaddle
from minipaddle.engine.errors import NoSuchName, NotFound
from tests.each import each

from .test_docstrings import failures

PACKAGES = [
    "fft", "linalg", "nn", "nn.functional", "nn.initializer", "nn.utils", "optimizer",
    "optimizer.lr", "autograd", "io", "metric", "static", "static.nn", "device", "device.cuda",
    "random",
    "regularizer", "testing", "base", "callbacks", "text", "utils", "version", "vision",
    "vision.datasets", "vision.models", "vision.ops", "vision.transforms", "incubate.autograd",
    "distributed.fleet.utils", "dataset.mnist",
    "jit", "distribution", "amp",
]  # fmt: skip
MODULES = {f"paddle.{name}": importlib.import_module(f"minipaddle.{name}") for name in PACKAGES}
MODULES = {"paddle": minipaddle, **MODULES, "viz": importlib.import_module("viz")}
MODULES["viz.plots"] = importlib.import_module("viz.draw.plots")
OF_THE_ENGINE = {"edges", "hooks", "visit"}  # attributes of a leaf for backward


def public() -> Iterator[tuple[str, Any]]:
    """Every public callable under its first name, and every member of Tensor."""
    seen: list[Any] = []
    for path, module in MODULES.items():
        for name in module.__all__:
            value = getattr(module, name)
            if callable(value) and not any(value is other for other in seen):
                seen.append(value)
                yield f"{path}.{name}", value
    for name in dir(minipaddle.Tensor):
        if name[0] != "_" and name not in OF_THE_ENGINE:
            try:
                value = getattr(minipaddle.Tensor, name)
            except NoSuchName:  # a name of Paddle that is absent
                continue
            if not any(value is other for other in seen):
                yield f"paddle.Tensor.{name}", value


PUBLIC = dict(public())

# ----- what a docstring must say -----------------------------------------------------------------

SENTENCE = re.compile(r"\S[^\n]*( |\n)\S(.|\n)*?[.:](\s|$)")
SHAPES = re.compile(r"\b[Ss]hapes?\b|\[[A-Za-z0-9*, …]*\]|\b0-D\b|\bsizes\b")
DTYPES = re.compile(
    r"\b[Dd]types?\b|\b(float|int|complex)\d+\b|\bbools?\b|\bfloating\b|\bintegers\b"
)
ERRORS = re.compile(
    r"\b\w+Error\b|\bErrors: |\b(Invalid\w+|NotFound|OutOfRange|PermissionDenied)\b"
)

# Where no tensor goes in or comes out, there is nothing to say of shapes and dtypes.
WITHOUT_TENSORS = re.compile(
    r"viz\.|paddle\.(device|io|metric|optimizer\.lr|random|regularizer|static|testing|base|vision)\."
    r"|paddle\.(callbacks|dataset\.mnist|jit|utils|version)\.|paddle\.text\.[IU]|paddle\.Model$"
    r"|paddle\.(CPU|CUDA|CUDAPinned)Place|paddle\.(Size|ParamAttr|batch|dtype|finfo|iinfo|load|save|(manual_)?seed)$"
    r"|paddle\.(get|set|is_compiled|is_grad|enable|disable|in_dynamic|no_grad|device_guard)\w*$"
    r"|paddle\.broadcast_shapes?$|paddle\.autograd\.(Function|PyLayer|saved|why)\w*$"
    r"|paddle\.nn\.initializer\.(calculate_gain|set_global_initializer)$"
)
OF_PADDLE = re.compile(r"paddle\.")  # viz has no counterpart there


def missing(path: str, doc: str) -> list[str]:
    """What a docstring does not say."""
    wanted = {
        "a sentence": SENTENCE.match(doc),
        "errors": ERRORS.search(doc),
        "an example": ">>> " in doc,
    }
    if OF_PADDLE.match(path):
        wanted["source"] = "Source:" in doc
    if not WITHOUT_TENSORS.match(path):
        wanted |= {"shapes": SHAPES.search(doc), "dtypes": DTYPES.search(doc)}
    return [what for what, there in wanted.items() if not there]


@each("path", PUBLIC)
def test_a_docstring_has_all_parts(path: str) -> None:
    doc = inspect.getdoc(PUBLIC[path]) or ""
    assert not missing(path, doc), f"{path} lacks {', '.join(missing(path, doc))}\n{doc}"
    assert len(doc.splitlines()) <= 25


WHOLE = """Squash every element.

Shapes: any. Dtypes: all kept. Errors: none.
Source: Paddle's `paddle.tanh`.

>>> 1
1
"""


@each(
    ("said", "what"),
    [
        ("Squash every element.", "a sentence"),
        ("Shapes: any.", "shapes"),
        ("Dtypes: all kept.", "dtypes"),
        ("Errors: none.", "errors"),
        ("Source: Paddle's `paddle.tanh`.", "source"),
        (">>> 1", "an example"),
    ],
)
def test_a_missing_part_is_noticed(said: str, what: str) -> None:
    assert missing("paddle.tanh", WHOLE) == []
    assert missing("paddle.tanh", WHOLE.replace(said, "")) == [what]


def test_all_public_names_are_checked() -> None:
    assert len(PUBLIC) > 900
    assert {"paddle.tanh", "paddle.reshape_", "viz.record", "paddle.nn.Linear"} <= {*PUBLIC}


# ----- dtypes that a docstring promises -----------------------------------------------------------

PROMISE = re.compile(r"Dtypes: ([^;.\n]*) kept[.;]")
MAKERS = ("to_tensor", "ones", "zeros", "full", "arange", "rand", "eye", "linspace")
OF_WORD = {"floating": ["float16"], "integers": ["int32"], "complex": ["complex64"]}
OF_WORD["all"] = ["bool", "float16", "int32", "complex64"]


class Face(ModuleType):
    """minipaddle, where the functions that make float32 tensors make those of another dtype."""

    def __init__(self, dtype: str) -> None:
        super().__init__("paddle")
        self.wanted = dtype

    def __getattr__(self, name: str) -> Any:
        own = getattr(minipaddle, name)
        return functools.partial(self.make, own) if name in MAKERS else own

    def make(self, own: Any, *args: Any, **kwargs: Any) -> Any:
        made = own(*args, **kwargs)
        return made.astype(self.wanted) if made.dtype.name == "float32" else made


def refused(doc: str) -> list[str]:
    """Return the dtypes that a docstring promises and for which its example has no kernel."""
    found = []
    promise = PROMISE.search(doc)
    words = promise.group(1).split(", ") if promise else []
    for dtype in dict.fromkeys(d for word in words for d in OF_WORD.get(word, [])):
        names: dict[str, Any] = {"paddle": Face(dtype)}
        examples = doctest.DocTestParser().get_examples(doc)
        try:
            for example in examples:
                if not example.source.startswith("import "):
                    exec(example.source, names)
        except Exception as error:  # noqa: BLE001  (the example may show another error)
            if isinstance(error, NotFound) and "no kernel" in str(error):
                found.append(dtype)
    return found


def test_an_example_runs_with_the_dtypes_that_are_promised() -> None:
    docs = {path: inspect.getdoc(value) or "" for path, value in PUBLIC.items()}
    assert {path: wrong for path, doc in docs.items() if (wrong := refused(doc))} == {}
    false = (inspect.getdoc(minipaddle.nn.functional.relu) or "").replace("floating", "all", 1)
    assert refused(false) == ["bool", "int32", "complex64"]


# ----- examples that are made together with their functions --------------------------------------

MADE = [path for path in PUBLIC if re.search(r"Tensor\.\w+$|\w_$|vision\.models\.", path)]


@each("path", MADE)
def test_the_example_of_a_method_prints_what_it_shows(path: str) -> None:
    doc = inspect.getdoc(PUBLIC[path]) or ""
    report = failures(doctest.DocTestParser().get_doctest(doc, {}, path, None, 0))
    assert not report, report
