"""Run every case on real Paddle and write the answers.

Call it with an interpreter that has Paddle: `python tests/oracle/record.py [topic ...]`.

Each topic runs in a process of its own with a time limit, static topics with the legacy programs
that the documents describe. A topic that crashes or hangs is not written: leave the case out.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from tests.oracle import harness  # noqa: E402  (the line above makes it importable)

SECONDS_PER_TOPIC = 180


def record_topic(topic: str, folder: Path) -> None:
    """Run one topic in this process and write its file."""
    import paddle

    cases, static = harness.load(topic)
    answers = {}
    for case in cases:
        print(f"{topic}::{case.name}", file=sys.stderr, flush=True)
        answers[case.name] = harness.play(case, paddle, static).answers
    head = {"paddle": paddle.__version__, "recorded_by": "tests/oracle/record.py"}
    rows = [f"{json.dumps(name)}: {json.dumps(shown)}" for name, shown in answers.items()]
    text = json.dumps(head)[:-1] + ',\n"cases": {\n' + ",\n".join(rows) + "\n}}\n"
    (folder / f"{topic}.json").write_text(text, encoding="utf-8")


def record_apart(topic: str, folder: Path) -> bool:
    """Run one topic in a process of its own; print a message and return False if it failed."""
    pir = "0" if harness.load(topic)[1] else "1"
    command = [sys.executable, __file__, "--here", "--out", str(folder), topic]
    try:
        done = subprocess.run(
            command,
            env={**os.environ, "FLAGS_enable_pir_api": pir, "OMP_NUM_THREADS": "1"},
            capture_output=True,
            text=True,
            timeout=SECONDS_PER_TOPIC,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        print(f"{topic}: no end after {SECONDS_PER_TOPIC} s\n{error.stderr}")
        return False
    if done.returncode:
        print(f"{topic}: ended with {done.returncode}\n{done.stderr[-3000:]}")
    return done.returncode == 0


def main() -> int:
    """Record the topics named on the command line, or all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("topics", nargs="*")
    parser.add_argument("--out", type=Path, default=harness.RECORDED)
    parser.add_argument("--here", action="store_true", help="run in this process")
    arguments = parser.parse_args()
    chosen = arguments.topics or harness.topics()
    if arguments.here:
        for topic in chosen:
            record_topic(topic, arguments.out)
        return 0
    failed = [topic for topic in chosen if not record_apart(topic, arguments.out)]
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
