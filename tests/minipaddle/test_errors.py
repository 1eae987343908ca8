"""Errors say what is wrong, what was expected and received, what to do, and where."""

import inspect
import pickle
import re
from typing import Any

import pytest

import minipaddle as paddle
from minipaddle.engine import errors
from minipaddle.messages import Message, Row
from tests.each import each
from tests.samples import pylayer

KINDS = {
    errors.InvalidArgument: ValueError,
    errors.InvalidType: TypeError,
    errors.OutOfRange: IndexError,
    errors.DivisionByZero: ZeroDivisionError,
    errors.InvalidName: KeyError,
    errors.NotFound: RuntimeError,
    errors.PermissionDenied: RuntimeError,
    errors.PreconditionNotMet: RuntimeError,
    errors.AlreadyExists: RuntimeError,
    errors.Unimplemented: NotImplementedError,
    errors.NoSuchName: AttributeError,
    errors.NoSuchImport: ImportError,
    errors.NoSuchFile: FileNotFoundError,
    errors.Fatal: SystemError,
    errors.External: OSError,
    errors.CheckFailed: AssertionError,
    errors.ModeError: AssertionError,
}


@each(("kind", "python"), list(KINDS.items()))
def test_each_error_class_extends_the_class_that_paddle_raises(kind: Any, python: type) -> None:
    error = kind("wrong.", expected=1, received=2, fix="mend it")
    assert isinstance(error, python)
    assert isinstance(error, errors.MinipaddleError)
    line = inspect.currentframe().f_lineno - 3  # type: ignore[union-attr]
    assert str(error).split("\n") == [
        "wrong.",
        "  expected  1",
        "  received  2",
        "  to do     mend it",
        f"  at        tests/minipaddle/test_errors.py:{line}",
    ]


def test_every_kind_is_in_the_table() -> None:
    found = {
        value
        for value in vars(errors).values()
        if isinstance(value, type) and issubclass(value, errors.MinipaddleError)
    }
    assert found - {errors.MinipaddleError} >= set(KINDS)
    for kind in found - set(KINDS) - {errors.MinipaddleError}:
        assert any(issubclass(kind, known) for known in KINDS), f"{kind} is no Python error"


def test_shared_slots_fill_every_part_without_slots_of_its_own() -> None:
    error = errors.InvalidArgument(
        Message("{names} {names:is|are} no longer needed."),
        expected=Message("{n} MB", n=3),
        received="{n}",
        fix=Message("{row} and {next}"),
        slots={"names": Row(["x", "y"]), "n": 5, "row": "a", "next": "b"},
    )
    assert {name: part.en for name, part in error.parts.items()} == {
        "what": "x and y are no longer needed.", "expected": "3 MB", "received": "{n}",
        "fix": "a and b",
    }  # fmt: skip
    assert error.message.zh.splitlines()[-1] == "  怎么办：a 和 b"
    assert pickle.loads(pickle.dumps(error)).parts == error.parts


@each(
    ("error", "chinese"),
    [
        (errors.NotFound("only English."), "only English."),
        (ValueError("something else"), "something else"),
        (ZeroDivisionError("division by zero"), "除数是 0"),
        (
            TypeError("f() missing 2 required positional arguments: 'a' and 'b'"),
            "f() 缺少参数 'a'、'b'",
        ),
        (NameError("name 'yy' is not defined. Did you mean: 'y'?"), "名字 'yy' 没有定义"),
    ],
)
def test_an_exception_has_a_chinese_text(error: Exception, chinese: str) -> None:
    assert errors.message_of(error).zh == chinese
    assert errors.message_of(error).en in str(error)


