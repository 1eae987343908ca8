"""The course in JupyterLite: notebooks, kernel and widgets in the browser, without a server."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from importlib.metadata import version
from pathlib import Path

LESSONS = "minipaddle/_lessons/"  # folder of the wheel
KERNEL = "@jupyterlite/pyodide-kernel-extension"
EXTENSIONS = Path(sys.prefix, "share/jupyter/labextensions")  # those of the environment
# The last one for the JupyterLab 4.4 inside JupyterLite; the environment has one for its own Lab.
WIDGETS = "jupyterlab_widgets==3.0.15"
# A kernel loads all these when it starts, since an import cannot wait for a download.
OF_PYODIDE = ["numpy", "pillow", "matplotlib", "micropip", "ssl", "sqlite3", "jedi", "ipython"]
PURE = ["anywidget", "comm", "graphviz", "ipywidgets", "psygnal", "tqdm", "typing_extensions"]
FROM_KERNEL = "../../../../pypi/"  # wheels, from the place of the kernel's script
STARTUP = Path(__file__).with_name("lab_startup.py")
# `/drive` is the browser's storage, which outlives the page and which the file browser shows.
ENVIRONMENT = {
    "HOME": "/home/pyodide",
    "MINIPADDLE_PROGRESS": "/drive/progress.jsonl",
    "PYTHONSTARTUP": f"/lib/python3.12/site-packages/{STARTUP.name}",
}
# JupyterLite takes an unknown type with "json" in its name for one JSON value.
LINES_OF_JSON = {"extensions": [".jsonl"], "mimeTypes": ["text/jsonl"], "fileFormat": "text"}
START = """<!DOCTYPE html>
<meta charset="utf-8">
<title>minipaddle</title>
<script id="jupyter-config-data" type="application/json" data-jupyter-lite-root=".">{}</script>
<script>
const folder = navigator.language.startsWith("zh") ? "zh/" : "";
location.replace(`notebooks/index.html?path=${folder}00_start.ipynb`);
</script>
<p><a href="notebooks/index.html?path=00_start.ipynb">English</a>
<p><a href="notebooks/index.html?path=zh/00_start.ipynb" lang="zh">中文</a>
"""


def build(output: Path, wheel: Path, pyodide: str) -> None:
    """Make `lab/` in the site's folder."""
    target = output.resolve() / "lab"
    shutil.rmtree(target, ignore_errors=True)
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        unpack_notebooks(wheel, work / "files")
        download(work / "pypi", [f"{name}=={version(name)}" for name in PURE])
        download(work / "widgets", [WIDGETS])
        shutil.copy(wheel, work / "pypi")
        pack_startup(work / "pypi")
        wheels = sorted(path.name for path in (work / "pypi").iterdir())
        write_settings(work / "jupyter-lite.json", pyodide, wheels)
        run_builder(work, target)
    (target / "index.html").write_text(START, encoding="utf-8")


def unpack_notebooks(wheel: Path, folder: Path) -> None:
    """Unpack all notebooks of the wheel, solved ones included."""
    with zipfile.ZipFile(wheel) as packed:
        for name in packed.namelist():
            if name.startswith(LESSONS) and name.endswith(".ipynb"):
                file = folder / name.removeprefix(LESSONS)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(packed.read(name))


def download(folder: Path, requirements: list[str]) -> None:
    """Get wheels that run on any platform."""
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet"]
    command += ["--no-deps", "--only-binary=:all:", "--platform=any", "--implementation=py"]
    command += ["--abi=none", "--python-version=3.12", "--dest", str(folder), *requirements]
    subprocess.run(command, check=True)


def pack_startup(folder: Path) -> None:
    """Make a wheel of the kernel's startup file, since a kernel loads wheels alone."""
    name = STARTUP.stem
    with zipfile.ZipFile(folder / f"{name}-0-py3-none-any.whl", "w") as packed:
        packed.write(STARTUP, STARTUP.name)
        about = {
            "METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 0\n",
            "WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
            "RECORD": "",
        }
        for file, content in about.items():
            packed.writestr(f"{name}-0.dist-info/{file}", content)


def write_settings(file: Path, pyodide: str, wheels: list[str]) -> None:
    """Write the settings of the site; relative addresses in them begin at `lab/`."""
    address = pyodide if "://" in pyodide else f"./../{pyodide}"
    packages = [*OF_PYODIDE, *(FROM_KERNEL + name for name in wheels)]
    kernel = {
        "pyodideUrl": f"{address}pyodide.js",
        "loadPyodideOptions": {"packages": packages, "env": ENVIRONMENT},
    }
    config = {"appName": "minipaddle", "litePluginSettings": {f"{KERNEL}:kernel": kernel}}
    write_json(file, {"jupyter-lite-schema-version": 0, "jupyter-config-data": config})


def run_builder(work: Path, target: Path) -> None:
    """Let JupyterLite make the folder of the site."""
    extensions = [EXTENSIONS / KERNEL, *work.glob("pypi/anywidget-*"), *work.glob("widgets/*")]
    options = {
        "apps": ["lab", "notebooks", "tree"],
        "contents": ["files"],
        "extra_file_types": {"jsonl": {"name": "jsonl", **LINES_OF_JSON}},
        "federated_extensions": list(map(str, extensions)),
        "ignore_sys_prefix": True,
        "no_libarchive": True,
        "no_sourcemaps": True,
        "no_unused_shared_packages": True,
        "output_dir": str(target),
    }
    write_json(work / "jupyter_lite_config.json", {"LiteBuildConfig": options})
    command = [sys.executable, "-m", "jupyterlite_core", "build", "--log-level=ERROR"]
    subprocess.run(command, check=True, cwd=work, stdout=subprocess.DEVNULL)


def write_json(file: Path, content: dict[str, object]) -> None:
    """Write a configuration."""
    file.write_text(json.dumps(content), encoding="utf-8")
