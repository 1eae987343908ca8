"""Make the notebooks and the list of lessons from their sources: `python lessons/build.py`.

A source is one .py file in percent format, the only form that is edited:

- text cells carry `lang="en"` or `lang="zh"` and stand in pairs;
- in code cells, a comment, docstring or string of the form `English | 中文` is cut to one language;
- in cells with `exercise="name"`, lines that end in `# answer` are what learners write;
- a row `| NN_topic | text |` of a table gets the lesson's title and a link to it, and is left out
  as long as there is no such lesson;
- cells with `wrong="slip"` say how a known wrong answer differs from the solution above them, as
  `- line` and `+ line`; they are for the tests and go into no notebook.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from pathlib import Path

import jupytext
import nbformat
from nbformat import NotebookNode, v4

HERE = Path(__file__).resolve().parent
LANGUAGES = ("en", "zh")
ANSWER = "  # answer"
COMMENT = re.compile(r"# ([^|\n]+) \| (.+)$", re.MULTILINE)
STRING = re.compile(r'("{1,3})([^"|\n]+) \| ([^"|\n]+)\1')
# A line break inside a Chinese sentence would become a space.
HAN = r"[\u3000-\u9fff\uff00-\uffef“”]"
WRAPPED = re.compile(
    rf"(?<={HAN})\n(?:  )?(?={HAN})|(?<=[，。；：、？])\n(?:  )?(?![-<$#|\s]|\d+\. )"
)
LIST = re.compile(r"(?<=^\|---\|---\|\n)(?:\| \[.+\n)+", re.MULTILINE)
HEADING = re.compile(r"^# # (.+)$", re.MULTILINE)
ROW = re.compile(r"^\| (\d\d_\w+) (\|.+)\n?", re.MULTILINE)
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def main() -> None:
    """Write every notebook, and the list of lessons."""
    for path, content in build_all().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def build_all() -> dict[Path, bytes]:
    """The bytes of every file that is made, by its path."""
    readme = HERE / "README.md"
    return notebooks() | {readme: with_list(readme.read_text(encoding="utf-8")).encode()}


def notebooks() -> dict[Path, bytes]:
    """The bytes of every notebook, by its path."""
    return {
        place / language / f"{source.stem}.ipynb": dump(notebook(cells, lang, solved))
        for source in sources()
        for cells in [read_cells(source)]
        for lang, language in zip(LANGUAGES, ("", "zh"), strict=True)
        for place, solved in ((HERE, False), (HERE / "solutions", True))
        if not solved or any("exercise" in cell.metadata for cell in cells)
    }


def sources() -> list[Path]:
    """The files that are edited."""
    return sorted((HERE / "source").glob("[0-9][0-9]_*.py"))


def with_list(readme: str) -> str:
    """The README with the lessons that there are, by the headings of their first pages."""
    rows = [
        f"| [{titles['en']}]({name}.ipynb) | [{titles['zh']}](zh/{name}.ipynb) |\n"
        for name, titles in headings().items()
    ]
    return LIST.sub("".join(rows), readme, count=1)


@functools.cache
def headings() -> dict[str, dict[str, str]]:
    """What each lesson is called on its first line, by its name and by language."""
    return {
        source.stem: dict(zip(LANGUAGES, HEADING.findall(source.read_text("utf-8")), strict=False))
        for source in sources()
    }


def read_cells(source: Path) -> list[NotebookNode]:
    """The cells of a source, each text cell checked to stand beside its translation."""
    cells = jupytext.read(source, fmt="py:percent").cells
    texts = [c.metadata for c in cells if c.cell_type == "markdown" and "wrong" not in c.metadata]
    languages = [metadata.get("lang") for metadata in texts]
    pairs = list(zip(languages[::2], languages[1::2], strict=False))
    if len(languages) % 2 or any(pair != LANGUAGES for pair in pairs):
        raise ValueError(f"{source.name}: a text cell lacks its translation: {languages}")
    return list(cells)


def notebook(cells: list[NotebookNode], lang: str, solved: bool) -> NotebookNode:
    """A notebook in one language, for students or with the solutions."""
    result = v4.new_notebook(cells=list(select_cells(cells, lang, solved)))
    result.metadata = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    result.nbformat_minor = 5
    nbformat.validate(result)
    return result


def select_cells(cells: list[NotebookNode], lang: str, solved: bool) -> Iterator[NotebookNode]:
    """The cells of one notebook, under the same ids in every version."""
    number = 0
    for cell in cells:
        meta = cell.metadata
        if meta.get("lang", lang) != lang or "wrong" in meta:
            continue
        number += 1
        if cell.cell_type == "markdown":
            yield v4.new_markdown_cell(prose(cell.source, lang), id=f"text-{number:02d}")
            continue
        name = meta.get("exercise")
        code = (with_answers if solved else without_answers)(cell.source) if name else cell.source
        kept = {"exercise": name} if name else {}
        yield v4.new_code_cell(in_language(code, lang), id=f"code-{number:02d}", metadata=kept)


def prose(text: str, lang: str) -> str:
    """A text cell, with the lines of a Chinese sentence joined, and with the lessons' titles."""
    text = ROW.sub(lambda row: titled(row[0], row[1], row[2], lang), text).rstrip("\n")
    return WRAPPED.sub("", text) if lang == "zh" else text


def titled(row: str, name: str, rest: str, lang: str) -> str:
    """The row of a lesson, if there is one of this name."""
    if name not in headings():
        return ""
    end = "\n" if row.endswith("\n") else ""
    return f"| [{headings()[name][lang]}]({name}.ipynb) {rest}{end}"


def in_language(code: str, lang: str) -> str:
    """Code with each `English | 中文` cut to one of the two."""
    one = 1 if lang == "en" else 2
    code = COMMENT.sub(rf"# \g<{one}>", code)
    return STRING.sub(rf"\g<1>\g<{one + 1}>\g<1>", code)


def with_answers(code: str) -> str:
    """The solution: every line, without the marks."""
    return "\n".join(line.removesuffix(ANSWER) for line in code.splitlines())


def without_answers(code: str) -> str:
    """The stub: the solution without the marked lines."""
    return "\n".join(line for line in code.splitlines() if not line.endswith(ANSWER)).rstrip()


def wrong_answers(source: Path) -> Iterator[tuple[str, str, str]]:
    """Every known wrong answer: the exercise, its slip, its code."""
    name = solution = ""
    for cell in read_cells(source):
        if "exercise" in cell.metadata:
            name, solution = cell.metadata["exercise"], with_answers(cell.source)
        elif "wrong" in cell.metadata:
            yield name, cell.metadata["wrong"], spoil(solution, cell.source)


def spoil(code: str, edits: str) -> str:
    """Code with each `- line` replaced by the `+ line` that follows it, or taken out."""
    for old, new in re.findall(r"^- (.+)$(?:\n\+ (.+)$)?", edits, re.MULTILINE):
        pattern = re.compile(rf"^( *){re.escape(old)}$\n?", re.MULTILINE)
        end = "\n" if new else ""
        code, times = pattern.subn(lambda at, line=new + end: line and at[1] + line, code)
        if times != 1:
            raise ValueError(f"{old!r} stands {times} times in the solution:\n{code}")
    return code


def dump(made: NotebookNode) -> bytes:
    """The one spelling of a notebook."""
    text: str = nbformat.writes(made, ensure_ascii=False, indent=1, sort_keys=True)
    return (text.rstrip("\n") + "\n").encode("utf-8")


if __name__ == "__main__":
    main()
