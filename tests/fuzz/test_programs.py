"""All kinds of statements are drawn, and a failing program has no needless ones."""

import random
import re

from . import programs


def test_every_statement_is_drawn() -> None:
    draw = random.Random(1107)
    kinds, texts = set(), []
    for _ in range(200):
        writer = programs.Writer({})
        for kind in ["leaf", *draw.choices(list(programs.EAGER), k=20)]:
            before = len(writer.program.body)
            choices = tuple(draw.choices(range(programs.MOST), k=4))
            if not writer.add(programs.Statement(kind, choices)):
                break
            if len(writer.program.body) > before:
                kinds.add(kind)
        texts.append(writer.program.text)
    assert kinds == set(programs.EAGER)
    together = "\n".join(texts)
    for template in (
        *programs.UNARY,
        *programs.BINARY,
        *programs.ON_MATRICES,
        *programs.CHANGES,
        *programs.CALLS.values(),
    ):
        pattern = re.sub(r"\\{\w+\\}", r"\\w+", re.escape(template))
        assert re.search(pattern, together), template


def test_only_unneeded_statements_are_left_out() -> None:
    program = programs.Program()
    program.body = [
        "x1 = paddle.to_tensor([1.0], stop_gradient=False)",
        "x2 = paddle.to_tensor([2.0], stop_gradient=False)",
        "t3 = x2 * x2",
        "t4 = x1 * 3.0",
        "t4.backward()",
    ]
    made = [smaller.body for smaller in program.without_one()]
    assert made == [program.body[:4], [*program.body[:2], *program.body[3:]]]
