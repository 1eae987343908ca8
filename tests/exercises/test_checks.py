"""Checks accept right answers of every kind, and reject corrupted ones, naming the fault."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle import nn, static
from minipaddle.autograd import PyLayer
from minipaddle.engine import errors
from minipaddle.exercises import (
    Exercise,
    Failed,
    NotYet,
    Outcome,
    Prediction,
    Right,
    Slip,
    Text,
    Wrong,
    checks,
    load,
)
from minipaddle.exercises.outcome_cards import OutcomeCard
from minipaddle.messages import Message
from tests.each import each
from tests.samples import pylayer, saving
from tests.static.world import fresh


def judged(check: Any, answer: Any, **more: Any) -> Outcome:
    return Exercise("it", check=check, **more).judge(answer)


def layer_of(backward: Callable[..., Any], forward: Callable[..., Any] = paddle.multiply) -> Any:
    """Return a PyLayer of two inputs, which are saved."""

    def save(ctx: Any, a: Any, b: Any) -> Any:
        ctx.save_for_backward(a, b)
        return forward(a, b)

    return pylayer(save, lambda ctx, dy: backward(dy, *ctx.saved_tensor()))


PRODUCT = checks.pylayer(lambda a, b: a * b)


# ----- corrupted solutions never pass ------------------------------------------------------------

CORRUPTIONS: dict[str, Callable[..., Any]] = {
    "zero": lambda dy, a, b: (dy * 0.0, dy * 0.0),
    "negated": lambda dy, a, b: (-dy * b, -dy * a),
    "doubled": lambda dy, a, b: (2 * dy * b, 2 * dy * a),
    "one of them": lambda dy, a, b: (dy * b, dy * b),
    "swapped": lambda dy, a, b: (dy * a, dy * b),
    "without dy": lambda dy, a, b: (b, a),
    "summed": lambda dy, a, b: ((dy * b).sum(), (dy * a).sum()),
    "slightly off": lambda dy, a, b: (dy * b * 1.0001, dy * a),
    "a little more": lambda dy, a, b: (dy * b + 1e-4, dy * a),
    "right for dy of ones alone": lambda dy, a, b: (dy * dy * b, dy * dy * a),
    "the mean of dy": lambda dy, a, b: (dy.mean() * b, dy.mean() * a),
    "one number wrong": lambda dy, a, b: (dy * b * (a < 0.5).astype("float64"), dy * a),
    "none": lambda dy, a, b: (None, dy * a),
    "constant": lambda dy, a, b: (paddle.ones_like(a), paddle.ones_like(b)),
    "other dtype": lambda dy, a, b: ((dy * b).astype("float32").round(1), dy * a),
    "float64 alone": lambda dy, a, b: (dy * b, (dy * a).astype("float64")),
    "changes dy": lambda dy, a, b: (dy * b, dy.multiply_(a)),
    "changes a": lambda dy, a, b: (dy * b, a.multiply_(dy)),
}


@each("corruption", CORRUPTIONS)
def test_a_corrupted_backward_never_passes(corruption: str) -> None:
    assert judged(PRODUCT, layer_of(lambda dy, a, b: (dy * b, dy * a))) == Right(Text("", ""))
    assert not judged(PRODUCT, layer_of(CORRUPTIONS[corruption])).solved


def test_a_forward_that_is_wrong_for_only_one_shape_never_passes() -> None:
    layer = layer_of(
        lambda dy, a, b: (dy * b, dy * a), lambda a, b: a * b + (1.0 if a.ndim == 3 else 0.0)
    )
    assert judged(PRODUCT, layer).slip == "forward"


@each(
    ("answer", "said"),
    [
        (layer_of(lambda dy, a, b: (dy * b, dy.multiply_(a))), "dy was changed in place"),
        (layer_of(lambda dy, a, b: (dy * b, dy * a), lambda a, b: (a, b)), "a tuple or list of 2"),
        (layer_of(lambda dy, a, b: (dy * b, dy * a), lambda a, b: 3.0), "gives back a number"),
        (layer_of(lambda dy, a, b: ((dy, b), dy * a)), "but got tuple"),
    ],
    ids=str,
)
def test_wrong_results_of_a_layer_are_named(answer: Any, said: str) -> None:
    outcome = judged(PRODUCT, answer)
    assert not outcome.solved
    assert said in outcome.reason.en + outcome.error.en


FUNCTION_CORRUPTIONS: dict[str, Callable[..., Any]] = {
    "another value": lambda x, y: ((x - y) ** 2).sum(),
    "detached": lambda x, y: ((x.detach() - y) ** 2).mean(),
    "through numpy": lambda x, y: paddle.to_tensor(((x.numpy() - y.numpy()) ** 2).mean()),
    "a number": lambda x, y: float(((x - y) ** 2).mean()),
    "a list": lambda x, y: [((x - y) ** 2).mean()] * 2,
    "half a gradient": lambda x, y: ((x - y) * (x - y).detach()).mean(),
    "another shape": lambda x, y: ((x - y) ** 2).mean(keepdim=True),
    "an output more": lambda x, y: (((x - y) ** 2).mean(), x),
    "a dict": lambda x, y: {"loss": ((x - y) ** 2).mean()},
}


@each("corruption", FUNCTION_CORRUPTIONS)
def test_a_corrupted_loss_never_passes(corruption: str) -> None:
    check = checks.function(lambda x, y: ((x - y) ** 2).mean(), inputs=[(3,), (2, 2)])
    assert judged(check, lambda x, y: ((y - x) ** 2).mean()).solved
    assert not judged(check, FUNCTION_CORRUPTIONS[corruption]).solved


def test_a_check_may_compare_values_only() -> None:
    check = checks.function(paddle.tanh, inputs=[(3,)], gradients=False)
    assert judged(check, lambda x: np.tanh(x.numpy())).solved
    assert not judged(check, lambda x: np.sinh(x.numpy())).solved


def test_functions_of_integers_and_of_several_outputs_are_judged() -> None:
    def two(table: Any, rows: Any) -> Any:
        return table[rows], table.sum()

    def draw(rng: np.random.Generator) -> Any:
        return rng.standard_normal([4, 2]), rng.integers(0, 4, [3])

    check = checks.function(two, inputs=draw)
    assert judged(check, two).solved
    outcome = judged(check, lambda table, rows: (table[rows], table.mean()))
    assert [pair.name for pair in outcome.pairs] == ["y1", "dtable"]


# ----- layers, programs, recordings, values ------------------------------------------------------


class Affine(nn.Layer):
    def __init__(self, formula: Callable[..., Any] = lambda x, w, b: x @ w + b) -> None:
        super().__init__()
        self.weight = self.create_parameter([3, 2])
        self.bias = self.create_parameter([2])
        self.formula = formula

    def forward(self, x: Any) -> Any:
        return self.formula(x, self.weight, self.bias)


def test_a_layer_is_judged_with_parameters_of_the_check() -> None:
    check = checks.layer(
        lambda x, weight, bias: x @ weight + bias,
        parameters={"weight": [3, 2], "bias": [2]},
        inputs=[(4, 3), (1, 3)],
    )
    answer = Affine()
    before = [p.numpy().copy() for p in answer.parameters()]
    assert judged(check, answer).solved
    assert judged(check, nn.Linear(3, 2)).solved
    for p, kept in zip(answer.parameters(), before, strict=True):
        np.testing.assert_array_equal(p.numpy(), kept)
        assert p.grad is None
    for formula in (
        lambda x, w, b: x @ w - b,
        lambda x, w, b: x @ w,
        lambda x, w, b: x @ w.detach() + b,
        lambda x, w, b: paddle.tanh(x @ w + b),
    ):
        assert isinstance(judged(check, Affine(formula)), Wrong)
    wrong = judged(check, nn.Linear(2, 2)).reason.en
    assert wrong == (
        "The layer's parameters are bias [2], weight [2, 2]; they should be bias [2], weight "
        "[3, 2]."
    )
    assert "make a layer of it, with ()" in judged(check, Affine).reason.en
    assert judged(check, Affine(lambda x, w, b: x @ w - b)).reason.en.endswith(
        "dbias has the wrong sign."
    )


def test_parameters_of_a_sublayer_have_names() -> None:
    check = checks.layer(
        lambda x, fc_weight: paddle.tanh(x @ fc_weight),
        parameters={"fc_weight": [3, 2]},
        inputs=[(4, 3)],
    )

    class Net(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.fc = nn.Linear(3, 2, bias_attr=False)

        def forward(self, x: Any) -> Any:
            return paddle.tanh(self.fc(x))

    assert judged(check, Net()).solved


def program(scale: float = 2.0) -> tuple[Any, Any]:
    """Return a Program in which `out` is x times a number, with its gradients."""
    with fresh() as (main, _):
        x = static.data("x", [None, 3], "float64")
        x.stop_gradient = False
        out = paddle.scale(x, scale, name="out")
        static.append_backward(paddle.mean(out))
    return main, out.name


def test_a_program_is_run_in_every_mode() -> None:
    main, out = program()
    check = checks.program(
        lambda x: (2 * x, x * 0 + 2 / x.size), fetch=[out, "x@GRAD"], inputs=[(4, 3)]
    )
    assert judged(check, main).solved
    assert paddle.in_dynamic_mode()
    assert judged(check, (main, None)).solved
    wrong = judged(check, program(3.0)[0])
    assert wrong.reason.en.endswith("is 1.5 times too large. x@GRAD is 1.5 times too large.")
    assert isinstance(judged(check, static.Program()), NotYet)
    assert "A Program is asked for" in judged(check, 3).reason.en
    other = judged(checks.program(lambda x: x, fetch="z", inputs=[(4, 3)]), main)
    assert "has no variable 'z'; it has x, " in other.reason.en


def test_a_recording_must_contain_the_required_steps() -> None:
    check = checks.trace({"Backward starts": "Call .backward() inside the with."})
    x = paddle.ones([2])
    x.stop_gradient = False
    with viz.record() as nothing:
        pass
    with viz.record() as forward:
        y = paddle.tanh(x).sum()
    with viz.record() as both:
        y.backward()
    assert isinstance(judged(check, nothing), NotYet)
    assert judged(check, forward).reason.en == "Call .backward() inside the with."
    assert judged(check, both).solved
    assert "A recording is asked for" in judged(check, "trace").reason.en


@each(
    ("answer", "kind"),
    [
        (1 / 6, Right),
        (0.16667, Right),
        (np.float32(1 / 6), Right),
        (paddle.to_tensor(1 / 6), Right),
        (1.0, Wrong),
        ([1 / 6], Wrong),
        ("1/6", Wrong),
        (object(), Wrong),
        ([[1], [1, 2]], Wrong),
        (float("nan"), Wrong),
        (None, NotYet),
        (..., NotYet),
    ],
)
def test_values_are_judged(answer: Any, kind: type[Outcome]) -> None:
    assert type(judged(checks.value(1 / 6), answer)) is kind


def test_the_expected_value_is_never_shown() -> None:
    outcome = judged(checks.value(1 / 6), 1.0)
    assert (outcome.pairs, outcome.given) == ((), ())
    assert outcome.reason.en == "This is not the value that is asked for."


@each(
    ("wanted", "answer", "shapes"),
    [
        (1.0, [1.0], ("[1]", "[]")),
        (1.0, paddle.ones([1, 1]), ("[1, 1]", "[]")),
        (1.0, [1.0, 1.0, 1.00001], ("[3]", "[]")),
        ([1.0, 1.0], 1.0, ("[]", "[2]")),
        ([1, 2, 3], [[1], [2], [3]], ("[3, 1]", "[3]")),
        ([[1, 2, 3], [4, 5, 6]], [[1, 4], [2, 5], [3, 6]], ("[3, 2]", "[2, 3]")),
        (1.0, [2.0], ()),
        (1.0, [], ()),
        ([1, 2, 3], [[3], [2], [1]], ()),
        ([1, 2, 3], [1, 2], ()),
        ("a", ["a"], ()),
    ],
)
def test_right_numbers_in_another_shape_are_reported_with_both_shapes(
    wanted: Any, answer: Any, shapes: tuple[str, ...]
) -> None:
    outcome = judged(checks.value(wanted), answer)
    assert isinstance(outcome, Wrong)
    said = outcome.reason.en.startswith("Every number is right, but the shape is ")
    assert (said, bool(outcome.pairs)) == (bool(shapes), bool(shapes))
    assert all(shape in outcome.reason.en and shape in outcome.reason.zh for shape in shapes)


@each("answer", [[2, 3], (2, 3)])
def test_shapes_are_judged(answer: Any) -> None:
    assert judged(checks.shape([2, 3]), answer).solved
    assert judged(checks.shape([3, 2]), answer).reason.en == (
        "This is not the shape that is asked for."
    )
    assert isinstance(judged(checks.shape([2]), answer), Wrong)
    assert "A shape is asked for" in judged(checks.shape([2]), "[2, 3]").reason.en


# ----- functions as checks -----------------------------------------------------------------------


@each(
    ("said", "kind", "reason"),
    [
        (None, Right, ""),
        (True, Right, ""),
        (np.True_, Right, ""),
        (False, Wrong, "It is not right yet."),
        (np.False_, Wrong, "It is not right yet."),
        ("Too small.", Wrong, "Too small."),
        (Text("Too small.", "太小。"), Wrong, "Too small."),
    ],
)
def test_the_result_of_a_check_function_decides(
    said: Any, kind: type[Outcome], reason: str
) -> None:
    outcome = judged(lambda answer: said, 1)
    assert (type(outcome), outcome.reason.en) == (kind, reason)


def test_asserts_and_exceptions_of_a_check_function_have_outcomes() -> None:
    def check(answer: Any) -> None:
        assert answer > 3, "It should be more than three."
        assert answer < 9

    assert judged(check, 4).solved
    assert judged(check, 2).reason.en.startswith("It should be more than three.")
    assert isinstance(judged(check, 10), Wrong)
    outcome = judged(check, "four")
    assert isinstance(outcome, Failed)
    assert outcome.error.en.startswith("TypeError: '>' not supported")
    assert outcome.line.endswith('assert answer > 3, "It should be more than three."')


def test_a_check_that_returns_neither_right_nor_wrong_is_an_error() -> None:
    with pytest.raises(errors.InvalidType, match="says neither right nor wrong") as refused:
        judged(lambda answer: 3, 1)
    assert "expected  None or True for right; False, or a text" in str(refused.value)
    assert "to do     end the check with assert, or return a text" in str(refused.value)


def test_the_first_of_several_failing_checks_is_shown() -> None:
    both = [lambda answer: answer > 0 or "positive!", lambda answer: answer < 9 or "small!"]
    assert judged(both, 4).solved
    assert [judged(both, n).reason.en for n in (-1, 10)] == ["positive!", "small!"]


# ----- what is said ------------------------------------------------------------------------------


@each(
    ("factor", "en", "zh"),
    [
        (1.5, "y is 1.5 times too large.", "y 是正确值的 1.5 倍。"),
        (0.5, "y is 2 times too small.", "y 太小了：正确值是它的 2 倍。"),
        (-1, "y has the wrong sign.", "y 的符号反了。"),
        (0, "y is zero everywhere.", "y 全是 0。"),
        (-3, "y has the wrong sign and is 3 times too large.", "大小是正确值的 3 倍。"),
        (-0.25, "y has the wrong sign and is 4 times too small.", "正确值的大小是它的 4 倍。"),
    ],
)
def test_a_constant_factor_is_named(factor: float, en: str, zh: str) -> None:
    outcome = judged(checks.function(paddle.sin), lambda x: paddle.sin(x) * factor)
    assert f" {en} " in outcome.reason.en
    assert zh in outcome.reason.zh
    assert f" {en.replace('y', 'dx', 1)}" in outcome.reason.en


def test_a_single_number_is_not_zero_everywhere() -> None:
    outcome = judged(checks.function(paddle.sin, inputs=[()]), lambda x: x * 0)
    assert " y is 0. dx is 0." in outcome.reason.en


def test_slips_are_reported_with_their_own_hints() -> None:
    check = checks.function(paddle.exp)
    slips = [
        Slip("square", gives=lambda x: x * x, hint="That is the square."),
        Slip("error", seen=lambda trial: isinstance(trial.error, KeyError), hint="A key."),
        Slip("raised", raises="by zero", hint="Do not divide by 0."),
        Slip("nonsense", gives=lambda x: x @ x, hint="Fits one shape."),
    ]
    assert judged(check, lambda x: x**2, slips=slips).reason.en == "That is the square."
    assert judged(check, lambda x: {}["x"], slips=slips).slip == "error"
    assert judged(check, lambda x: 1 / 0, slips=slips).slip == "raised"
    assert judged(check, lambda x: x.by_zero, slips=slips).slip == ""
    assert judged(check, lambda x: x + 1, slips=slips).slip == ""
    value = Exercise("v", check=checks.value(1.0), slips=[Slip("zero", gives=0.0, hint="No.")])
    assert value.judge(0).slip == "zero"
    asked = Exercise(
        "a", check=lambda n: n > 3, slips=[Slip("minus", seen=lambda n: n < 0, hint="Minus!")]
    )
    assert asked.judge(-1).reason.en == "Minus!"


LAYER = checks.layer(lambda x, weight: x @ weight, {"weight": [3, 2]}, inputs=[(4, 3)])


@each(
    ("check", "slip", "why"),
    [
        (PRODUCT, lambda dy, a, b: (dy, undefined), "NameError: name 'undefined' is not defined"),  # noqa: F821
        (PRODUCT, lambda dy, a, b: (dy, np.exp(b)), "TypeError: operand 'Tensor' does not"),
        (PRODUCT, lambda dy, a, b: dy * b, "gives= gives 1, where 2 are compared"),
        (checks.function(paddle.exp), lambda x, y: x, "TypeError: "),
        (LAYER, lambda x: x, "TypeError: "),
        (checks.program(paddle.exp, fetch="y"), lambda: 1, "TypeError: "),
        (checks.value(1), lambda x: x, "a function, where a wrong value is compared"),
        (lambda n: n > 3, 0, "gives=, where the check only looks at the answer"),
        (lambda n: n > 3, "by zero", "raises=, where the check only looks at the answer"),
        (checks.value(1), "by zero", "raises=, where a wrong value is compared"),
        (checks.trace({"tanh": "-"}), 0, "gives=, where the check only looks at the answer"),
    ],
)
def test_a_slip_that_no_answer_can_show_is_an_error(check: Any, slip: Any, why: str) -> None:
    shown_by = {"raises": slip} if isinstance(slip, str) else {"gives": slip}
    exercise = Exercise("it", check=check, slips=[Slip("s", **shown_by, hint="-")])
    with pytest.raises(errors.InvalidArgument) as refused:
        exercise.judge(0)
    said = str(refused.value)
    assert "The slip 's' of it can never be recognised." in said
    assert f"\n  received  {why}" in said
    assert "\n  to do     mend the slip, or recognise the mistake with seen=" in said
    assert "test_checks.py:" in said.split("\n  at        ")[1]


class Odd:
    """An object that is no number, but that NumPy can convert to an array."""

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise TypeError("not today")


@each("returned", [["x"], {"y": 1}, print, Odd(), (1.0, None), [[1.0], [1.0, 2.0]]])
def test_results_of_a_wrong_type_are_rejected_before_they_are_compared(returned: Any) -> None:
    outcome = judged(checks.function(lambda x: 2 * x), lambda x: returned)
    assert isinstance(outcome, Wrong)
    assert " y " in outcome.reason.en
    assert not outcome.error.en


def test_a_forward_of_another_shape_is_reported_with_its_shape() -> None:
    flat = layer_of(lambda dy, a, b: (dy, dy), lambda a, b: (a * b).reshape([-1]))
    outcome = judged(checks.pylayer(lambda a, b: a * b, inputs=[(2, 3)]), flat)
    assert outcome.reason.en.startswith("forward gives y of shape [6]; it should be [2, 3].")
    assert outcome.slip == "forward"


def test_empty_functions_and_functions_without_return_have_their_own_outcomes() -> None:
    def stub(x: Any) -> None:
        """Give back twice x."""

    def stub_of_any_number(*given: Any) -> None:
        """Give back twice the first."""

    def forgot(x: Any) -> None:
        double = 2 * x  # noqa: F841

    def same(x: Any) -> Any:
        return x

    check = checks.function(lambda x: 2 * x)
    assert isinstance(judged(check, stub), NotYet)
    assert isinstance(judged(check, stub_of_any_number), NotYet)
    assert isinstance(judged(check, same), Wrong)
    assert judged(check, forgot).slip == "no_return"
    assert judged(check, lambda x: 2 * x.detach()).slip == "cut_off"
    assert "A function of x is asked for. This is int." in judged(check, 3).reason.en


def test_mistakes_of_a_teacher_have_errors_of_three_parts() -> None:
    good = checks.value(1)
    for make, what, fix in (
        (lambda: Exercise("two words", check=good), "cannot be called 'two words'", "title="),
        (lambda: Exercise("x", check=[]), "a check", "checks.value"),
        (lambda: Exercise("x", check=3), "one of exercises.checks", "checks.value"),
        (lambda: Exercise("x", check=good, points=-1), "a number from 0 on", "points=2"),
        (lambda: Slip("s", hint="h"), "cannot be recognised", "gives=lambda"),
        (lambda: Exercise("check", check=good), "An exercise cannot be called 'check'", "my_check"),
        (lambda: Exercise("class", check=good), "cannot be called 'class'", "title="),
        (
            lambda: Prediction("ask", question="?", kind="number", truth=3),
            "A prediction cannot be called 'ask'",
            "my_ask",
        ),
        (
            lambda: Exercise("x", check=good, slips=[Slip("s", gives=1.00001, hint="")]),
            "slip 's' of x is no mistake: the check takes it for right",
            "correct gives=",
        ),
        (
            lambda: Exercise("x", check=good, slips=[Slip("s", gives=1, hint="")] * 2),
            "a name of its own for each slip",
            "rename one",
        ),
        (
            lambda: judged(checks.function(lambda x, y: x, inputs=[((2,),)]), lambda x, y: x),
            "one for each argument of the function",
            "a shape for each",
        ),
    ):
        with pytest.raises((errors.InvalidArgument, errors.InvalidType), match=what) as refused:
            make()
        assert "\n  expected  " in str(refused.value)
        assert fix in str(refused.value).split("\n  to do     ")[1]


def test_a_reference_that_is_not_defined_everywhere_is_an_error() -> None:
    for check, answer in (
        (checks.function(paddle.log), paddle.log),
        (checks.pylayer(lambda x: paddle.log(x)), square_of()),  # noqa: PLW0108
    ):
        with pytest.raises(errors.InvalidArgument, match="numbers that are not finite") as refused:
            judged(check, answer)
        assert "to do     draw inputs for which it is defined" in str(refused.value)
    good = checks.function(paddle.log, inputs=lambda rng: (rng.uniform(1, 2, [3]),))
    assert judged(good, paddle.log).solved
    assert not judged(good, lambda x: paddle.log(x) * float("nan")).solved


def test_a_hidden_check_is_reported_only_by_its_name() -> None:
    exercise = Exercise("it", check=lambda n: n > 0)
    exercise.hide("even and small", [lambda n: n % 2 == 0, lambda n: n < 10])
    assert exercise.judge(4).solved
    for answer in (3, 12):
        assert exercise.judge(answer, hidden=False).solved
        outcome = exercise.judge(answer)
        assert outcome.slip == "hidden"
        assert outcome.reason.en == "A check that was not handed out fails: even and small."


def test_a_hidden_check_that_fails_by_itself_is_reported() -> None:
    exercise = Exercise("it", check=checks.function(lambda x: x * 0 + 1, gradients=False))
    one = paddle.ones_like
    exercise.hide("a slip of the pen", checks.function(lambda x: x + undefined))  # noqa: F821
    assert exercise.judge(one, hidden=False).solved
    with pytest.raises(errors.InvalidArgument) as refused:
        exercise.judge(one)
    assert (
        "The hidden check 'a slip of the pen' of it fails by itself: NameError: name 'undefined' "
        "is not defined\n" in str(refused.value)
    )
    assert "to do     mend the check, and grade again" in str(refused.value)
    assert isinstance(refused.value.__cause__, NameError)


def test_a_hidden_function_that_raises_is_the_teachers_unless_the_answer_raised(
    tmp_path: Path,
) -> None:
    (tmp_path / "hidden.py").write_text(
        "from minipaddle.exercises import Exercise, checks\n"
        "it = Exercise('it', check=callable)\n"
        "it.hide('a call', lambda answer: answer(0) == wanted)\n"
    )
    it = load(tmp_path / "hidden.py").it

    def raises(x: Any) -> Any:
        return 1 / x

    with pytest.raises(errors.InvalidArgument, match="name 'wanted' is not defined"):
        it.judge(lambda x: x)
    assert it.judge(raises).reason.en == ("A check that was not handed out fails: a call.")


# ----- not yet -----------------------------------------------------------------------------------


def to_write(*_: Any) -> Any:
    raise NotImplementedError("your turn")


SORTED = checks.experiment(
    sorted,
    inputs=lambda rng: {"numbers": rng.permutation(5)},
    use=lambda answer, numbers: {"sorted": np.array(answer(numbers))},
)


def test_a_text_among_the_inputs_of_an_experiment_is_shown_as_it_is() -> None:
    check = checks.experiment(
        lambda f: f(3),
        inputs=lambda rng: {"f": "lambda x:\n    2 * x"},
        use=lambda answer, f: {"y": answer(lambda x: 2 * x)},
    )
    card = OutcomeCard(Exercise("called", check=check), judged(check, lambda f: f(4)))
    assert "  f = lambda x:\n            2 * x\n" in repr(card)
    assert 'f </small><pre style="margin:0">lambda x:\n    2 * x</pre>' in card._repr_html_()


def test_a_known_mistake_is_shown_on_a_case_that_it_makes_wrong() -> None:
    check = checks.function(abs, inputs=lambda rng: [np.float64(next(numbers))], gradients=False)
    numbers = iter([1.0, 2.0, -3.0, 4.0, -5.0])
    same = Slip("same", gives=lambda x: x, hint="Not below zero.")
    outcome = check.judge(lambda x: x, [same], np.random.default_rng(0))
    assert (outcome.slip, dict(outcome.given)["x"]) == ("same", -3.0)


def test_an_exception_that_an_experiment_returns_has_its_line(tmp_path: Path) -> None:
    def use(answer: Any) -> dict[str, Any]:
        try:
            return {"y": answer()}
        except ZeroDivisionError as error:
            return {"y": error, "why": "zero"}

    (tmp_path / "cell.py").write_text("def f():\n    return 1 / 0\n")
    cell: dict[str, Any] = {}
    exec(compile((tmp_path / "cell.py").read_text(), str(tmp_path / "cell.py"), "exec"), cell)
    zero = Slip("zero", seen=lambda trial: trial.came_as("why", "zero"), hint="Not by zero.")
    check = checks.experiment(lambda: 1.0, inputs=lambda rng: {}, use=use)
    outcome = judged(check, cell["f"], slips=[zero])
    assert (outcome.slip, outcome.line) == ("zero", "----> 2 return 1 / 0")


@each(
    ("check", "answer"),
    [
        (checks.function(lambda x: 2 * x), to_write),
        (PRODUCT, layer_of(to_write)),
        (PRODUCT, layer_of(to_write, to_write)),
        (lambda f: f(3) == 6, to_write),
        (
            lambda layer: layer.apply(paddle.ones([1]), paddle.ones([1])),
            layer_of(to_write, to_write),
        ),
        (SORTED, to_write),
    ],
)
def test_an_unwritten_answer_is_reported_as_missing(check: Any, answer: Any) -> None:
    assert judged(check, answer) == NotYet(Message("There is no answer yet."))


def test_a_scaffold_that_computes_something_is_distinguished_from_a_mistake() -> None:
    untouched = Slip("untouched", gives=lambda x: x, hint="As it came.", not_yet=True)
    outcome = judged(checks.function(lambda x: 2 * x), lambda x: x, slips=[untouched])
    assert outcome == NotYet(Text("As it came.", "As it came."), slip="untouched")
    layer = layer_of(lambda dy, a, b: (dy, dy), lambda a, b: a + b)
    as_it_came = Slip("untouched", gives=lambda dy, a, b: (dy, dy), hint="-", not_yet=True)
    assert judged(PRODUCT, layer).slip == "forward"
    assert isinstance(judged(PRODUCT, layer, slips=[as_it_came]), NotYet)
    asked = Slip("untouched", seen=lambda n: n == 0, hint="-", not_yet=True)
    assert isinstance(judged(lambda n: n > 3, 0, slips=[asked]), NotYet)
    assert isinstance(judged(lambda n: n > 3, 1, slips=[asked]), Wrong)


def test_no_line_of_the_engine_is_shown_as_a_line_of_the_learner() -> None:
    class empty(PyLayer):
        @staticmethod
        def forward(ctx: Any, a: Any, b: Any) -> Any:
            return a * b

    outcome = judged(PRODUCT, empty)
    assert "must implement the backward function" in outcome.error.en
    assert outcome.line == ""


# ----- the modes of the notebook -----------------------------------------------------------------


def test_answers_are_judged_alike_in_every_mode() -> None:
    check, good = checks.pylayer(lambda x: x * x), square_of()
    paddle.enable_static()
    assert judged(check, good).solved
    assert not paddle.in_dynamic_mode()
    paddle.disable_static()
    with paddle.no_grad():
        assert judged(check, good).solved
    with viz.record() as trace:
        assert judged(check, good).solved
    assert len(trace) == 0


def square_of(before: Callable[[], object] = lambda: None) -> Any:
    """Return a right answer that first calls `before`."""
    return saving(lambda x: (before(), x * x)[1], lambda dy, x: dy * 2 * x)


def test_modes_that_an_answer_switches_are_restored() -> None:
    for meddle in (
        lambda: paddle.set_default_dtype("float64"),
        paddle.enable_static,
        lambda: paddle.set_grad_enabled(False),
    ):
        judged(checks.pylayer(lambda x: x * x), square_of(meddle))
        assert paddle.in_dynamic_mode()
        assert paddle.is_grad_enabled()
        assert paddle.get_default_dtype() == "float32"
