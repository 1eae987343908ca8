"""Every public function raises an explained error for an argument of a wrong type."""

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import minipaddle as paddle
from minipaddle.engine import errors
from minipaddle.engine.errors import MinipaddleError
from minipaddle.ops.boundary import explain
from tests.contract.refusal import refused, refused_in_both, refuses
from tests.each import each

MODULES = {"paddle": paddle, "functional": paddle.nn.functional, "linalg": paddle.linalg}
KINDS = inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
WRONG: list[Any] = [None, "a", [], [1, "a"], 3, object()]
OF_ALIASES = {"tensor": "to_tensor"}  # the name that their errors have
ELSEWHERE = {"paddle.save", "paddle.load", "paddle.set_default_dtype"}  # files, a setting


def required(function: Callable[..., Any]) -> int:
    """Return the number of required positional arguments."""
    parameters = inspect.signature(function).parameters.values()
    return sum(p.kind in KINDS and p.default is p.empty for p in parameters)


def functions() -> Iterator[Any]:
    for path, module in MODULES.items():
        for name in module.__all__:
            value = getattr(module, name)
            plain = callable(value) and not isinstance(value, type) and not inspect.ismodule(value)
            if plain and f"{path}.{name}" not in ELSEWHERE and required(value):
                yield pytest.param(value, id=f"{path}.{name}")


FUNCTIONS = list(functions())


def test_many_functions_are_tested() -> None:
    assert len(FUNCTIONS) > 450


@pytest.mark.filterwarnings("ignore")
@each("function", FUNCTIONS)
def test_an_argument_of_a_wrong_type_raises_an_explained_error(
    function: Callable[..., Any],
) -> None:
    count = required(function)
    for position in range(count):
        for wrong in WRONG:
            args = [paddle.ones([2, 2]) for _ in range(count)]
            args[position] = wrong
            try:
                function(*args)
            except MinipaddleError as error:
                text = str(error)
                named = re.match(r"(\w+)\(\)", text)
                known = {function.__name__, OF_ALIASES.get(function.__name__)}
                assert named is None or named[1] in known, text
                assert "\n  expected  " in text, text
                assert "\n  to do     " in text, text
            # All other errors are those of Python: they fail this test.


class Shapeless:
    """A class without any attribute of a Tensor."""

    def __repr__(self) -> str:
        return "a Shapeless"


@each(
    ("call", "name", "argument", "position"),
    [
        (paddle.t, "t", "input", 0),
        (paddle.diff, "diff", "x", 0),
        (paddle.rot90, "rot90", "x", 0),
        (lambda x: paddle.softmax(input=x), "softmax", "input", 0),
        (lambda x: paddle.inner(paddle.ones([2]), x), "inner", "y", 1),
        (paddle.nn.functional.glu, "glu", "x", 0),
        (paddle.linalg.cov, "cov", "x", 0),
        (lambda x: paddle.concat([paddle.ones([2]), x]), "concat", "x", 0),
        (lambda x: paddle.block_diag([x]), "block_diag", "inputs", 0),
        (paddle.normal_, "normal_", "x", 0),
    ],
)
def test_the_argument_that_is_no_tensor_is_named(
    call: Any, name: str, argument: str, position: int
) -> None:
    told = f"{name}(): argument '{argument}' (position {position}) must be Tensor"
    with refuses(ValueError, told, "received  Shapeless a Shapeless"):
        call(Shapeless())


@each("name", ["concat", "stack", "hstack"])
def test_an_error_about_a_missing_list_does_not_suggest_to_wrap_a_tensor(name: str) -> None:
    call, x = getattr(paddle, name), paddle.ones([2, 1])
    for given in [(x,), (x, x)] if name == "concat" else [(x,)]:
        with refuses(ValueError, "one Tensor float32 [2, 1]", f"{name}([...])"):
            call(*given)


def numbers(dtype: str) -> Any:
    return paddle.ones([2, 2], dtype)


ONES, ZEROS, LINALG = paddle.ones, paddle.zeros, paddle.linalg
WHOLE, ONE, TWO = numbers("int64"), paddle.to_tensor([1]), ONES([2])
X, FUNCTIONAL = paddle.arange(12, dtype="float32").reshape([3, 4]), paddle.nn.functional


