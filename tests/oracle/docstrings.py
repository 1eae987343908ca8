"""Run the examples of real Paddle's docstrings on minipaddle, and count those that pass.

    MINIPADDLE_ORACLE=<a Python that has Paddle> python -m tests.oracle.docstrings [--table] [NAME]

The interpreter reads its own docstrings into a temporary folder, outside of the project, and runs
the examples, too. An example passes if minipaddle prints what the docstring shows, or what real
Paddle prints, because docstrings grow stale. `--table` writes `docs/docstrings.md`.
"""

import argparse
import doctest
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import minipaddle
from tests.oracle.example_worker import parts
from tests.oracle.reasons import REASONS

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
WORKER = HERE / "example_worker.py"
NAMES = ROOT / "minipaddle" / "paddle_names" / "public_names.txt"
TABLE = ROOT / "docs" / "docstrings.md"
SECONDS_PER_EXAMPLE = 20

LENIENT = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+|\binf\b|\bnan\b)")
ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}")
RELATIVE = 1e-6  # tolerance relative to the number
ROUNDING = 1.2e-7  # tolerance relative to the largest number: one step of float32


@dataclass
class Example:
    """One code block of one docstring."""

    id: str
    name: str
    parts: list[dict[str, str]]
    verdict: str = ""
    why: str = ""
    more: dict[str, Any] = field(default_factory=dict)

    @property
    def family(self) -> str:
        """The example's module, or Tensor: paddle.nn for paddle.nn.Layer.parameters."""
        steps = self.name.split(".")
        inner = [step for step in steps[1:-1] if step == "Tensor" or step[0].islower()]
        return ".".join(["paddle", *inner])


# ----- Comparing ---------------------------------------------------------------------------------


def same_text(want: str, got: str) -> bool:
    """Say whether a text is the wanted one, white space and last digits ignored."""
    want, got = (ADDRESS.sub("0x", text.strip()) for text in (want, got))
    if want == got or doctest.OutputChecker().check_output(want + "\n", got + "\n", LENIENT):
        return True
    words = [" ".join(NUMBER.sub("#", text).split()) for text in (want, got)]
    words = [re.sub(r"\s*([\[\](),])\s*", r"\1", text) for text in words]
    return words[0] == words[1] and close(NUMBER.findall(want), NUMBER.findall(got))


def close(want: list[str], got: list[str]) -> bool:
    """Say whether numbers are equal except for rounding."""
    if len(want) != len(got):
        return False
    pairs = [(float(a), float(b)) for a, b in zip(want, got, strict=True)]
    largest = max((abs(a) for a, _ in pairs if math.isfinite(a)), default=0.0)
    return all(
        a == b
        or (math.isnan(a) and math.isnan(b))
        or abs(a - b) <= max(RELATIVE * abs(a), ROUNDING * largest)
        for a, b in pairs
    )


def printed(answers: list[dict[str, Any]], number: int, since: int) -> list[str]:
    """Return outputs that the shown text may mean: of the last line, of the part, or of several."""
    one = answers[number]
    return [
        one.get("last", ""),
        one.get("out", ""),
        "".join(a.get("out", "") for a in answers[since : number + 1]),
    ]


def judge(example: Example, ours: Any, live: list[Any]) -> tuple[str, str]:
    """Judge minipaddle's answers; return the verdict and its reason. `live`: real Paddle's runs."""
    if isinstance(ours, str):
        return "failed", ours
    if all("skipped" in answer or "unchecked" in answer for answer in ours):
        return "skipped", "the docstring says so"
    since = 0
    for number, (part, answer) in enumerate(zip(example.parts, ours, strict=False)):
        theirs = [run[number] for run in live if isinstance(run, list) and number < len(run)]
        if "error" in answer:
            return judge_error(part, answer, theirs, live)
        if not part["want"] or "skipped" in answer or "unchecked" in answer:
            continue
        got = printed(ours, number, since)
        lives = [printed(run, number, since) for run in live if printed_by(run, number)]
        shown = any(same_text(part["want"], text) for text in got)
        if not shown and not any(same_text(texts[1], got[1]) for texts in lives):
            if not lives:
                return "skipped", "does not run on real Paddle"
            if len(lives) > 1 and not same_text(lives[0][1], lives[1][1]):
                return "skipped", "real Paddle prints something else each time"
            return "failed", f"prints\n{got[1]}\nreal Paddle prints\n{lives[0][1]}"
        since = number + 1
    return "passed", ""


