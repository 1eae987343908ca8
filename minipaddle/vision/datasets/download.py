"""Files of data sets in Paddle's cache, downloaded from Paddle's server if they are not there."""

from __future__ import annotations

import hashlib
import io
import shutil
from http.client import HTTPException
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from ...engine import files
from .. import errors


def existing(name: str, path: Any) -> Path:
    """Return the path of a file that the user named; raise an error unless it is there."""
    if not Path(path).is_file():
        raise errors.no_file(name, path)
    return Path(path)


def fetch(name: str, url: str, folder: str, md5: str, argument: str) -> Path:
    """Return the path of a file in the cache, which is downloaded unless it has this checksum.

    `name` of the data set, and the `argument` that names another file, are for errors.
    """
    path = Path.home() / ".cache" / "paddle" / "dataset" / folder / url.rpartition("/")[2]
    if path.is_file() and checksum(path.read_bytes()) == md5:
        return path
    try:
        data = download(url)
    except (OSError, HTTPException) as error:
        raise errors.not_fetched(name, url, path, argument, error) from error
    if checksum(data) != md5:
        raise errors.other_checksum(name, url, path, len(data))
    files.write({path: data}, make_folders=True)
    return path


def checksum(data: bytes) -> str:
    return hashlib.md5(data, usedforsecurity=False).hexdigest()


def download(url: str) -> bytes:
    """Return the bytes behind a URL; a terminal shows the progress."""
    content = io.BytesIO()
    with urlopen(url, timeout=30) as answer:
        if find_spec("tqdm") is None:  # as in a browser
            return bytes(answer.read())
        from tqdm import tqdm

        bar = {"total": answer.length, "desc": url.rpartition("/")[2], "disable": None}
        with tqdm.wrapattr(answer, "read", **bar) as stream:
            shutil.copyfileobj(stream, content)
    return content.getvalue()
