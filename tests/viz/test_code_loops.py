"""Loops are found in bytecode."""

from viz.recording.code_loops import Code


def test_code_that_runs_once_before_a_break_is_not_in_the_loop() -> None:
    code = compile("for i in a:\n if b:\n  c()\n  break\n d()", "<program>", "exec")
    lines = {at: line for start, end, line in code.co_lines() for at in range(start, end, 2)}
    (loop,) = Code(code).loops
    assert {lines[at] for at in loop.body} == {1, 2, 5}
