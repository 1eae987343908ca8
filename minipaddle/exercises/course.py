"""Exercises from a file: a teacher's own, or those of a lesson of minipaddle."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from ..engine.errors import InvalidArgument
from ..engine.source_line import mark_library
from ..errors import misfit
from ..folders import lessons_folder
from ..messages import Message, Text
from . import errors
from .exercise import Exercise
from .outcomes import SILENT, set_lang, text
from .predictions import Prediction

# Under grading: a function that lets another process load a course, and returns what may be seen.
elsewhere: list[Callable[[str], Course]] = []

_loading: list[Path] = []  # files that are being loaded, the innermost last


class Course:
    """Exercises of one file, by name: `course.square`, `course["square"]`, or in a loop.

    >>> from minipaddle import exercises
    >>> lesson = exercises.load("01_one_tanh")
    >>> lesson.square.name
    'square'
    """

    def __init__(self, name: str, title: Message, parts: dict[str, Exercise | Prediction]) -> None:
        self._name, self._title, self._parts = name, title, parts

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._parts:
            raise errors.no_exercise(self._name, name, self._parts)
        return self._parts[name]

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)

    def __iter__(self) -> Iterator[Exercise | Prediction]:
        return iter(self._parts.values())

    def __len__(self) -> int:
        return len(self._parts)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._parts]

    def __repr__(self) -> str:
        return f"<Course {self._name}: {', '.join(self._parts)}>"

    @property
    def title(self) -> Message:
        """Value of TITLE in the file, else the file's name."""
        return text(self._name) if self._title == SILENT else self._title


def load(which: str | os.PathLike[str], lang: str = "", *, show_answers: bool = True) -> Course:
    """Load the exercises of a file such as "gates.py", or of a lesson such as "01_one_tanh".

    The file is Python and is executed. The course consists of every Exercise and Prediction that
    its variables hold at the end. A relative name starts from the notebook's folder, or from the
    file that loads. `lang` also sets the language, as `set_lang` does. With show_answers=False
    cards give the reason and hints of a wrong answer, but neither expected values nor solutions.

    Errors: NotFound for a missing file or lesson; InvalidArgument for a file without
    exercises.

    >>> from minipaddle import exercises
    >>> len(exercises.load("01_one_tanh", lang="en")) > 0
    True
    """
    if lang:
        set_lang(lang)
    if elsewhere:
        return elsewhere[0](os.fspath(which))
    course = read(file_of(os.fspath(which)))
    for part in () if show_answers else course:
        if isinstance(part, Exercise):
            part.keep_answer()
    return course


def file_of(which: str) -> Path:
    """Return the file of a course."""
    if which.endswith(".py"):
        folder = _loading[-1].parent if _loading else Path.cwd()
        if (file := folder / which).is_file():
            return file
        raise errors.no_file_beside(which, folder)
    if (file := lessons_folder() / "exercises" / f"{which}.py").is_file():
        return file
    raise errors.no_lesson(which, lessons())


def read(file: Path) -> Course:
    """Execute a file, and collect its exercises."""
    module = ModuleType(file.stem)
    module.__file__ = str(file)
    _loading.append(file.resolve())
    try:
        exec(compile(file.read_bytes(), str(file), "exec"), module.__dict__)
    finally:
        _loading.pop()
    title = text(getattr(module, "TITLE", ""))
    parts: dict[str, Exercise | Prediction] = {}
    for part in parts_of(module):
        if parts.setdefault(part.name, part) is not part:
            expected = "a name of its own for each exercise"
            fix, found = Message("rename one of them"), {"file": file.name, "name": part.name}
            raise misfit("load", expected, InvalidArgument, fix, **found)
        if not part.course:
            part.course, part.course_title = file.stem, title
        if isinstance(part, Exercise):
            part.try_slips()
    if not parts:
        raise errors.no_exercises(file)
    warn_of_other_names(module)
    # From here on pictures hide the file's lines, which contain hints and solutions.
    mark_library(str(file))
    return Course(file.stem, title, parts)


def warn_of_other_names(module: ModuleType) -> None:
    """Warn of an exercise whose variable has another name, though its own name is free."""
    for variable, part in vars(module).items():
        if not isinstance(part, Exercise) or variable == part.answer or hasattr(module, part.name):
            continue
        warnings.warn_explicit(
            f"The variable {variable} holds the exercise {part.name!r}, which judges "
            f"the learner's variable {part.answer}. Give both one name, unless that is meant.",
            UserWarning,
            part.place.file,
            part.place.line,
        )


def parts_of(module: ModuleType) -> Iterator[Exercise | Prediction]:
    """Yield the exercises in a module's variables, alone or in loaded courses."""
    seen: list[Exercise | Prediction] = []
    for value in vars(module).values():
        for part in value if isinstance(value, Course) else [value]:
            if isinstance(part, Exercise | Prediction) and part not in seen:
                seen.append(part)
                yield part


# ----- the lessons that come with minipaddle -----------------------------------------------------


def lessons() -> list[str]:
    """Return the names of the lessons, in order."""
    return sorted(file.stem for file in (lessons_folder() / "exercises").glob("[0-9]*.py"))


def solution_in(notebook: str | os.PathLike[str] | Message, name: str) -> Message:
    """Return the code of the cell with the metadata `"exercise": name` in a solved notebook.

    A `Text` names a notebook for each language. A relative name starts from the folder of the file
    that is being loaded. NotFound without such a notebook or cell.
    """
    named = notebook if isinstance(notebook, Message) else text(os.fspath(notebook))
    return Text(_code_of(name, named.of("en")), _code_of(name, named.of("zh")))


def _code_of(name: str, notebook: str | os.PathLike[str]) -> str:
    folder = _loading[-1].parent if _loading else Path.cwd()
    file = folder / notebook
    cells = json.loads(file.read_text(encoding="utf-8"))["cells"] if file.is_file() else []
    for cell in cells:
        if cell.get("metadata", {}).get("exercise") == name:
            return "".join(cell["source"])
    raise errors.no_solution(name, file, bool(cells))
