"""Make the page of a marimo notebook that asks its own server alone, for browser.py.

`python benchmarks/marimo_page.py FOLDER PYODIDE` needs pip, and a folder that
tests/wasm/fetch_runtime.py filled. This marimo asks for Pyodide 0.27.7 and is from before msgspec.
A list of packages with marimo's wheels, made here, replaces the one of marimo's public host.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

VERSION = "0.14.17"
# The versions of Pyodide 0.27.7 where it has them; the two that depend on others say so.
WHEELS = {
    f"marimo-base=={VERSION}": [],
    "markdown==3.8.2": [],
    "pymdown-extensions==10.16.1": ["markdown", "pyyaml"],
    "pyyaml==6.0.2": [],
    "narwhals==1.41.0": [],
    "docutils==0.21.1": [],
    "pyodide-http==0.2.1": [],
}
NOTEBOOK = """import marimo
app = marimo.App()
@app.cell
def _():
    import sys
    import numpy as np
    table = np.arange(6).reshape(2, 3)
    f"{sys.platform} {(table.T @ table)[2, 2]}"
    return
"""
HOSTS = r"https://(cdn\.jsdelivr\.net/pyodide/\$\{\w+\.pyodideVersion\}/full|wasm\.marimo\.app)/"


def export(folder: Path, work: Path) -> None:
    """Let marimo export the notebook, and name this server in place of the public ones."""
    subprocess.run([sys.executable, "-m", "venv", work / "venv"], check=True)
    pip = [work / "venv/bin/pip", "install", "--quiet", f"marimo=={VERSION}", "numpy"]
    subprocess.run(pip, check=True)
    (work / "page.py").write_text(NOTEBOOK, encoding="utf-8")
    marimo = [work / "venv/bin/marimo", "export", "html-wasm", work / "page.py", "-o", folder]
    subprocess.run(
        [*marimo, "--mode", "edit", "--no-sandbox"], check=True, stdin=subprocess.DEVNULL
    )
    for script in (folder / "assets").glob("*worker*.js"):
        text = script.read_text(encoding="utf-8")
        text = re.sub(HOSTS, "${self.location.origin}/marimo/pyodide/", text)
        script.write_text(text, encoding="utf-8")


def fetch(requirement: str, work: Path) -> Path:
    """Download a wheel; leave out compiled parts (of PyYAML), which no browser can load."""
    into = work / requirement
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    subprocess.run([*pip, "--dest", into, requirement], check=True)
    (wheel,) = into.glob("*.whl")
    if wheel.name.endswith("-none-any.whl"):
        return wheel
    pure = into / ("-".join(wheel.name.split("-")[:2]) + "-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(pure, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            if not name.endswith((".so", "/RECORD")):
                new.writestr(name, old.read(name))
    return pure


def main(folder: Path, pyodide: Path) -> None:
    lock = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as work:
        export(folder, Path(work))
        (folder / "pyodide").mkdir()
        for path in pyodide.iterdir():
            (folder / "pyodide" / path.name).symlink_to(path)
        for requirement, depends in WHEELS.items():
            wheel = fetch(requirement, Path(work))
            name, version = requirement.split("==")
            with zipfile.ZipFile(wheel) as archive:
                tops = {each.split("/")[0] for each in archive.namelist()}
            lock["packages"][name] = {
                "name": name,
                "version": version,
                "file_name": wheel.name,
                "install_dir": "site",
                "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
                "package_type": "package",
                "imports": sorted(top for top in tops if "." not in top),
                "depends": depends,
                "unvendored_tests": False,
            }
            shutil.copy(wheel, folder / "pyodide")
    (folder / "pyodide/pyodide-lock.json").unlink()
    (folder / "pyodide/pyodide-lock.json").write_text(json.dumps(lock), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]).resolve())
