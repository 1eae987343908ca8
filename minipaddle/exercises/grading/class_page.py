"""Page of a whole class: who has done what, and which mistakes are common."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from html import escape
from pathlib import Path, PurePosixPath
from typing import Any

from ...messages import Message
from ..outcome_cards import columns
from ..progress import Entry

Rows = Sequence[Mapping[str, Any]]

TITLE = Message("A class at a glance")
AGAIN = Message("Teach again first")
FIRST = Message("{exercise}: {wrong} of {tried} answers are wrong.")
NOTHING_WRONG = Message("No answer is wrong.")
MISTAKES = Message("Common wrong answers")
LEARNERS = Message("{n} {n:learner|learners}")
EXAMPLE = Message("An example")
DEPARTS = Message("Differs first at")
MORE = Message("… and {n} {n:other|others}, which fewer learners gave.")
HINTS = Message("Hints seen")
EXPORTS = Message("As {n} {n:file|files} of progress in the folder {n:says|say}.")
WHO = Message("Who has done what")
LEARNER, POINTS, ALL = Message("learner"), Message("points"), Message("all learners")
NOT_JUDGED = Message("not judged")
MARKS = {
    "right": ("✓", Message("done")),
    "wrong": ("✗", Message("wrong")),
    "error": ("!", Message("stopped by an error")),
    "not yet": ("○", Message("not tried")),
    "not judged": ("?", NOT_JUDGED),
}
WRONG = ("wrong", "error")
SHOWN = 12  # mistakes with a bar
LETTER = 8  # width of a letter in a box
SHORTEST_NAME = 3  # letters of a name that an example must not show
STYLE = """
:root{color-scheme:light dark;--line:#d0d7de;--soft:#f3f5f7;--bar:#9a6700;--ok:#1a7f4b;--no:#b3261e}
@media(prefers-color-scheme:dark){:root{--line:#3d444d;--soft:#1f252c;--bar:#d9a441;--ok:#5cc98a;
--no:#ff8a80}body{background:#12161b;color:#e6e9ec}}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:0 1rem 3rem}
h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2rem}
ol{list-style:none;padding:0}li{margin:0 0 1.2rem}svg{display:block;width:100%;height:.6rem}
.at svg{width:auto;height:28px;max-width:100%;font:13px ui-monospace,monospace;fill:currentColor}
.at path,.at rect{fill:none;stroke:currentColor}.at .forth{fill:#82b83a44}.at .back{fill:#d974b444}
.line{display:flex;gap:1rem;justify-content:space-between;align-items:baseline}
.line span:last-child{white-space:nowrap}p{overflow-wrap:anywhere}li p{margin:.2rem 0}
pre{background:var(--soft);padding:.6rem;overflow-x:auto;font-size:.85rem}
.again{border-left:4px solid var(--bar);padding:.2rem 1rem;background:var(--soft)}
.again h2{margin:.4rem 0 0}.again p{margin:.2rem 0 .4rem}.legend span{white-space:nowrap;
margin-right:1rem}
.wide{overflow-x:auto}table{border-collapse:collapse}
th,td{padding:.25rem .6rem;border-bottom:1px solid var(--line);text-align:center;
white-space:nowrap}
th{font-weight:600}th:first-child{position:sticky;left:0;background:Canvas;text-align:left;

white-space:normal}th div{width:max-content;max-width:9rem;overflow-wrap:break-word}
.right{color:var(--ok)}.wrong,.error{color:var(--no)}tfoot{background:var(--soft)}
@media(max-width:480px){th,td{padding:.25rem .4rem}}
@media(prefers-color-scheme:dark){th:first-child{background:#12161b}}
"""


@dataclass
class Mistake:
    """Wrong answer that several learners may have given, with their answers by learner."""

    exercise: str
    words: str
    codes: dict[str, str]
    boxes: list[tuple[str, str]]  # the op at which an answer departs, and the wrong results

    def example(self, names: Iterable[str]) -> str:
        """Return the shortest code that names no learner, or ""."""
        hides = pattern_of_names(names)
        codes = [code for code in self.codes.values() if code and not hides.search(code)]
        return min(codes, key=len, default="")

    def box(self, names: Iterable[str]) -> tuple[str, str]:
        """Return the most frequent box that names no learner, or ("", "")."""
        hides = pattern_of_names(names)
        boxes = Counter(box for box in self.boxes if not hides.search(box[0]))
        return next(iter(boxes.most_common(1)), (("", ""), 0))[0]


def pattern_of_names(names: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern that finds each of the names."""
    known = [rf"(?<![a-z]){re.escape(name)}(?![a-z])" for name in names]
    return re.compile("|".join(known) or r"(?!)", re.IGNORECASE)


def learners_of(rows: Rows) -> dict[str, list[Mapping[str, Any]]]:
    """Return the rows of each learner: of a folder if no exercise is in it twice, else of a file.

    Notebooks that lie directly in the folder of copies are of a learner each.
    """
    folders = defaultdict(list)
    for row in rows:
        folders[str(PurePosixPath(row["file"]).parent)].append(row["exercise"])
    found = defaultdict(list)
    for row in rows:
        folder = str(PurePosixPath(row["file"]).parent)
        own = folder != "." and len(set(folders[folder])) == len(folders[folder])
        found[folder if own else row["file"].removesuffix(".ipynb")].append(row)
    return found


def mistakes_of(learners: Mapping[str, Rows], lang: str) -> list[Mistake]:
    """Return the wrong answers, the most frequent first."""
    found: dict[tuple[str, str], Mistake] = {}
    for learner, rows in learners.items():
        for row in rows:
            if row["outcome"] in WRONG:
                hint = row.get("hint", {})
                key = row["exercise"], row.get("slip") or hint.get("en") or row["reason"]
                words = hint.get(lang) or row["reason"]
                mistake = found.setdefault(key, Mistake(row["exercise"], words, {}, []))
                mistake.codes[learner] = row.get("code", "")
                if box := row.get("box"):
                    mistake.boxes.append((box["op"], box["gives"].get(lang, "")))
    return sorted(found.values(), key=lambda mistake: -len(mistake.codes))


def hardest_exercise(rows: Rows) -> tuple[str, int, int] | None:
    """Return the exercise with the largest share of wrong answers, and its wrong and all answers.

    One that less than half of the class has tried counts as if half had, so that a single wrong
    answer does not put it first.
    """
    outcomes = defaultdict(list)
    for row in rows:
        outcomes[row["exercise"]].append(row["outcome"])
    found = []
    for exercise, own in outcomes.items():
        wrong = sum(outcome in WRONG for outcome in own)
        tried = wrong + own.count("right")
        if wrong and exercise:
            found.append((wrong / max(tried, len(own) / 2), wrong, exercise, tried))
    if not found:
        return None
    _, wrong, exercise, tried = max(found, key=lambda each: each[:2])
    return exercise, wrong, tried


def read_hints(folder: Path) -> list[set[str]]:
    """Return the exercises of which a hint was seen, for each exported progress in a folder."""
    wanted, found = {each.name for each in fields(Entry)}, []
    for file in sorted(folder.rglob("*.csv")):
        with suppress(OSError, UnicodeDecodeError, csv.Error):
            rows = [*csv.DictReader(io.StringIO(file.read_text(encoding="utf-8-sig")))]
            if rows and wanted <= rows[0].keys():
                found.append({row["exercise"] for row in rows if row["did"] == "hint"})
    return found


def class_page(rows: Rows, lang: str, hints: Sequence[set[str]] = ()) -> str:
    """Return the page of the rows of a grading's JSON, as HTML that needs nothing else.

    `hints` has the exercises of which each learner saw a hint, as far as learners say.
    """
    learners = learners_of(rows)
    title = TITLE.of(lang)
    parts = [f"<h1>{title}</h1>", card_of_hardest(rows, lang)]
    if mistakes := mistakes_of(learners, lang):
        parts += [f"<h2>{MISTAKES.of(lang)}</h2>", bars(mistakes, learners, lang)]
    if hints:
        parts += [f"<h2>{HINTS.of(lang)}</h2>", hint_bars(rows, hints, lang)]
    parts += [f"<h2>{WHO.of(lang)}</h2>", table(rows, learners, lang)]
    return page_of(title, "".join(parts), lang)


def page_of(title: str, body: str, lang: str, style: str = "", head: str = "") -> str:
    """Return a page that needs nothing else, with more in its `style` and `head`."""
    return (
        f'<!doctype html>\n<html lang="{lang}"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        f"style-src 'unsafe-inline'\">{head}"
        f"<title>{title}</title><style>{STYLE}{style}</style><body>{body}</body></html>\n"
    )


def card_of_hardest(rows: Rows, lang: str) -> str:
    """Return what to teach again first."""
    if (first := hardest_exercise(rows)) is None:
        return f"<p>{NOTHING_WRONG.of(lang)}</p>"
    exercise, wrong, tried = first
    words = FIRST.fill(exercise=exercise, wrong=wrong, tried=tried).of(lang)
    return f'<div class="again"><h2>{AGAIN.of(lang)}</h2><p>{escape(words)}</p></div>'


def bar(exercise: str, count: int, most: int, lang: str) -> str:
    """Return the name of an exercise, the number of learners, and a bar as long as that."""
    return (
        f'<div class="line"><b>{escape(exercise)}</b>'
        f"<span>{LEARNERS.fill(n=count).of(lang)}</span></div>"
        '<svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect width="{100 * count / most:.1f}" height="1" fill="var(--bar)"/></svg>'
    )


def hint_bars(rows: Rows, hints: Sequence[set[str]], lang: str) -> str:
    """Return a bar for each exercise of which somebody saw a hint."""
    counts = Counter(name for row in hints for name in row & {each["exercise"] for each in rows})
    most = max(counts.values(), default=1)
    items = [f"<li>{bar(name, n, most, lang)}</li>" for name, n in counts.most_common()]
    return f"<p>{EXPORTS.fill(n=len(hints)).of(lang)}</p><ol>{''.join(items)}</ol>"


def bars(mistakes: Sequence[Mistake], learners: Iterable[str], lang: str) -> str:
    """Return a bar for each of the most frequent mistakes, with an example."""
    names = names_in(list(learners))
    most = len(mistakes[0].codes)
    items = []
    for mistake in mistakes[:SHOWN]:
        count = len(mistake.codes)
        code = mistake.example(names)
        example = (
            f"<details><summary>{EXAMPLE.of(lang)}</summary><pre>{escape(code)}</pre></details>"
        )
        items.append(
            f"<li>{bar(mistake.exercise, count, most, lang)}"
            f"<p>{escape(mistake.words)}</p>{picture(*mistake.box(names), lang)}"
            f"{example if code else ''}</li>"
        )
    rest = len(mistakes) - SHOWN
    more = f"<p>{MORE.fill(n=rest).of(lang)}</p>" if rest > 0 else ""
    return f"<ol>{''.join(items)}</ol>{more}"


def picture(op: str, gives: str, lang: str) -> str:
    """Draw the box at which answers depart, and the wrong results that come out of it."""
    if not op:
        return ""
    box, out, said = LETTER * columns(op) + 16, f"{gives} ≠".strip(), DEPARTS.of(lang)
    width = box + 40 + LETTER * columns(out)
    kind = "back" if op.endswith(".backward") else "forth"
    return (
        f'<p class="at"><small>{said}</small><svg role="img" aria-label="{said}: {escape(op)}"'
        f' viewBox="0 0 {width} 28" width="{width}">'
        f'<rect class="{kind}" x="1" y="2" width="{box}" height="24" rx="5"/>'
        f'<text x="9" y="18">{escape(op)}</text><path d="M{box + 1} 14h24m-6-4l6 4l-6 4"/>'
        f'<text x="{box + 32}" y="18">{escape(out)}</text></svg></p>'
    )


def names_in(learners: Sequence[str]) -> list[str]:
    """Return the words of the learners' names, without those that most of their files share."""
    words = Counter(
        word for learner in learners for word in set(re.split(r"[\W\d_]+", learner.lower()))
    )
    few = max(1, len(learners) / 2)
    return [
        word
        for word, count in words.items()
        if count <= few and (len(word) >= SHORTEST_NAME or (word and not word.isascii()))
    ]


def table(rows: Rows, learners: Mapping[str, Rows], lang: str) -> str:
    """Return the table of exercises by learners, and its legend."""
    exercises = list(dict.fromkeys(row["exercise"] for row in rows if row["exercise"]))
    heads = "".join(f'<th scope="col">{escape(each)}</th>' for each in exercises)
    body = []
    for learner, own in learners.items():
        outcomes = {row["exercise"]: row["outcome"] for row in own}
        cells = "".join(cell(outcomes.get(each, "not yet"), lang) for each in exercises)
        points = sum(row["points"] or 0 for row in own)
        most = sum(row["max"] for row in own)
        body.append(
            f'<tr><th scope="row"><div>{escape(learner)}</div></th>{cells}'
            f"<td>{points:g} / {most:g}</td></tr>"
        )
    done = [
        sum(row["exercise"] == each and row["outcome"] == "right" for row in rows)
        for each in exercises
    ]
    foot = "".join(f"<td>{count} / {len(learners)}</td>" for count in done)
    legend = " ".join(f"<span>{mark} {words.of(lang)}</span>" for mark, words in MARKS.values())
    return (
        f'<p class="legend">{legend}</p><div class="wide" tabindex="0"><table>'
        f'<thead><tr><th scope="col">{LEARNER.of(lang)}</th>{heads}'
        f'<th scope="col">{POINTS.of(lang)}</th></tr></thead><tbody>{"".join(body)}</tbody>'
        f'<tfoot><tr><th scope="row">✓ {ALL.of(lang)}</th>{foot}'
        "<td></td></tr></tfoot></table></div>"
    )


def cell(outcome: str, lang: str) -> str:
    """Return the cell of one result."""
    mark, words = MARKS.get(outcome, MARKS["not judged"])
    kind = outcome if outcome in MARKS else ""
    label = escape(words.of(lang))
    return f'<td class="{kind}" title="{label}"><span aria-label="{label}" role="img">{mark}</span>'
