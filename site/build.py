"""Build the site into a folder that any host can serve: `python3 run.py site`.

`--serve` serves it on this machine and opens it. MINIPADDLE_PYODIDE, a folder or an address, says
where Pyodide comes from; see `runtime.py`.
"""

from __future__ import annotations

import argparse
import importlib
import os
import subprocess
import sys
import tempfile
import threading
import webbrowser
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import runtime
import serve

ROOT = Path(__file__).resolve().parent.parent
PARTS = ("play", "lab", "pages")  # modules with a function `build(output, wheel, pyodide)`


@contextmanager
def wheel() -> Iterator[Path]:
    """Build the wheel of minipaddle and viz; it exists inside the block."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
        command += ["--no-build-isolation", "--wheel-dir", folder, str(ROOT)]
        without = os.environ | {"HATCH_BUILD_NO_HOOKS": "true"}  # no stubs, no solved notebooks
        subprocess.run(command, check=True, env=without)
        (made,) = Path(folder).glob("*.whl")
        yield made


def main() -> None:
    parser = argparse.ArgumentParser(prog="python3 run.py site", description=__doc__)
    parser.add_argument("--output", type=Path, default=ROOT / "out/site", help="folder to write")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="parts to build")
    parser.add_argument("--serve", action="store_true", help="serve the site on this machine")
    parser.add_argument("--port", type=int, default=8000, help="port to serve at (default 8000)")
    parser.add_argument("--no-open", action="store_true", help="do not open a browser")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    if not options.serve:
        build(options.output, options.only)
        return
    with serve.serving(options.output, options.port) as address:  # each part as it is ready
        build(options.output, options.only)
        print(f"{address}  (playground: {address}play/). Ctrl-C ends it.", flush=True)
        if not options.no_open:
            webbrowser.open(address)
        with suppress(KeyboardInterrupt):
            threading.Event().wait()


def build(output: Path, parts: Iterable[str]) -> None:
    """Build parts of the site."""
    pyodide = runtime.provide(output)
    with wheel() as made:
        for part in parts:
            print(f"{part} ...", flush=True)
            importlib.import_module(part).build(output, made, pyodide)
    print(f"The site is in {output}.", flush=True)


if __name__ == "__main__":
    main()
