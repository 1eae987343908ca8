"""The error for an absent name says whether Paddle has it, and what to use instead."""

import importlib
import pickle
import pkgutil
from typing import Any

import pytest

import minipaddle as paddle
from minipaddle.engine import errors
from minipaddle.paddle_names import absent
from minipaddle.paddle_names.inner_modules import MODULES
from minipaddle.paddle_names.instead import INSTEAD, OF_MODULE
from tests.each import each
from tests.processes import python

RECORD = absent.record()
KEPT = ("paddle.Tensor", *filter(absent.is_here, RECORD))


def told(path: str) -> str:
    """Return the text of the error for an absent name."""
    place: Any = paddle
    *steps, last = path.split(".")[1:]
    for step in steps:
        place = getattr(place, step)
    with pytest.raises(errors.NoSuchName) as caught:
        getattr(place, last)
    return str(caught.value)


def gone(path: str) -> list[str]:
    """Return Paddle's names that a module of minipaddle lacks."""
    return [name for name in RECORD[path] if not absent.is_here(f"{path}.{name}")]


# ----- The record --------------------------------------------------------------------------------


@each("path", KEPT)
def test_every_name_exists_or_is_reported_as_absent(path: str) -> None:
    place = absent._find(path)
    for name in RECORD[path]:
        if hasattr(place, name):
            assert absent.is_here(f"{path}.{name}")
        else:
            assert "Paddle 3.3.1 has it" in told(f"{path}.{name}")


def test_replacements_are_listed_only_for_absent_names_of_paddle() -> None:
    for path in INSTEAD:
        place, _, name = path.rpartition(".")
        assert name in RECORD[place] or path in RECORD, f"Paddle has no {path}"
        assert not absent.is_here(path), f"{path} is here now: take it out of INSTEAD"


def test_advice_for_a_module_is_given_for_its_absent_names() -> None:
    for path, advice in OF_MODULE.items():
        names = [name for name in RECORD[path] if not absent.is_here(f"{path}.{name}")]
        assert names, f"nothing of {path} is absent now"
        assert advice in told(f"{path}.{names[0]}")


# ----- What is told ------------------------------------------------------------------------------


def test_an_absent_name_of_paddle_is_reported_as_paddles() -> None:
    assert told("paddle.signal") == (
        "paddle has no 'signal' here yet; Paddle 3.3.1 has it.\n"
        "  expected  one of dir(paddle)\n"
        "  received  signal\n"
        "  to do     cut the signal into frames, and transform them with paddle.fft.rfft\n"
        f"  at        tests/minipaddle/test_absent.py:{told.__code__.co_firstlineno + 7}"
    )


@each(
    ("path", "fix"),
    [
        ("paddle.l1_loss", "use paddle.nn.functional.l1_loss, which is here"),
        ("paddle.nn.linear", "use paddle.nn.functional.linear, which is here"),
        ("paddle.optimizer.adamW", "use paddle.optimizer.AdamW, which is here"),
        ("paddle.static.serialize_program", "paddle.save and paddle.load"),
        ("paddle.nn.initializer.XavierNormall", "did you mean paddle.nn.initializer.XavierNormal"),
        ("paddle.autograd.backwards", "did you mean paddle.autograd.backward?"),
    ],
)
def test_the_nearest_replacement_is_named(path: str, fix: str) -> None:
    assert fix in told(path)


def test_paddle_tensor_is_a_function_and_holds_the_functions_of_tensors() -> None:
    assert paddle.tensor([1, 2]).tolist() == [1, 2]
    x = paddle.ones([2])
    assert paddle.tensor.mm is paddle.mm
    assert paddle.tensor.math.add(x, x).tolist() == [2.0, 2.0]
    assert paddle.tensor.random.exponential_ is paddle.Tensor.exponential_
    assert {"math", "add", "to_tensor"} <= set(dir(paddle.tensor))
    assert "paddle.tensor has no 'i0' here yet; Paddle 3.3.1 has it." in told("paddle.tensor.i0")
    assert "no public name" in told("paddle.tensor.math.no_such_name")


def test_every_module_that_paddle_has_reports_absent_names() -> None:
    for found in pkgutil.walk_packages(paddle.__path__, "minipaddle."):
        if "paddle" + found.name.removeprefix("minipaddle") in RECORD:
            module = importlib.import_module(found.name)
            with pytest.raises(errors.NoSuchName, match="no public name of Paddle"):
                _ = module.no_such_name


# ----- Imports -----------------------------------------------------------------------------------


