"""Random eager programs on real Paddle, where MINIPADDLE_ORACLE names a Python that has it."""

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.sealing import start_afresh

from .programs import EAGER, LAYERS, Program, programs
from .running import agrees, outcome_of

pytestmark = pytest.mark.slow

ORACLE = os.environ.get("MINIPADDLE_ORACLE")
WORKER = Path(__file__).with_name("worker.py")
# Intended differences (docs/differences.md), and crashes of Paddle: PyLayers visited twice, ...
PYLAYERS_THERE = {"Wave", "SavedOut", "Inside", "Noted"}
DIFFERENT = ("grad",)
KINDS = {kind: weight for kind, weight in EAGER.items() if kind not in DIFFERENT}


class Crashed(Exception):
    """Real Paddle ended with its process."""


class RealPaddle:
    """A process that returns outcomes of programs; it is replaced after a crash."""

    def __init__(self) -> None:
        self.process: Any = None

    def __call__(self, text: str) -> dict[str, Any]:
        if self.process is None:
            self.process = subprocess.Popen(
                [str(ORACLE), str(WORKER)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                env={**os.environ, "FLAGS_enable_pir_api": "0", "PYTHONPATH": ""},
            )
        try:
            self.process.stdin.write(json.dumps(text) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            self.close()
            raise Crashed
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None


@pytest.fixture
def real() -> Iterator[RealPaddle]:
    paddle = RealPaddle()
    yield paddle
    paddle.close()


# A leaf that refuses a change in place has changed there; to the same shape or dtype is no op; a
# hook that removes itself crashes, or is taken for one of another tensor.
DIFFERENT_TEXTS = ("errors.append", ".reshape(", ".astype(", ".remove()")
# Texts of errors that real Paddle raises although there is a result.
REFUSED_THERE = (
    "There is no grad op for inputs",  # paddle.grad of unconnected tensors, also with allow_unused
    "doesn't have any grad op",  # second derivatives of set_value
    "expand_v2",  # an empty tensor, broadcast to one row
    "The rank of input should be less than 7, but received 0",  # x[...] = y without axes
)


def comparable(program: Program) -> bool:
    """Say whether a program has nothing that is known to differ or to crash."""
    if set(program.layers) - PYLAYERS_THERE:
        return False
    if any(text in program.text for text in DIFFERENT_TEXTS):
        return False
    passes = program.text.count("backward(") - program.text.count("def backward(")
    passes += program.text.count("paddle.grad(")
    return not program.layers or passes < 2


@pytest.mark.oracle
@pytest.mark.skipif(ORACLE is None, reason="MINIPADDLE_ORACLE names no Python that has Paddle")
def test_real_paddle_does_the_same(fuzz: Callable, real: RealPaddle) -> None:
    assert set(LAYERS) >= PYLAYERS_THERE

    def check(program: Program) -> None:
        if comparable(program):
            start_afresh()
            there = real(program.text)
            if not any(words in there["ended"] for words in REFUSED_THERE):
                agrees(outcome_of(program), there)

    fuzz(check, programs(KINDS), 100, part=1.0)
