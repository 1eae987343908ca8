"""Which families of ops are loaded later, and what is in them: makes minipaddle/ops/later.py.

    python -m tests.architecture.later

A family that neither `ops/__init__` nor a family loaded there imports is loaded when one of its
names is first used. A test compares the file with what this would write.
"""

from __future__ import annotations

import importlib
import sys
import textwrap
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parents[2] / "minipaddle" / "ops"
HEAD = '''"""The families that are loaded when one of their names is first used.

Made by `python -m tests.architecture.later`: names of a family, and whether each is a record, a
function of `paddle`, a method, or has an in-place form.
"""

from __future__ import annotations

'''
KINDS = {"function": "f", "method": "m", "inplace": "i"}


def described() -> dict[str, dict[str, str]]:
    """The names of every family that importing minipaddle does not load."""
    ops = importlib.import_module("minipaddle.ops")
    files = {f"{path.parent.name}.{path.stem}" for path in HERE.glob("*/[a-z]*.py")}
    families = sorted(files - {name.removeprefix("minipaddle.ops.") for name in _modules()})
    by_family: dict[str, dict[str, str]] = {family: {} for family in families}
    known = set(ops.catalog.loaded())
    for family in families:
        importlib.import_module(f"minipaddle.ops.{family}")
        new = [entry for entry in ops.catalog.loaded() if entry not in known]
        for entry in new:
            home = _home(entry.source)
            kinds = by_family[home if home in by_family else family]
            mark = "".join(letter for kind, letter in KINDS.items() if getattr(entry, kind))
            for name in entry.names:
                record = "r" if dict.__contains__(ops.REGISTRY, name) else ""
                kinds[name] = "".join(dict.fromkeys(kinds.get(name, record) + mark))
        known.update(new)
    return {family: kinds for family, kinds in by_family.items() if kinds}


def _home(source: Any) -> str:
    """The module in which a record's kernel, or a function, is written."""
    module: str = getattr(source, "kernel", source).__module__
    return module.removeprefix("minipaddle.ops.")


def hiding(now: dict[str, str], later: dict[str, dict[str, str]]) -> list[str]:
    """Names that mean one thing before a family is loaded and another one after."""
    return [
        f"{family}.{name}"
        for family, names in later.items()
        for name, kinds in names.items()
        if set(kinds) & set(now.get(name, ""))
    ]


def names_now() -> dict[str, str]:
    """What importing minipaddle loads, as `described` tells of the rest."""
    catalog = importlib.import_module("minipaddle.ops").catalog
    letters: dict[str, str] = {}
    for kind, letter in KINDS.items():
        for name in catalog.table(kind):
            letters[name] = letters.get(name, "") + letter
    return letters


def _modules() -> list[str]:
    """What a fresh `import minipaddle` loads: this process has just begun."""
    return [name for name in sys.modules if name.startswith("minipaddle.ops.")]


def text(families: dict[str, dict[str, str]]) -> str:
    """The file."""
    lines = [HEAD + "FAMILIES: dict[str, dict[str, str]] = {"]
    for family, kinds in families.items():
        row = ", ".join(f'"{name}": "{marks}"' for name, marks in kinds.items())
        inside = textwrap.wrap(row + ",", 92, break_long_words=False)
        lines += [f'    "{family}": {{', *(f"        {line}" for line in inside), "    },"]
    lines.append("}  # fmt: skip")
    lines.append("RECORDS = {")
    lines.append("    name: family")
    lines.append("    for family, names in FAMILIES.items()")
    lines.append("    for name, kinds in names.items()")
    lines += ['    if kinds[0] == "r"', "}"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    now, families = names_now(), described()
    if hidden := hiding(now, families):
        raise SystemExit(f"loaded later, these would change what a name means: {hidden}")
    if "--check" in sys.argv:
        same = (HERE / "later.py").read_text(encoding="utf-8") == text(families)
        raise SystemExit(None if same else "out of date: python -m tests.architecture.later")
    (HERE / "later.py").write_text(text(families), encoding="utf-8")
