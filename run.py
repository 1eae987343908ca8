"""Commands of the project, from an empty clone with Python alone; the first makes .venv."""

import sys

if sys.version_info < (3, 11):  # old Pythons must be able to parse this file
    sys.exit(
        "minipaddle needs Python 3.11 or newer.\n  received  Python %d.%d\n" % sys.version_info[:2]
        + "  to do     start run.py with a newer one, for example: python3.11 run.py demo"
    )

import hashlib
import importlib.util
import os
import shutil
import signal
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent
ENV = ROOT / ".venv"
PYTHON = ENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = ENV / "made-by-run-py.txt"  # fingerprint and extras, empty during the set-up
# Generated files: their program, the extras that it needs, its sources, its products.
GENERATED = (
    ("docs/make_stubs.py", set(), "minipaddle", "minipaddle/**/*.pyi"),
    ("lessons/build.py", {"lab", "test"}, "lessons/source", "lessons/solutions/**/*.ipynb"),
)
COMMANDS = {
    "demo": ["-m", "minipaddle", "demo"],
    "lessons": ["-m", "minipaddle", "lessons"],
    "test": ["-m", "pytest", "-n", "auto", "--dist", "worksteal"],
    "bench": ["benchmarks/run.py"],
    "size": ["benchmarks/size.py"],
    "site": ["site/build.py"],
    "messages": ["-m", "docs.catalogue"],
    "doctor": ["-m", "minipaddle", "doctor"],
}
# Extras of pyproject.toml that a command needs; other commands need the package alone.
EXTRAS = {"lessons": {"lab"}, "messages": {"test"}, "site": {"site"}, "test": {"test"}}
EXTRAS_OF_ALL = {"dev", "lab"}  # added by `test --all`
USAGE = """usage: python3 run.py COMMAND [options]

  demo      run the documents' examples, train a network, write pictures to out/
  lessons   open the lessons in JupyterLab (--lang zh: in Chinese)
  test      run the quick tests, in minutes; --all: every test
  site      build the site with playground and course for a browser; --serve: open it
  bench     compare speeds
  size      count the lines of code of each folder
  messages  bring the translations up to date with the code
  doctor    say what is found and what is missing"""


def fingerprint() -> str:
    """Return a hash of the checkout's path and of the files that define the environment."""
    files = [(ROOT / name).read_bytes() for name in ("pyproject.toml", "constraints.txt")]
    return hashlib.sha256(b"\0".join([os.fsencode(ROOT), *files])).hexdigest()


def empty_environment() -> None:
    """Make .venv anew; an empty stamp marks it as ours, even after an interrupt."""
    if not (importlib.util.find_spec("venv") and importlib.util.find_spec("ensurepip")):
        sys.exit(
            "This Python cannot make environments: its module venv or ensurepip is missing.\n"
            "  to do     on Debian and Ubuntu: sudo apt install python3-venv; then run this again"
        )
    ENV.mkdir(exist_ok=True)
    STAMP.write_text("")
    for item in ENV.iterdir():
        if item.is_dir() and not item.is_symlink():
            shutil.rmtree(item)
        elif item != STAMP:
            item.unlink()
    subprocess.run([sys.executable, "-m", "venv", ENV], check=True)


def set_up(wanted: "set[str]") -> None:
    """Install the package and these extras, unless they are installed."""
    state = STAMP.read_text().split() if STAMP.exists() and PYTHON.exists() else []
    installed = set(state[1:])
    if state[:1] == [fingerprint()] and wanted <= installed:
        return
    if ENV.is_symlink() or (ENV.exists() and not STAMP.exists()):
        sys.exit(
            f"{ENV} was not made by run.py, so it is left alone.\n"
            f"  to do     move it away, or use it: "
            f'{PYTHON} -m pip install -e "{ROOT}[lab,dev,test]"'
        )
    print(f"Setting up {ENV}: half a minute or some minutes, only when needed.", flush=True)
    if not state:
        empty_environment()
    STAMP.write_text("")
    extras = sorted(installed | wanted)
    package = f".[{','.join(extras)}]" if extras else "."
    # Modules are compiled on import, since most of them are never imported.
    pip = [PYTHON, "-m", "pip", "install", "--no-compile", "--quiet", "--no-input"]
    pip += ["--disable-pip-version-check", "-c", "constraints.txt", "-e", package]
    subprocess.run(pip, cwd=ROOT, check=True, env=os.environ | {"HATCH_BUILD_NO_HOOKS": "true"})
    # The checkout's package.json makes scripts modules; JupyterLab's scripts are none.
    (ENV / "package.json").write_text("{}\n")
    STAMP.write_text(" ".join([fingerprint(), *extras]))


def generate() -> None:
    """Make type stubs and solved notebooks again if a source is newer."""
    installed = set(STAMP.read_text().split()[1:])
    for program, extras, sources, products in GENERATED:
        if extras and not extras & installed:
            continue
        changed = max((p.stat().st_mtime for p in (ROOT / sources).rglob("*.py")), default=0.0)
        made = min((p.stat().st_mtime for p in ROOT.glob(products)), default=0.0)
        if made < changed:
            subprocess.run([PYTHON, ROOT / program], cwd=ROOT, check=True)


def main() -> int:
    if sys.argv[1:2] and sys.argv[1] in ("-h", "--help", "help"):
        print(USAGE)
        return 0
    if len(sys.argv) < 2 or sys.argv[1] not in COMMANDS:
        unknown = "there is no command %s\n\n" % sys.argv[1] if sys.argv[1:] else ""
        print(unknown + USAGE, file=sys.stderr)
        return 2
    name = sys.argv[1]
    extras = EXTRAS.get(name, set())
    if name == "test" and "--all" in sys.argv[2:]:
        extras = extras | EXTRAS_OF_ALL
    try:
        set_up(extras)
        generate()
    except (OSError, subprocess.CalledProcessError) as error:
        reason = error if isinstance(error, OSError) else "the lines above say why"
        sys.exit(
            f"The environment could not be completed: {reason}.\n"
            "  to do     with network and disk in order, run this again"
        )
    except KeyboardInterrupt:
        sys.exit("Stopped. The next run starts the set-up again.")
    command = [str(PYTHON), *COMMANDS[name], *sys.argv[2:]]
    os.chdir(ROOT)
    if os.name == "posix":
        os.execv(command[0], command)  # the command gets signals and gives the exit status
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the command handles Ctrl-C
    return subprocess.call(command)


if __name__ == "__main__":
    sys.exit(main())
