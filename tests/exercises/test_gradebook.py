"""Tables for Moodle and Canvas have their columns, and grades changed by hand stay."""

import csv
import io
import json
import re
from pathlib import Path

import pytest

from minipaddle import __main__ as command_line
from minipaddle._cli import grade as grade_command
from minipaddle.engine.errors import InvalidArgument
from minipaddle.exercises.grading.grade import Row
from minipaddle.exercises.grading.gradebook import make_files, read_roster

from ..notebooks import write_notebook
from .notebooks import LOAD, ROOT, folder

__all__ = ["folder"]

PAGE = (ROOT / "docs" / "teaching.md").read_text(encoding="utf-8")

[DOCUMENTED] = re.findall(r"^```text\n(name,.+?)^```$", PAGE, re.MULTILINE | re.DOTALL)
ROSTER = """name,id,email,file
Ada Lovelace,007,ada@example.org,ada.ipynb
张三,2,zhang@example.org,group_b
"Byron, George",3,byron@example.org,
"""


def results(ada: float | None = 2, zhang: float | None = 1) -> list[dict[str, object]]:
    return [
        {"file": file, "exercise": exercise, "points": points, "max": most}
        for file, exercise, points, most in (
            ("ada.ipynb", "cube", ada, 2),
            ("ada.ipynb", "slope", 0.5, 1),
            ("group_b/hw.ipynb", "cube", zhang, 2),
            ("eve.ipynb", "cube", 2, 2),
        )
    ]


@pytest.fixture
def roster(tmp_path: Path) -> Path:
    file = tmp_path / "roster.csv"
    file.write_text(ROSTER, encoding="utf-8")
    return file


def grade_into(
    target: Path, rows: list[dict[str, object]], system: str = "moodle", item: str = ""
) -> tuple[list[dict[str, str]], list[str]]:
    """Write the table; return its rows and the reports."""
    contents, reports = make_files(rows, system, target.parent / "roster.csv", target, item)
    for file, content in contents.items():
        file.write_bytes(content)
    return read(target), [report.en for report in reports]


def read(file: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(file.read_text("utf-8-sig"))))


def change(file: Path, row: int, column: str, value: str, separator: str = ",") -> None:
    """Change one cell as a teacher does in a spreadsheet."""
    rows = read(file)
    rows[row][column] = value
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]), delimiter=separator)
        writer.writeheader()
        writer.writerows(rows)


def test_moodles_table(roster: Path) -> None:
    rows, said = grade_into(roster.with_name("m.csv"), results())
    assert list(rows[0]) == ["ID number", "Email address", "Name", "cube", "slope"]
    assert [list(row.values()) for row in rows] == [
        ["007", "ada@example.org", "Ada Lovelace", "2", "0.5"],
        ["2", "zhang@example.org", "张三", "1", ""],
        ["3", "byron@example.org", "Byron, George", "", ""],
    ]
    assert said == ["eve.ipynb is nobody's in roster.csv, so it is left out."]


def test_canvas_table_with_one_column(roster: Path) -> None:
    rows, _ = grade_into(roster.with_name("c.csv"), results(), "canvas", "Homework 5 (1234)")
    first = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
    assert list(rows[0]) == [*first, "Homework 5 (1234)"]
    assert [list(row.values()) for row in rows[:2]] == [
        ["    Points Possible", "", "", "", "", "3"],
        ["Ada Lovelace", "", "007", "ada@example.org", "", "2.5"],
    ]
    rows, _ = grade_into(roster.with_name("d.csv"), results(ada=None), "canvas", "Homework")
    assert rows[1]["Homework"] == ""  # without a part that is not judged a sum would be too small