# Mistakes that no case of `tests/oracle` has; x is of float32 [2, 2].
@each(
    ("call", "kind"),
    [
        (lambda x: paddle.allclose(x, x, atol="a"), TypeError),
        (lambda x: LINALG.matrix_rank(x, tol="a"), TypeError),
        # Two tensors.
        (lambda x: LINALG.triangular_solve(ZEROS([2, 2]), ONES([2, 1])), ValueError),
        (lambda x: LINALG.matrix_norm(x, "fro", 1), ValueError),
        # Reductions, orders and counts.
        (lambda x: paddle.argmax(x, axis=1.0), errors.InvalidType),
        (lambda x: paddle.topk(x, k=1.0), errors.InvalidType),
        (lambda x: paddle.gcd(x, x), errors.NotFound),
        (lambda x: paddle.linalg.det(x[0]), errors.InvalidArgument),
        (lambda x: paddle.quantile(ZEROS([0]), 0.5), errors.InvalidArgument),
        (lambda x: paddle.histogram_bin_edges(x, bins=0), errors.InvalidArgument),
        # Operators.
        (lambda x: "a" - x, TypeError),
        (lambda x: x / "a", TypeError),
        (lambda x: WHOLE % 0, RuntimeError),
        (lambda x: WHOLE**-1, ValueError),
        # Tensors that are made.
        (lambda x: paddle.assign("a"), TypeError),
        (lambda x: paddle.assign([1], 3), TypeError),
        (lambda x: paddle.tolist([1]), TypeError),
        (lambda x: paddle.normal("a"), TypeError),
        (lambda x: paddle.asarray([1], copy=False), ValueError),
        (lambda x: paddle.where_(x > 0, 1.0, x), TypeError),
        (lambda x: x.clone().random_(generator=1), ValueError),
        # Elements that are taken or moved.
        (lambda x: paddle.index_add(X, ONE, 0, X), ValueError),
        (lambda x: paddle.index_put(X, [ONE] * 3, paddle.to_tensor(1.0)), ValueError),
        (lambda x: paddle.select_scatter(X, ONE, 0, 1), ValueError),
        (lambda x: paddle.narrow(X, 0, paddle.to_tensor([0, 1]), 1), ValueError),
        (lambda x: paddle.unfold(X, 0, paddle.to_tensor([1, 2]), 1), ValueError),
        (lambda x: paddle.diagonal_scatter(X, TWO), ValueError),
        # Networks.
        (lambda x: FUNCTIONAL.conv2d(ONES([1, 1, 2, 4]), ONES([1, 1, 3, 3])), MinipaddleError),
        (lambda x: FUNCTIONAL.max_pool2d(ONES([1, 1, 2, 4]), 4), MinipaddleError),
    ],
)
def test_other_mistakes_raise_their_errors(
    call: Callable[[Any], Any], kind: type[Exception]
) -> None:
    refused(call, kind, paddle.ones([2, 2]))


def explained(call: Callable[[], Any], **given: Any) -> Any:
    """Return the explanation of an error in a function of ours with these arguments."""

    def ours(x: Any, axis: Any = None) -> None: ...

    with pytest.raises(AttributeError) as caught:
        call()
    return explain(ours, "ours", (), given, caught.value.with_traceback(None))


def test_a_bug_of_ours_is_not_reported_as_a_wrong_argument() -> None:
    x: Any = paddle.ones([2])
    assert explained(lambda: x.no_such_method, x=x) is None
    assert explained(lambda: paddle.no_such_function, x=x) is None


def test_a_non_tensor_is_reported_only_where_a_tensor_belongs() -> None:
    none: Any = None
    assert "argument 'x' (position 0) must be Tensor" in str(explained(lambda: none.shape, x=None))
    text = str(explained(lambda: none.shape, x=paddle.ones([2]), axis=None))
    assert "must be Tensor" not in text
    assert "received  x float32 [2], axis None" in text


@each("kind", [AttributeError, TypeError, ValueError, IndexError])
def test_errors_of_the_users_own_function_pass_unchanged(kind: type[Exception]) -> None:
    raised = kind("mine")

    def distance(x: Any, y: Any) -> Any:
        raise raised

    x = paddle.ones([2, 2])
    with pytest.raises(kind) as caught:
        paddle.nn.functional.triplet_margin_with_distance_loss(x, x, x, distance)
    assert caught.value is raised


