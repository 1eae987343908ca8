"""`minipaddle certificate`: sign pages that say what learners have done, or check one."""

from __future__ import annotations

import argparse
import json
import secrets
import sys
from datetime import date
from pathlib import Path
from typing import Any

from ..engine import files
from ..engine.visible import make_visible
from ..exercises import errors as exercise_errors
from ..exercises.grading.certificate import check_page, make_certificates, read_key
from ..exercises.grading.gradebook import read_roster
from ..messages import languages
from . import errors


def main(arguments: list[str]) -> int:
    """Make a key, check a page, or sign a page for each learner of a grading."""
    options = parse(arguments)
    if options.new_key:
        make_key(options.new_key)
        return 0
    key = read_key(options.key)
    if options.out.exists() and not options.out.is_dir():
        raise errors.file_in_the_way(options.out, "certificates")
    if options.check:
        said = check_page(options.check, key)
        print(
            make_visible(f"{options.check} is as it was signed with this key.\n{said}", keep="\n")
        )
        return 0
    rows, people = rows_in(options.grades), read_roster(options.roster) if options.roster else ()
    roster = options.roster.name if options.roster else ""
    today = date.today().isoformat()
    pages, reports = make_certificates(rows, key, today, options.lang, people, roster)
    for each in reports:
        print(make_visible(each.of(options.lang)), file=sys.stderr)
    contents = {options.out / name: page for name, page in pages.items()}
    files.write(contents, make_folders=True)
    print(f"{options.out}: {len(pages)} signed")
    return 0


def parse(arguments: list[str]) -> argparse.Namespace:
    """Read the command's options."""
    parser = argparse.ArgumentParser(
        prog="minipaddle certificate",
        description="Sign a page for each learner of a grading, or check one. Whoever has the key "
        "can do both, so keep it to yourself.",
    )
    parser.add_argument(
        "grades", metavar="GRADES", type=Path, nargs="?", help="what `grade --json` has written"
    )
    parser.add_argument("--key", metavar="FILE", type=Path, help="your key, to sign and to check")
    parser.add_argument("--check", metavar="PAGE", type=Path, help="say if a page is as signed")
    parser.add_argument("--new-key", metavar="FILE", type=Path, help="make a key in a new file")
    parser.add_argument(
        "--out", metavar="DIR", type=Path, default=Path("certificates"), help="folder (%(default)s)"
    )
    parser.add_argument(
        "--roster", metavar="FILE", type=Path, help="CSV of name, id, email, file, for the names"
    )
    parser.add_argument("--lang", choices=languages(), default="en", help="language of the pages")
    options = parser.parse_args(arguments)
    if sum(each is not None for each in (options.grades, options.check, options.new_key)) != 1:
        parser.error("give one of GRADES, --check PAGE and --new-key FILE")
    if not options.new_key and not options.key:
        parser.error("--key FILE is missing; --new-key FILE makes a key")
    return options


def make_key(file: Path) -> None:
    """Write a random key that only the user may read."""
    if not file.absolute().parent.is_dir():
        raise errors.no_folder_for(file)
    if file.exists():
        raise exercise_errors.key_there(file)
    file.touch(0o600)
    file.write_text(secrets.token_hex(32) + "\n", encoding="ascii")
    print(f"{file} is your key. Keep it: without it no page can be checked.")


def rows_in(file: Path) -> list[dict[str, Any]]:
    """Return the rows of a grading's JSON."""
    try:
        rows = json.loads(file.read_text(encoding="utf-8"))["rows"]
        fits = all(row.keys() >= {"file", "exercise", "outcome", "points", "max"} for row in rows)
    except (AttributeError, KeyError, OSError, TypeError, ValueError):
        fits = False
    if not fits:
        raise exercise_errors.no_grades(file)
    return list(rows)