MATRIX = paddle.ones([2, 3])
# (call, class, op and argument, expected, received)
MISTAKES = [
    (lambda: MATRIX + paddle.ones([4]), ValueError, "add(): Broadcast",
     "axis 1 of x as long as axis 0 of y", "x float32 [2, 3] and y float32 [4]"),
    (lambda: MATRIX @ paddle.ones([3, 1], "float64"), ValueError, "matmul(): x and y", "float32",
     "float64 [3, 1]"),
    (lambda: MATRIX.transpose([0]), ValueError, "transpose()", "0 to 1", "perm=[0]"),
    (lambda: paddle.split(MATRIX, [1, 3]), ValueError, "split()", "add up to 2", "(1, 3)"),
    (lambda: MATRIX[2], IndexError, "getitem()", "[-2, 2)", "2"),
    (lambda: paddle.gather(MATRIX, paddle.to_tensor([7])), IndexError, "gather(): the index 7",
     "[-2, 2) for shape [2, 3]", "7, among 1 positions"),
    (lambda: paddle.tanh("a"), ValueError, "tanh(): argument 'x'", "a Tensor", "str 'a'"),
    (lambda: paddle.ones([2], "int7"), TypeError, "'int7'", "one of bool", "'int7'"),
    (lambda: paddle.nosuch, AttributeError, "paddle", "dir(paddle)", "nosuch"),
]  # fmt: skip


@each(("call", "kind", "what", "expected", "received"), MISTAKES)
def test_an_error_has_all_its_parts(
    call: Any, kind: Any, what: str, expected: str, received: str
) -> None:
    with pytest.raises(kind) as caught:
        call()
    assert isinstance(caught.value, errors.MinipaddleError)
    lines = str(caught.value).split("\n")
    assert what in lines[0]
    told = {line[2:11].strip(): line[12:] for line in lines[1:]}
    assert list(told) == ["expected", "received", "to do", "at"]
    assert expected in told["expected"]
    assert received in told["received"]
    assert told["to do"]
    assert re.fullmatch(r"tests/minipaddle/test_errors\.py:\d+", told["at"])


Plain = pylayer(lambda ctx, x: x * 2, lambda ctx, dy: ctx.saved_tensors(), "Plain")


def test_a_missing_attribute_of_a_context_gets_a_suggestion() -> None:
    x = paddle.ones([2])
    x.stop_gradient = False
    with pytest.raises(OSError, match="the context of PyLayer Plain has no 'saved_tensors'") as e:
        Plain.apply(x).sum().backward()
    assert "did you mean ctx.saved_tensor()?" in str(e.value.__cause__)


class Slip(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x):  # type: ignore[no-untyped-def]
        ctx.factor = 2.0
        return x * ctx.factr

    @staticmethod
    def backward(ctx, dy):  # type: ignore[no-untyped-def]
        return dy * ctx.factor


def test_an_error_in_forward_has_its_line_and_leaves_gradients_on() -> None:
    x = paddle.ones([2])
    x.stop_gradient = False
    with pytest.raises(AttributeError) as caught:
        Slip.apply(x)
    line = Slip.forward.__code__.co_firstlineno + 3
    assert "did you mean ctx.factor?" in str(caught.value)
    assert f"test_errors.py:{line}" in str(caught.value)
    assert paddle.is_grad_enabled()


@each(
    "use",
    [
        lambda x: x * Plain(x),
        lambda x: Plain(x) * x,
        lambda x: paddle.tanh(Plain(x)),
        lambda x: paddle.add(x, Plain(x)),
        lambda x: x + Plain,
        lambda _: paddle.tanh(Plain),
    ],
)
def test_an_unapplied_layer_in_the_place_of_a_tensor_says_so(use: Any) -> None:
    with pytest.raises((TypeError, ValueError), match=r"run the layer: Plain\.apply\(") as caught:
        use(paddle.ones([2]))
    assert "Plain.apply(...)" in errors.message_of(caught.value).zh


def test_an_operand_that_was_not_called_says_so() -> None:
    x = paddle.ones([2])
    with pytest.raises(TypeError, match="call it, and give what it returns"):
        x * x.mean
