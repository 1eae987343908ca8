"""Mishaps of notebooks, accidental or on purpose, and random notebooks with them.

No mishap takes away an answer before or after it.
"""

from dataclasses import dataclass, field

import numpy as np

HARMLESS = {
    "stdout to devnull": "import os, sys\nsys.stdout = open(os.devnull, 'w')",
    "stdout closed": "import sys\nwith open('log', 'w') as sys.stdout:\n    print('x')",
    "stdout is no stream": "import sys\nsys.stdout = sys.stderr = 5",
    "names shadowed": "globals = locals = json = print = open = dict = str = type = 5",
    "builtins changed": "import builtins\nbuiltins.print = builtins.help = None",
    "control characters": "raise ValueError('\\x1b]0;owned\\x07\\r\\u202emallory' + ' ' * 10**6)",
    "no unicode": "raise ValueError('\\ud800')",
    "an error that raises": (
        "class Bad(Exception):\n    def __str__(self):\n        raise self\nraise Bad"
    ),
    "much output": "print('x' * 10**7)\ndisplay({'text/html': '<script>'}, raw=True)",
    "a printing thread": (
        "import threading\ndef shout():\n    while True:\n        print('x' * 10000)\n"
        "threading.Thread(target=shout, daemon=True).start()"
    ),
    "a thread that stays": (
        "import threading, time\nthreading.Thread(target=time.sleep, args=(10**6,)).start()"
    ),
    "children that stay": (
        "import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', 'import os, signal, time;"
        " signal.signal(signal.SIGTERM, signal.SIG_IGN); os.fork(); os.fork(); time.sleep(10**6)'],"
        " start_new_session=True)"
    ),
    "an orphan without surroundings": (
        "import subprocess\nsubprocess.run(['sh', '-c', 'sleep 54321 & exit'], env={})"
    ),
    "a child that prints": "import subprocess\nsubprocess.Popen(['yes', 'x' * 1000])",
    "exit": "import sys\nsys.exit(3)",
    "input": "input('?')",
    "a file of its own": "%%writefile helper.py\nvalue = 3",
    "the folder removed": "import os, shutil\nshutil.rmtree(os.getcwd())",
    "everything is an error": (
        "import warnings, numpy\nnumpy.seterr(all='raise')\nwarnings.simplefilter('error')\n"
        "numpy.set_printoptions(precision=1)"
    ),
    "modules removed": (
        "import sys\nfor name in list(sys.modules):\n    if name.startswith('minipaddle'):\n"
        "        del sys.modules[name]"
    ),
    "interrupted": "raise KeyboardInterrupt",
    "endless": "import time\ntime.sleep(10**6)",
    "signals ignored": (
        "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "signal.signal(signal.SIGINT, signal.SIG_IGN)"
    ),
    "surroundings changed": "import os\nos.environ.update(PATH='', HOME='/nowhere', LANG='x')",
    "no Python": "def double(x:\n    return",
    "modes changed": (
        "import minipaddle as paddle\npaddle.enable_static()\npaddle.seed(1)\n"
        "paddle.set_default_dtype('float64')\npaddle.set_grad_enabled(False)"
    ),
    "temporary files": "import os, tempfile\nos.chmod(tempfile.mkdtemp(), 0)\ntempfile.mkstemp()",
    "at exit": "import atexit, time\natexit.register(time.sleep, 10**6)",
    "an exercise of its own": (
        "from minipaddle.exercises import Exercise\nExercise('one', check=lambda _: True).check(3)"
    ),
}
ENDS = {  # end of the kernel -> words of the reason
    "exit without mercy": ("import os\nos._exit(1)", "The kernel ended in "),
    "stopped": ("import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)", "Stopped in "),
}
ANSWERS = {  # exercise -> answers with their outcomes
    "one": {
        "one = 1": "right",
        "gates.one.check(1)": "right",  # answered only by its check
        "one = 1\ngates.one.check(one)\nfor one in range(3):\n    pass": "right",
        "one = 0": "wrong",
        "one = [1]": "wrong",
        "": "absent",
    },
    "double": {
        "def double(x):\n    return x + x": "right",
        "def double(x):\n    return 3 * x": "wrong",
        "def double(x):\n    return print": "wrong",
        "def double(x):\n    return x + lost": "error",
        "def double(x):\n    raise SystemExit": "error",
        "double = ...": "not yet",
    },
    "guess": {"gates.guess.answer(3)": "right", "gates.guess.answer(4)": "wrong", "": "not yet"},
}


@dataclass
class Notebook:
    """Cells, their mishaps, and the expected grading."""

    cells: list[str]
    mishaps: list[str] = field(default_factory=list)
    outcomes: dict[str, str] = field(default_factory=dict)  # "absent": no answer or an error
    reason: str = ""  # beginning of every reason


def notebooks(load: str, count: int, rng: np.random.Generator) -> list[Notebook]:
    """Make random notebooks: every mishap is in one of them, and the first has none."""
    made = [answered(load, rng) for _ in range(count)]
    for number, name in enumerate(rng.permutation(list(HARMLESS))):
        book = made[1 + number % (count - 1)]
        book.mishaps.append(str(name))
        book.cells.insert(int(rng.integers(1, len(book.cells) + 1)), HARMLESS[name])
    for code, reason in ENDS.values():
        book = answered(load, rng)
        book.cells.insert(int(rng.integers(1, len(book.cells) + 1)), code)
        book.outcomes, book.reason = dict.fromkeys(book.outcomes, "error"), reason
        made.append(book)
    return made


def answered(load: str, rng: np.random.Generator) -> Notebook:
    """Answer each exercise at random, more often rightly."""
    book = Notebook([load])
    for name, ways in ANSWERS.items():
        chances = np.array([3.0 if outcome == "right" else 1.0 for outcome in ways.values()])
        way = str(rng.choice(list(ways), p=chances / chances.sum()))
        book.outcomes[name] = ways[way]
        book.cells.append(way)
    return book
