"""Errors of unique names."""

from __future__ import annotations

from ..engine.errors import MinipaddleError
from ..errors import wrong_type


def not_a_generator(value: object) -> MinipaddleError:
    return wrong_type(
        "unique_name.switch(): new_generator is no generator of names.",
        value,
        expected="what an earlier switch() gave back, or nothing",
        fix="paddle.utils.unique_name.switch(); guard('A_') begins names with A_",
    )


def not_a_prefix(value: object) -> MinipaddleError:
    return wrong_type(
        "unique_name.guard(): new_generator is no prefix of names.",
        value,
        expected="a str or bytes to begin names with, or nothing",
        fix="with paddle.utils.unique_name.guard('A_'):",
    )


def not_a_key(function: str, key: object) -> MinipaddleError:
    what = f"unique_name.{function}(): argument 'key' is no name."
    fix = f"paddle.utils.unique_name.{function}('fc')"
    return wrong_type(what, key, expected="str", fix=fix)