@pytest.mark.parametrize("system", ["moodle", "canvas"])
@pytest.mark.parametrize("separator", [",", ";"])
def test_a_grade_that_was_changed_by_hand_stays(roster: Path, system: str, separator: str) -> None:
    target, at = roster.with_name("t.csv"), int(system == "canvas")
    grade_into(target, results(), system)
    number = "ID number" if system == "moodle" else "SIS User ID"
    change(target, at, number, "7")  # as Excel does
    change(target, at, "cube", "1.5", separator)
    for again in (0, 0.0, 1.5, 2):  # also after the grading has once agreed
        rows, said = grade_into(target, results(ada=again, zhang=2), system)
        assert [row["cube"] for row in rows[at:]] == ["1.5", "2", ""]
        assert rows[at][number] == "007"
        kept = f"cube: 1.5 was written by hand and stays; the grading gives {again:g}."
        assert (f"Ada Lovelace, {kept}" in said) == (again != 1.5)


def test_a_grade_that_was_emptied_stays_empty(roster: Path) -> None:
    target = roster.with_name("t.csv")
    grade_into(target, results())
    change(target, 0, "slope", "")
    rows, said = grade_into(target, results())
    assert (rows[0]["cube"], rows[0]["slope"]) == ("2", "")
    assert "Ada Lovelace, slope: – was written by hand and stays; the grading gives 0.5." in said


def test_the_best_answer_counts_where_a_learner_gives_several(roster: Path) -> None:
    roster.write_text("name,id,email,file\nAda,1,,ada\n", encoding="utf-8")
    for points, shown in (((1, 2), "2"), ((2, 1), "2"), ((None, 0), "0"), ((None, None), "")):
        rows = [
            {"file": f"ada/{n}.ipynb", "exercise": "cube", "points": each, "max": 2}
            for n, each in enumerate(points)
        ]
        target = roster.with_name(f"{points}.csv")
        assert grade_into(target, rows)[0][0]["cube"] == shown


def test_the_possible_points_of_a_teachers_column_stay(roster: Path) -> None:
    target = roster.with_name("c.csv")
    grade_into(target, results(), "canvas")
    text = target.read_text("utf-8-sig").splitlines()
    extra = [f"{line},{n or 'talk'}" for n, line in enumerate(text)]
    target.write_text("\n".join(extra), encoding="utf-8")
    rows, _ = grade_into(target, results(), "canvas")
    assert [row["talk"] for row in rows] == ["1", "2", "3", "4"]


def test_the_documented_roster(roster: Path) -> None:
    roster.write_text(DOCUMENTED, encoding="utf-8")
    rows, _ = grade_into(roster.with_name("t.csv"), results())
    assert [row["cube"] for row in rows] == ["2", "1"]


def test_what_a_spreadsheet_writes_otherwise_was_not_changed(roster: Path) -> None:
    target = roster.with_name("t.csv")
    grade_into(target, results())
    change(target, 0, "cube", "2.00")
    change(target, 0, "slope", "0,5")
    rows, said = grade_into(target, results(ada=1))
    assert (rows[0]["cube"], len(said)) == ("1", 1)
    change(target, 2, "cube", "2")  # of a learner without a copy
    rows, _ = grade_into(target, results(ada=None))
    assert [row["cube"] for row in rows] == ["1", "1", "2"]  # not judged: as it was


def test_columns_and_rows_of_the_teachers_stay(roster: Path) -> None:
    target = roster.with_name("t.csv")
    grade_into(target, results())
    text = target.read_text("utf-8-sig").splitlines()
    extra = [f"{line},{n or 'talk'}" for n, line in enumerate(text)] + ["9,g@x.org,Guest,1,1,5"]
    target.write_text("\n".join(extra), encoding="utf-8")
    rows, said = grade_into(target, results())
    assert [row["talk"] for row in rows] == ["1", "2", "3", "5"]
    assert "Guest is not in roster.csv; the row stays as it was." in said


def test_a_column_that_is_no_longer_graded_stays_if_it_was_changed(roster: Path) -> None:
    target = roster.with_name("t.csv")
    grade_into(target, results())
    grade_into(target, results(), item="Homework")
    assert list(read(target)[0])[3:] == ["Homework"]
    change(target, 0, "Homework", "9")
    for _ in range(2):
        rows, _ = grade_into(target, results())
        assert (list(rows[0])[3:], rows[0]["Homework"]) == (["cube", "slope", "Homework"], "9")


