"""Unique names, such as `linear_0` and `linear_1`, and blocks that number from 0 again."""

from __future__ import annotations

from typing import Any

from ..engine import modes, naming
from ..engine.errors import InvalidType
from ..engine.guard import Guard
from ..engine.naming import UniqueNameGenerator
from ..errors import misfit, require
from ..paddle_names import absent

__all__ = ["generate", "guard", "switch"]

__getattr__ = absent.names(__name__)


def generate(key: str) -> str:
    """Return the next name of a family.

    Errors: TypeError for a key that is not a str.
    Source: Paddle's `paddle.utils.unique_name.generate`.

    >>> with paddle.utils.unique_name.guard():
    ...     [paddle.utils.unique_name.generate(key) for key in ("fc", "fc", "conv")]
    ['fc_0', 'fc_1', 'conv_0']
    """
    return naming.unique(_check_key(key, "generate"))


def generate_with_ignorable_key(key: str) -> str:
    """Return the next name of a family in static mode; in dynamic mode of the family dygraph_tmp.

    Errors: TypeError for a key that is not a str.
    Source: Paddle's `paddle.utils.unique_name.generate_with_ignorable_key`.

    >>> paddle.utils.unique_name.generate_with_ignorable_key("fc")
    'dygraph_tmp_0'
    """
    key = _check_key(key, "generate_with_ignorable_key")
    return naming.unique(key) if modes.is_static() else naming.tensor_name("dygraph_tmp")


def switch(new_generator: Any = None, new_para_name_checker: Any = None) -> tuple[Any, Any]:  # noqa: ARG001
    """Take names from another generator from now on, by default from a new one, in this thread or
    task.

    Return the arguments of the `switch` that goes back: the previous generator, and None, as names
    are not checked here. `guard` goes back by itself.

    Errors: TypeError for a generator that `switch` did not give.
    Source: Paddle's `paddle.utils.unique_name.switch`.

    >>> before = paddle.utils.unique_name.switch()
    >>> paddle.nn.Linear(2, 2).full_name()
    'linear_0'
    >>> _ = paddle.utils.unique_name.switch(*before)
    """
    if new_generator is None:
        new_generator = UniqueNameGenerator()
    if not isinstance(new_generator, UniqueNameGenerator):
        expected = "the result of an earlier switch(), or nothing"
        raise misfit("unique_name.switch", expected, InvalidType, new_generator=new_generator)
    return naming.switch(new_generator), None


def guard(new_generator: Any = None) -> Guard:
    """Number names from 0 inside the block, in this thread or task.

    A str or bytes is a prefix of every name. Two networks built each in a guard have parameters of
    the same names, so that one may load what the other saved.

    Errors: TypeError for another kind of prefix.
    Source: Paddle's `paddle.utils.unique_name.guard`.

    >>> with paddle.utils.unique_name.guard("A_"):
    ...     paddle.nn.Linear(2, 2).full_name()
    'A_linear_0'
    """
    if isinstance(new_generator, bytes):
        new_generator = new_generator.decode()
    if not isinstance(new_generator, (str, UniqueNameGenerator, type(None))):
        expected = "a str or bytes with which names begin, or nothing"
        raise misfit("unique_name.guard", expected, InvalidType, new_generator=new_generator)
    return naming.guard(new_generator or "")


def _check_key(key: Any, function: str) -> str:
    require(isinstance(key, str), f"unique_name.{function}", "key, a str", InvalidType, key=key)
    return key