@each(
    ("statement", "text"),
    [
        (
            "from minipaddle.nn import BeamSearchDecoder",
            "paddle.nn has no 'BeamSearchDecoder' here yet; Paddle 3.3.1",
        ),
        ("from minipaddle import signal", "paddle.fft.rfft"),
        ("from minipaddle.nn.functional import rellu", "did you mean paddle.nn.functional.relu"),
        ("from minipaddle.nn.initializer import Orthogonall", "no public name of Paddle"),
    ],
)
def test_a_failed_import_gives_the_same_text(statement: str, text: str) -> None:
    with pytest.raises(ImportError) as caught:
        exec(statement)
    assert isinstance(caught.value, errors.NoSuchImport)
    assert text in str(caught.value)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


# ----- Methods -----------------------------------------------------------------------------------


@pytest.fixture
def method(monkeypatch: pytest.MonkeyPatch) -> str:
    """Remove a method of Paddle's Tensor from ours, and return its name."""
    monkeypatch.setattr(paddle.Tensor, "tanh", absent.Absent("tanh"))
    return "tanh"


def test_an_absent_method_of_tensor_is_reported_as_paddles(method: str) -> None:
    x = paddle.to_tensor([1.0])
    with pytest.raises(errors.NoSuchName, match=r"Tensor has no 'tanh' here yet; Paddle") as caught:
        x.tanh()
    assert "to do     use paddle.tanh, which is here" in str(caught.value)
    assert not hasattr(x, method)
    assert not hasattr(paddle.Tensor, method)
    assert method not in dir(x)
    assert "exp" in dir(x)


def test_a_missing_in_place_form_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paddle.Tensor, "exp_", absent.Absent("exp_"))
    monkeypatch.setattr(absent, "_forms", dict)
    with pytest.raises(errors.NoSuchName, match=r"x = x\.exp\(\.\.\.\) instead of x\.exp_"):
        _ = paddle.to_tensor(1.0).exp_


def test_an_absent_method_of_variable_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    variable = paddle.static.Variable
    for name in gone("paddle.Tensor"):
        if name == "type":  # Tensors have no `type`
            continue
        with pytest.raises(errors.NoSuchName, match="has it"):
            getattr(variable, name)


def test_importing_reads_only_the_names_of_methods() -> None:
    program = (
        "import sys, minipaddle as m; from minipaddle.paddle_names import absent; "
        "loaded = lambda: 'minipaddle.paddle_names.instead' in sys.modules; "
        "print(loaded(), absent.record.cache_info().currsize); hasattr(m, 'tahn'); "
        "print(loaded(), absent.record.cache_info().currsize)"
    )
    answer = python("-c", program)
    assert answer.stdout.split() == ["False", "0", "True", "1"]


# ----- inner modules -----------------------------------------------------------------------------


def test_an_inner_module_is_imported_under_both_names() -> None:
    program = (
        "from minipaddle.nn.layer.loss import CrossEntropyLoss\n"
        "import minipaddle.framework.random, minipaddle.tensor.math\n"
        "import minipaddle as paddle\n"
        "assert CrossEntropyLoss is paddle.nn.CrossEntropyLoss\n"
        "assert callable(paddle.tensor) and paddle.tensor.math.add is paddle.add\n"
        "from minipaddle.paddle_names.import_alias import as_paddle\n"
        "with as_paddle():\n"
        "    from paddle.nn.layer.loss import CrossEntropyLoss as Same\n"
        "    from paddle.framework import ParamAttr\n"
        "    import paddle.tensor\n"
        "    assert Same is CrossEntropyLoss and paddle.tensor.mm is paddle.mm\n"
    )
    assert python("-c", program).stderr == ""


def test_a_name_that_an_inner_module_lacks_is_explained() -> None:
    with pytest.raises(errors.NoSuchImport, match=r"paddle has no 'hub' here yet; Paddle"):
        importlib.import_module("minipaddle.hub.list")
    assert "paddle.nn.layer has no 'Linaer'; it is no public name" in told("paddle.nn.layer.Linaer")
    missing = gone("paddle.nn")[0]
    assert f"paddle.nn.layer has no '{missing}' here yet" in told(f"paddle.nn.layer.{missing}")


def test_inner_modules_are_made_only_when_imported() -> None:
    program = "import minipaddle, sys; assert 'minipaddle.framework' not in sys.modules"
    assert python("-c", program).stderr == ""


@each("path", MODULES)
def test_an_inner_module_has_the_names_of_its_public_modules(path: str) -> None:
    module = importlib.import_module(path.replace("paddle", "minipaddle", 1))
    for place in MODULES[path]:
        public = absent._find(place)
        names = [*getattr(public, "__all__", ()), *dir(public)]
        name = next(name for name in names if name[0].isalpha())
        assert getattr(module, name) is not None