def judge_error(
    part: dict[str, str], answer: dict[str, Any], theirs: list[Any], live: list[Any]
) -> tuple[str, str]:
    """Judge an exception: also real Paddle's, in the docstring, or only minipaddle's."""
    if "Traceback" in part["want"]:
        return "passed", ""
    if any(a.get("error") == answer["error"] for a in theirs):
        return "skipped", "does not run on real Paddle"
    if not any(isinstance(run, list) and run and "error" not in run[-1] for run in live):
        return "skipped", "does not run on real Paddle"
    return "failed", answer["text"]


def printed_by(run: Any, number: int) -> bool:
    """Say whether a run reached a part and completed it."""
    return isinstance(run, list) and number < len(run) and "error" not in run[number]


# ----- Running -----------------------------------------------------------------------------------


def play(
    command: list[str],
    examples: list[Example],
    folder: Path,
    environment: dict[str, str] | None = None,
    seconds: float = SECONDS_PER_EXAMPLE,
) -> dict[str, Any]:
    """Return the answers to each example, or the text of a crash or time limit."""
    answers: dict[str, Any] = {}
    waiting = list(examples)
    given, taken = folder / "given.json", folder / "taken.jsonl"
    while waiting:
        rows = [{"id": e.id, "name": e.name, "parts": e.parts} for e in waiting]
        given.write_text(json.dumps(rows), encoding="utf-8")
        taken.write_text("", encoding="utf-8")
        ending = watch([*command, str(given), str(taken)], taken, environment, seconds)
        for line in taken.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            answers[row["id"]] = row["answers"]
        waiting = [e for e in waiting if e.id not in answers]
        if waiting and ending:
            answers[waiting.pop(0).id] = ending
    return answers


def watch(
    command: list[str], taken: Path, environment: dict[str, str] | None, seconds: float
) -> str:
    """Run a worker to its end; return how it ended if it crashed or hung."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", **(environment or {})}
    with tempfile.TemporaryFile() as noise:
        worker = subprocess.Popen(
            command, env=environment, stdout=subprocess.DEVNULL, stderr=noise, cwd=taken.parent
        )
        size, since = 0, time.monotonic()
        while worker.poll() is None:
            time.sleep(0.05)
            if (now := taken.stat().st_size) != size:
                size, since = now, time.monotonic()
            if time.monotonic() - since > seconds:
                worker.kill()
                worker.wait()
                return f"no end after {seconds:g} s"
        noise.seek(0)
        text = noise.read().decode(errors="replace").strip()[-300:]
    return f"the process ended with {worker.returncode}: {text}" if worker.returncode else ""


# ----- Selection ---------------------------------------------------------------------------------


def public_names() -> list[str]:
    """Return names that both Paddles have: functions, classes, public members of classes."""
    names = []
    for line in NAMES.read_text(encoding="utf-8").splitlines()[1:]:
        path, _, inner = line.partition(": ")
        place: Any = minipaddle
        for step in path.split(".")[1:]:
            place = getattr(place, step, None)
        if place is None:
            continue
        for name in inner.split():
            value = getattr(place, name, None)
            if value is None:
                continue
            names.append(f"{path}.{name}")
            if isinstance(value, type) and name != "Tensor":
                own = [m for m in vars(value) if m[0] != "_" and hasattr(value, m)]
                names += [f"{path}.{name}.{m}" for m in own]
    return sorted(names, key=lambda name: (name.startswith("paddle.Tensor."), name))


def collect(oracle: str, folder: Path, wanted: str) -> list[Example]:
    """Return real Paddle's examples for names; a shared one is taken once."""
    given, taken = folder / "names.json", folder / "dump.json"
    names = [n for n in public_names() if re.search(wanted, n)]
    given.write_text(json.dumps(names), encoding="utf-8")
    subprocess.run(
        [oracle, "-W", "ignore", str(WORKER), "dump", str(given), str(taken)],
        check=True,
        capture_output=True,
        cwd=folder,
    )
    examples, seen = [], set()
    for name, blocks in json.loads(taken.read_text(encoding="utf-8")).items():
        for number, block in enumerate(blocks, 1):
            if block not in seen:
                seen.add(block)
                read = parts(block)
                if read:
                    examples.append(Example(f"{name} #{number}", name, read))
    return examples