def test_without_the_file_beside_it_every_grade_is_the_teachers(roster: Path) -> None:
    target = roster.with_name("t.csv")
    grade_into(target, results())
    target.with_name("t.csv.written.json").unlink()
    rows, _ = grade_into(target, results(ada=0))
    assert rows[0]["cube"] == "2"


def test_names_that_are_formulas_or_of_two_learners(roster: Path) -> None:
    roster.write_text("Name;ID;Email;File\n=1+1;;;ada\n=2;;;ADA.ipynb\n=3;;;group_b\n", "utf-8")
    target = roster.with_name("t.csv")
    for points in (1, 2):
        rows, said = grade_into(target, results(zhang=points))
        assert [row["Name"] for row in rows] == ["'=1+1", "'=2", "'=3"]
        assert rows[2]["cube"] == str(points)
        assert said[0] == "ada.ipynb is that of =1+1, =2 in roster.csv, so it is left out."


def test_a_file_that_is_no_roster(tmp_path: Path) -> None:
    file = tmp_path / "r.csv"
    for content in (None, b"", b"name,id\nAda,1\n", "name,id,email,file\n张,,,".encode("gbk")):
        if content is not None:
            file.write_bytes(content)
        with pytest.raises(InvalidArgument, match=r"r\.csv (is no roster|cannot be read)"):
            read_roster(file)


@pytest.mark.parametrize(
    ("column", "first", "second"),
    [
        ("id", "7", "007"),
        ("email", "a@x.org", "A@X.org"),
        ("file", "ada.ipynb", "Ada.ipynb"),
        ("login", "ada", "ada"),
    ],
)
def test_two_learners_with_the_same_in_a_roster(
    tmp_path: Path, column: str, first: str, second: str
) -> None:
    file = tmp_path / "r.csv"
    columns = ["name", "id", "email", "file", "login"]
    for values in ((first, second), (first, f"{second}1"), ("", "")):
        rows = [{**dict.fromkeys(columns, ""), column: value} for value in values]
        rows = [{**row, "name": name} for row, name in zip(rows, ("Ada", "Bob"), strict=True)]
        with file.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, columns)
            writer.writeheader()
            writer.writerows(rows)
        if values == (first, second):
            with pytest.raises(InvalidArgument, match=f"several learners the same {column}"):
                read_roster(file)
        else:
            assert [person["name"] for person in read_roster(file)] == ["Ada", "Bob"]
    file.write_text("name,id,email,file\nAda,1,,\nAda,2,,\nAda,,,x\n", encoding="utf-8")
    assert len(read_roster(file)) == 3
    file.write_text("name,id,email,file\nAda,1,,\nAda,,,y\nAda,,,x\n", encoding="utf-8")
    with pytest.raises(InvalidArgument, match="several learners the same name"):
        read_roster(file)


@pytest.mark.parametrize("content", ["{", "[]", '{"7": 1}', '{"7": {"one": 2}}'])
def test_what_the_last_grading_wrote_cannot_be_read(roster: Path, content: str) -> None:
    target = roster.with_name("t.csv")
    target.with_name("t.csv.written.json").write_text(content, encoding="utf-8")
    with pytest.raises(InvalidArgument, match=r"t\.csv\.written\.json cannot be read"):
        grade_into(target, results())


def test_the_command_writes_the_table(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_notebook(folder / "copies" / "ada.ipynb", LOAD)
    (folder / "roster.csv").write_text(ROSTER, encoding="utf-8")
    rows = [Row(file, "one", "right", 2, 2, 1.0, "", "") for file in ("ada.ipynb", "x.ipynb")]
    monkeypatch.setattr(grade_command, "grade", lambda *_, **__: rows)
    words = ["copies", "--csv", "t.csv", "--lms", "moodle", "--roster", "roster.csv"]
    assert command_line.main(["grade", *words, "--lang", "zh"]) == 0
    assert "x.ipynb" in capsys.readouterr().err
    assert read(folder / "t.csv")[0]["one"] == "2"
    assert json.loads((folder / "t.csv.written.json").read_text("utf-8"))["7"] == {"one": "2"}
    for wrong in (["--lms", "canvas"], ["--item", "Homework"]):
        with pytest.raises(SystemExit):
            command_line.main(["grade", "copies", *wrong])
