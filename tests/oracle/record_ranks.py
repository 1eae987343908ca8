"""Play the cases of several ranks, here and on real Paddle, and write what Paddle answers.

`python -m paddle.distributed.launch --nproc_per_node 2 tests/oracle/record_ranks.py`
"""

import importlib
import json
import os
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from tests.oracle import harness  # noqa: E402  (the line above makes it importable)

TOPIC = "_two_ranks"
RECORD = harness.RECORDED / "two_ranks.json"


def answers(paddle: Any) -> dict[str, Any]:
    """Return this rank's answers to each case."""
    cases, _ = harness.load(TOPIC)
    return {case.name: harness.play(case, paddle, static=False).answers for case in cases}


def main() -> None:
    """Write the answers of all ranks, gathered."""
    paddle = importlib.import_module("paddle")
    paddle.set_device("cpu")
    paddle.distributed.init_parallel_env()
    gathered: list[Any] = []
    mine = answers(paddle)
    paddle.distributed.all_gather_object(gathered, mine)
    if paddle.distributed.get_rank() == 0:
        head = {
            "paddle": paddle.__version__,
            "recorded_by": "tests/oracle/record_ranks.py",
            "ranks": len(gathered),
        }
        rows = [f"{json.dumps(n)}: {json.dumps([each[n] for each in gathered])}" for n in mine]
        text = json.dumps(head)[:-1] + ',\n"cases": {\n' + ",\n".join(rows) + "\n}}\n"
        Path(os.environ.get("MINIPADDLE_RECORD", RECORD)).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
