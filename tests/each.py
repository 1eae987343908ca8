"""Run many cases inside one test, and report every case that fails by its name.

`@each` reads like `@pytest.mark.parametrize`, but makes one test, or one per group, of all cases:
collecting and reporting forty thousand tests took longer than running them. `--case TEXT` runs the
cases whose name contains the text.
"""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from .sealing import sealed

FAILURES = (Exception, pytest.fail.Exception, pytest.skip.Exception)


@dataclass(frozen=True)
class Case:
    """One set of arguments, with the name under which its failure is reported."""

    name: str
    arguments: dict[str, Any]

    def joined(self, other: Case) -> Case:
        return Case(f"{self.name}-{other.name}", self.arguments | other.arguments)


@dataclass(frozen=True)
class Loop:
    """The cases of a test; how they are grouped, and how many run without `--all`."""

    test: Callable[..., None]
    cases: Sequence[Case]
    per: str | None
    quick: int | None

    def groups(self) -> dict[str, list[Case]]:
        """The cases by the name of the argument that `per` names."""
        groups: dict[str, list[Case]] = {}
        for case in self.cases:
            groups.setdefault(_name(case.arguments[self.per or ""], None), []).append(case)
        return groups


def each(
    names: str | Sequence[str],
    values: Iterable[Any],
    ids: Callable[[Any], str | None] | Iterable[str] | None = None,
    *,
    per: str | None = None,
    quick: int | None = None,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Call a test once for each of the values, sealed off from the calls before.

    `names`, `values` and `ids` are those of `pytest.mark.parametrize`; two decorators give every
    combination. `per` names an argument: each of its values becomes a test of its own. `quick`
    limits how many cases of a test run without `--all`.
    """
    split = [name.strip() for name in names.split(",")] if isinstance(names, str) else [*names]
    cases = list(_cases(split, values, ids))
    if not cases:
        raise ValueError(f"a test without cases of {', '.join(split)} would always pass")

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        inner: Loop | None = getattr(test, "loop", None)
        if inner is None:
            return _looping(Loop(test, cases, per, quick))
        every = [one.joined(two) for one, two in itertools.product(inner.cases, cases)]
        return _looping(Loop(inner.test, every, per or inner.per, quick or inner.quick))

    return decorate


def _looping(loop: Loop) -> Callable[..., None]:
    """A test that runs the cases one after the other, and needs no fixtures for their arguments."""
    given = set(loop.cases[0].arguments)
    fixtures = [p for p in inspect.signature(loop.test).parameters.values() if p.name not in given]
    added = {"subtests", "request"} - {parameter.name for parameter in fixtures}

    @functools.wraps(loop.test)
    def run(**fixtures: Any) -> None:
        cases = fixtures.pop("group") if loop.per else loop.cases
        config, subtests = fixtures["request"].config, fixtures["subtests"]
        own = {name: value for name, value in fixtures.items() if name not in added}
        for number, case in enumerate(_to_run(cases, loop.quick, config)):
            try:
                with sealed(), _renewed(own, number) as renewed:
                    loop.test(**case.arguments, **renewed)
            except FAILURES:
                with subtests.test(case.name):
                    raise

    keyword = inspect.Parameter.KEYWORD_ONLY
    parameters = [parameter.replace(kind=keyword) for parameter in fixtures]
    parameters += [inspect.Parameter(name, keyword) for name in sorted(added)]
    if loop.per:
        parameters.append(inspect.Parameter("group", keyword))
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.loop = loop  # type: ignore[attr-defined]
    if not loop.per:
        return run
    groups = loop.groups()
    marked: Callable[..., None] = pytest.mark.parametrize("group", groups.values(), ids=groups)(run)
    return marked


def _to_run(cases: Sequence[Case], quick: int | None, config: pytest.Config) -> Sequence[Case]:
    """The cases that the options of this run ask for, spread evenly over all of them."""
    text = config.getoption("--case")
    if text:
        return [case for case in cases if text in case.name]
    if quick is None or quick >= len(cases) or config.getoption("--all"):
        return cases
    return [cases[number * len(cases) // quick] for number in range(quick)]


@contextmanager
def _renewed(fixtures: dict[str, Any], number: int) -> Iterator[dict[str, Any]]:
    """The fixtures of a test as a case of its own would get them."""
    fixtures = dict(fixtures)
    if "tmp_path" in fixtures:
        folder: Path = fixtures["tmp_path"] / str(number)
        folder.mkdir()
        fixtures["tmp_path"] = folder
    if "capsys" in fixtures:
        fixtures["capsys"].readouterr()
    if "monkeypatch" not in fixtures:
        yield fixtures
        return
    with pytest.MonkeyPatch.context() as patch:
        yield {**fixtures, "monkeypatch": patch}


def _cases(names: Sequence[str], values: Iterable[Any], ids: Any) -> Iterator[Case]:
    """The rows of a table as cases, named as pytest would name them."""
    listed = None if ids is None or callable(ids) else [*ids]
    for number, row in enumerate(values):
        one = len(names) == 1
        marked = hasattr(row, "marks")  # a pytest.param
        if marked and row.marks:
            raise TypeError("a case of @each has no marks: make it a test of its own")
        items = row.values if marked else (row,) if one else tuple(row)
        if listed is not None:
            name = str(listed[number])
        elif marked and row.id is not None:
            name = str(row.id)
        else:
            name = "-".join(_name(item, ids) for item in items)
        yield Case(name, dict(zip(names, items, strict=True)))


def _name(item: Any, ids: Callable[[Any], str | None] | None) -> str:
    """A short name for an argument."""
    given = ids(item) if ids is not None else None
    if given is not None:
        return str(given)
    if not isinstance(item, str):
        item = getattr(item, "__name__", None) or getattr(item, "name", None) or repr(item)
    text = str(item)
    return text if len(text) <= 60 else f"{text[:59]}…"
