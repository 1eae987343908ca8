"""Update the catalogues of translations: `python3 run.py messages`.

Babel collects the templates of the code. `zh.po` holds their translations, and gets new templates
with empty translations. The package reads `zh.json`, which is made from `zh.po`.
"""

from __future__ import annotations

import json
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "minipaddle" / "messages"
KEYWORDS = {"Message": (1,), "in_context": ((1, "c"), 2), "translated": (1,)}


def templates() -> Catalog:
    """Collect the templates of all modules."""
    found = Catalog(charset="utf-8")
    for package in ("minipaddle", "viz"):
        for module in sorted((ROOT / package).rglob("*.py")):
            with module.open("rb") as source:
                for _, template, _, context in extract("python", source, keywords=KEYWORDS):
                    assert isinstance(template, str), (module, template)
                    found.add(template, context=context)
    return found


def update(file: Path) -> Catalog:
    """Read a catalogue and update it to the templates of the code."""
    with file.open("rb") as stream:
        known = read_po(stream, locale=file.stem)
    current = Catalog(locale=file.stem, charset="utf-8", header_comment=f"# {file.stem}")
    for template in templates():
        if template.id:
            entry = known.get(template.id, template.context)
            current.add(template.id, entry.string if entry else "", context=template.context)
    return current


def as_json(catalogue: Catalog) -> str:
    """Return the translations by key as JSON, which the package reads."""
    texts = {
        f"{entry.context}\x04{entry.id}" if entry.context else entry.id: entry.string
        for entry in catalogue
        if entry.id and entry.string
    }
    return json.dumps(texts, ensure_ascii=False, indent=0, sort_keys=True) + "\n"


def main() -> None:
    """Update every catalogue, and list the missing translations."""
    for file in sorted(FOLDER.glob("*.po")):
        catalogue = update(file)
        with file.open("wb") as stream:
            write_po(stream, catalogue, sort_output=True, omit_header=True, width=100)
        file.with_suffix(".json").write_text(as_json(catalogue), encoding="utf-8")
        missing = [entry.id for entry in catalogue if entry.id and not entry.string]
        print(f"{file.name}: {len(catalogue)} messages, {len(missing)} without a translation")
        for template in missing:
            print(f"  {template!r}")


if __name__ == "__main__":
    main()
