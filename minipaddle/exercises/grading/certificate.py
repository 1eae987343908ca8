"""Certificates: pages that say what learners have done, signed with the teacher's key.

The signature is a keyed hash (HMAC) of the whole page, so who has the key can check a page, and
can sign one.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from html import escape, unescape
from operator import itemgetter
from pathlib import Path
from typing import Any

from ...messages import Message
from .. import errors
from ..outcomes import sentences
from .class_page import Rows, learners_of, page_of
from .gradebook import Person, rows_by_person

TITLE = Message("Certificate")
DONE = Message("{right} of {count} exercises are solved, with {points} of {most} points.")
HEAD = Message("{course}: {right} of {count}")
POINTS = Message("{n:g} {n:point|points}")
MADE = Message("Signed on {date}.")
GRADED = Message(
    "The notebooks were run anew by minipaddle, and the teacher's checks judged the answers."
)
PROOF = Message(
    "Only the key that signed this page can show whether it is genuine: {command}. An altered page "
    "fails that check. Anybody can write a page without a valid signature, and a learner alone has "
    "no key, so without the check this page proves nothing."
)
COMMAND = "minipaddle certificate --check PAGE --key KEY"
SIGNATURE = re.compile(r'<code id="signature">([0-9a-f]{16})-([0-9a-f]{64})</code>')
SUMMARY = re.compile('<meta name="description" content="([^"]*)">')
SHORTEST_KEY = 16  # bytes
STYLE = """
main{border:3px double var(--line);padding:.5rem 1.5rem 1rem;margin-top:1.5rem}
ul{list-style:none;padding:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(16rem,1fr));
column-gap:2rem}li{margin:0;display:flex;justify-content:space-between;
border-bottom:1px solid var(--line)}code{overflow-wrap:anywhere;font-size:.85em}
"""


def read_key(file: Path) -> bytes:
    """Return the key of a file, without white space around it."""
    if not file.is_file():
        raise errors.no_key(file)
    key = file.read_bytes().strip()
    if len(key) < SHORTEST_KEY:
        raise errors.weak_key(file, SHORTEST_KEY, len(key))
    return key


def make_certificates(
    rows: Rows, key: bytes, date: str, lang: str, people: Sequence[Person] = (), roster: str = ""
) -> tuple[dict[str, bytes], list[Message]]:
    """Return the signed pages by the names of their files, and what to report.

    `rows` are those of a grading's JSON. Without people of a roster a learner has the name of the
    folder or of the notebook.
    """
    learners: list[tuple[str, Rows]] = [*learners_of(rows).items()]
    reports: list[Message] = []
    if people:
        owned, reports = rows_by_person(rows, people, roster)
        learners = [(people[number]["name"], own) for number, own in owned.items()]
    # Rows of notebooks that did not run lack it.
    courses = {row["exercise"]: row["course"] for row in rows if row.get("course")}
    pages: dict[str, bytes] = {}
    for learner, own in learners:
        best: dict[str, Mapping[str, Any]] = {}
        for row in filter(itemgetter("exercise"), own):
            best[row["exercise"]] = max(best.get(row["exercise"], row), row, key=sort_key)
        if best:
            name = re.sub(r"\W+", "_", learner)
            while f"{name}.html" in pages:
                name += "_"
            page = make_page(learner, list(best.values()), courses, date, lang)
            pages[f"{name}.html"] = sign(page, key).encode("utf-8")
    return pages, reports


def sort_key(row: Mapping[str, Any]) -> tuple[bool, float]:
    """Return the key that sorts a learner's rows of one exercise: right ones, more points."""
    return row["outcome"] == "right", row["points"] or 0


def make_page(
    learner: str, rows: Rows, courses: Mapping[str, Mapping[str, str]], date: str, lang: str
) -> str:
    """Return the page of a learner, without its signature; `courses` are titles by exercise."""
    found = defaultdict(list)
    for row in rows:
        found[courses.get(row["exercise"], {}).get(lang, "")].append(row)
    right = sum(row["outcome"] == "right" for row in rows)
    points, most = (sum(row[name] or 0 for row in rows) for name in ("points", "max"))
    slots = {"right": right, "count": len(rows), "points": f"{points:g}", "most": f"{most:g}"}
    done = DONE.fill(**slots).of(lang)
    parts = [f"<h1>{escape(learner)}</h1><p>{done}</p>"]
    for course, own in found.items():
        solved = [row for row in own if row["outcome"] == "right"]
        head = HEAD.fill(course=course, right=len(solved), count=len(own)).of(lang)
        items = "".join(
            f"<li><span>✓ {escape(row['exercise'])}</span>"
            f"<span>{POINTS.fill(n=row['points']).of(lang)}</span></li>"
            for row in solved
        )
        parts.append((f"<h2>{escape(head)}</h2>" if course else "") + f"<ul>{items}</ul>")
    proof = PROOF.fill(command=COMMAND).of(lang)
    parts.append(
        f"<p>{sentences([MADE.fill(date=date), GRADED]).of(lang)}</p>"
        f'<p><small>{escape(proof)}</small></p><p><code id="signature"></code></p>'
    )
    summary = f'<meta name="description" content="{escape(f"{learner}: {done} {date}")}">'
    body = f"<main><small>{TITLE.of(lang)}</small>{''.join(parts)}</main>"
    return page_of(TITLE.of(lang), body, lang, STYLE, summary)


# ----- the signature -----------------------------------------------------------------------------


def sign(page: str, key: bytes) -> str:
    """Return a page with its signature in the empty place for it."""
    empty = '<code id="signature"></code>'
    assert page.count(empty) == 1
    return page.replace(empty, f'<code id="signature">{signature_of(page, key)}</code>')


def signature_of(page: str, key: bytes) -> str:
    """Return a mark of the key, and the keyed hash of a page whose signature is left out."""
    mark = hmac.new(key, b"minipaddle key", hashlib.sha256).hexdigest()[:16]
    content = page.replace("\r\n", "\n").encode("utf-8", "surrogateescape")
    said = hmac.new(key, b"minipaddle certificate\n" + content, hashlib.sha256).hexdigest()
    return f"{mark}-{said}"


def check_page(file: Path, key: bytes) -> str:
    """Return what a page says in one line; raise an error unless it is as this key signed it."""
    if not file.is_file():
        raise errors.no_page(file)
    page = file.read_bytes().decode("utf-8", "surrogateescape")
    found = SIGNATURE.findall(page)
    if len(found) != 1:
        raise errors.no_certificate(file)
    bare = SIGNATURE.sub('<code id="signature"></code>', page)
    wanted, there = signature_of(bare, key), "-".join(found[0])
    if wanted[:16] != there[:16]:
        raise errors.other_key(file)
    if not hmac.compare_digest(wanted, there):
        raise errors.altered_page(file)
    [summary] = SUMMARY.findall(page)
    return unescape(summary)