def test_modules_of_ops_construct_no_errors_themselves() -> None:
    spelled = {name for name, cls in vars(errors).items() if isinstance(cls, type)}
    spelled &= {cls.__name__ for cls in MinipaddleError.__subclasses__()} | {"ModeError"}
    complaints = [
        f"{path}:{node.lineno}"
        for path in sorted(Path(paddle.ops.__file__).parent.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)
        if isinstance(node.exc.func, ast.Name) and node.exc.func.id in spelled
    ]
    assert not complaints


ROW, DOUBLE, BOX = ONES([2, 3]), ONES([2, 3], "float64"), ONES([1, 2, 3])
EMPTY, IMAGE = ZEROS([2, 0]), ONES([1, 1, 2, 2])


@each(
    ("call", "kind", "words"),
    [
        (
            lambda: paddle.heaviside(ROW, DOUBLE),
            ValueError,
            "heaviside() x float32 y float64 [2, 3]",
        ),
        (lambda: paddle.stack([DOUBLE, ROW]), ValueError, "stack() x[0].astype x[1] float64"),
        (lambda: paddle.cross(ROW, BOX), ValueError, "cross() y [1, 2, 3]"),
        (lambda: paddle.index_select(ROW, ROW.astype("int64")), ValueError, "index.flatten()"),
        (lambda: paddle.tril(paddle.ones([2])), ValueError, "tril() x 2 paddle.unsqueeze(x, 0)"),
        (lambda: FUNCTIONAL.softshrink(ROW, 1j), TypeError, "softshrink() threshold complex 1j"),
        (lambda: paddle.t(BOX), ValueError, "t() input 2 [1, 2, 3] paddle.transpose(x, perm)"),
        (lambda: FUNCTIONAL.conv2d(ROW, ROW), ValueError, "conv2d() x 4 [2, 3]"),
        (lambda: FUNCTIONAL.conv2d(IMAGE, IMAGE.astype("float64")), ValueError, "x weight.astype"),
        (lambda: paddle.linalg.qr(ROW, "q"), ValueError, "qr() mode 'reduced' 'complete' 'r' 'q'"),
        (lambda: paddle.repeat_interleave(ROW, 0), ValueError, "repeats >= 1 repeats=0"),
        (lambda: paddle.polygamma(ROW, -1), ValueError, "polygamma() n >= 0 n=-1"),
        (lambda: paddle.sgn(ROW.astype("int64")), TypeError, "sgn() x float32 complex128 int64"),
        (lambda: paddle.take(ROW, ROW), TypeError, "take() index int32 int64 float32"),
        (lambda: paddle.unique(ROW, dtype="int8"), NotImplementedError, "unique() int32 'int8'"),
        (lambda: paddle.mode(EMPTY), ValueError, "mode() x -1 [2, 0]"),
        (lambda: paddle.max(EMPTY, 1), ValueError, "max() x 1 [2, 0]"),
        (lambda: paddle.roll(ROW, [1, 2], [0]), ValueError, "roll() shifts axis (1, 2) (0,)"),
        (lambda: paddle.moveaxis(ROW, [0], [0, 1]), AssertionError, "source destination (0, 1)"),
        (lambda: paddle.trapezoid(ROW, ROW, 1.0), ValueError, "trapezoid() x dx 1.0"),
        (
            lambda: paddle.masked_fill(ROW, ROW > 0, ROW),
            ValueError,
            "masked_fill() value[0] [2, 3]",
        ),
    ],
)
def test_shared_errors_have_both_languages(
    call: Callable[[], Any], kind: type[Exception], words: str
) -> None:
    refused_in_both(call, kind, words)


def test_arguments_that_violate_annotations_are_named() -> None:
    square = paddle.ones([2, 2])
    for call, words in [
        (lambda: paddle.linalg.matrix_power(square, 1.5), ("matrix_power()", "n ", "1.5")),
        (lambda: paddle.round(square, 1.5), ("round()", "decimals", "1.5")),
        (lambda: paddle.triu(square, 1.5), ("triu()", "diagonal", "1.5")),
        (lambda: paddle.tril_indices(2, 2, 1.5), ("tril_indices()", "offset", "1.5")),
        (lambda: paddle.zeros([2.0, 3]), ("zeros()", "shape", "2.0")),
    ]:
        with refuses(TypeError, *words):
            call()
