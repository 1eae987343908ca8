"""Loops are found in bytecode."""

from types import CodeType

from tests.each import each
from viz.recording.code_loops import Code

PROGRAMS = {
    "for i in a: b()": [("i",)],
    "for i, (x, *y) in a: b()": [("i", "x", "y")],
    "for i, (x, y) in a:\n for j in b: c()": [("i", "x", "y"), ("j",)],
    "for a.b in c: d()": [()],
    "while a: b()": [()],
    "for i in a:\n b()\n break": [],
    "if a:\n b()": [],
    "with a: b()\nc()": [],
    "try: a()\nexcept E: b()\nc()": [],
    "for i in a:\n with b: c()\n d()": [("i",)],
    "for i in a:\n try: b()\n except E: continue\n finally: c()": [("i",)],
    "for i in a:\n if b: continue\n c()": [("i",)],
    "for i in a:\n if b:\n  c()\n  break\nelse: d()": [("i",)],
}


@each("text", PROGRAMS)
def test_loops_are_found_at_their_lines(text: str) -> None:
    for source in (text, "def f():\n" + "\n".join("  " + line for line in text.splitlines())):
        code = compile(source, "<program>", "exec")
        inner = [item for item in code.co_consts if isinstance(item, CodeType)]
        found = [loop.variables for loop in Code(*inner or [code]).loops]
        assert found == PROGRAMS[text]


def test_code_that_runs_once_before_a_break_is_not_in_the_loop() -> None:
    code = compile("for i in a:\n if b:\n  c()\n  break\n d()", "<program>", "exec")
    lines = {at: line for start, end, line in code.co_lines() for at in range(start, end, 2)}
    (loop,) = Code(code).loops
    assert {lines[at] for at in loop.body} == {1, 2, 5}