def measure(oracle: str, wanted: str, folder: Path) -> list[Example]:
    """Run everything and give each example its verdict."""
    examples = collect(oracle, folder, wanted)
    live = []
    for pir in ("1", "0"):
        command = [oracle, "-W", "ignore", str(WORKER), "run", "paddle"]
        live.append(play(command, examples, folder, {"FLAGS_enable_pir_api": pir}))
    command = [sys.executable, "-W", "ignore", str(WORKER), "run", "minipaddle"]
    ours = play(command, examples, folder, {"PYTHONPATH": str(ROOT)})
    for example in examples:
        runs = [run.get(example.id) for run in live]
        example.verdict, example.why = judge(example, ours[example.id], runs)
        if isinstance(ours[example.id], list) and "way" in ours[example.id][-1]:
            example.more["way"] = ours[example.id][-1]["way"]
    return examples


# ----- Report ------------------------------------------------------------------------------------


def summary(examples: list[Example]) -> str:
    """Return the numbers of passed, failed and skipped examples by module."""
    families: dict[str, Counter[str]] = {}
    for example in examples:
        families.setdefault(example.family, Counter())[example.verdict] += 1
    families["all"] = sum(families.values(), Counter())
    lines = [f"{'':<40} passed failed skipped"]
    for family, count in families.items():
        judged = count["passed"] + count["failed"]
        share = f"{count['passed'] / judged:7.1%}" if judged else ""
        numbers = f"{count['passed']:>6} {count['failed']:>6} {count['skipped']:>7}"
        lines.append(f"{family:<40} {numbers} {share}")
    return "\n".join(lines)


def reason(example: Example) -> str:
    """Return why an example fails, from handwritten patterns, or "" if none fits."""
    told = f"{example.name}: {example.why}"
    absent = re.search(r"(?:^|: )(\S+) has no '(\w+)' here yet; Paddle", example.why)
    written = next((text for pattern, text in REASONS if re.search(pattern, told, re.DOTALL)), "")
    return written or (f"needs `{absent[1]}.{absent[2]}`, which is not here" if absent else "")


def table(examples: list[Example]) -> str:
    """Return the documentation page: numbers, and the failures with their reasons."""
    rows = [line.split() for line in summary(examples).splitlines()[1:]]
    failed: dict[str, set[str]] = {}
    for example in examples:
        if example.verdict == "failed":
            failed.setdefault(reason(example) or "not explained yet", set()).add(example.name)
    lines = [
        "# Examples of Paddle's docstrings",
        "",
        "Made by `python -m tests.oracle.docstrings --table`. An example passes if it prints here",
        "what the docstring shows or what real Paddle prints; it is skipped where the docstring",
        "says so, where real Paddle fails too or prints something else each time.",
        "",
        "| module | passed | failed | skipped |",
        "|---|--:|--:|--:|",
        *(f"| {module} | {passed} | {bad} | {skip} |" for module, passed, bad, skip, *_ in rows),
        "",
        "| why | examples that fail |",
        "|---|---|",
        *(f"| {why} | {', '.join(sorted(names))} |" for why, names in sorted(failed.items())),
    ]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Run the command that the module's docstring describes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wanted", nargs="?", default="", help="a pattern of names")
    parser.add_argument("--failures", type=Path, help="write each failure with its output there")
    parser.add_argument("--table", action="store_true", help=f"write {TABLE.relative_to(ROOT)}")
    options = parser.parse_args()
    oracle = os.environ.get("MINIPADDLE_ORACLE")
    if not oracle:
        parser.error("MINIPADDLE_ORACLE names no Python that has Paddle")
    with tempfile.TemporaryDirectory() as folder:
        examples = measure(oracle, options.wanted, Path(folder))
    print(summary(examples))
    failed = [e for e in examples if e.verdict == "failed"]
    if options.failures:
        rows = [f"== {e.id}\n{e.why.strip()}\n{e.more.get('way', '')[-700:]}\n" for e in failed]
        options.failures.write_text(summary(examples) + "\n\n" + "\n".join(rows), encoding="utf-8")
    if options.table:
        TABLE.write_text(table(examples), encoding="utf-8")
    unexplained = [e.id for e in failed if not reason(e)]
    print("\n".join(["not explained:", *unexplained]) if unexplained else "all explained")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
