"""Only the environment says where the documents are; `--require-documents` insists on them."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from ..architecture.sources import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.host("these tests start processes of their own")]


@pytest.mark.parametrize(
    ("folder", "options", "told"),
    [
        ("", [], "1 skipped"),
        ("", ["--require-documents"], "MINIPADDLE_DOCUMENTS names no folder"),
        ("nowhere", [], "MINIPADDLE_DOCUMENTS names nowhere, which is no folder"),
    ],
)
def test_a_missing_folder_skips_or_fails_the_tests(
    folder: str, options: list[str], told: str
) -> None:
    one = "tests/contract/test_documents.py::test_the_seeded_gradients_are_shown"
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--device", "host"]
    done = subprocess.run(
        [*command, one, *options],
        cwd=ROOT,
        env={**os.environ, "MINIPADDLE_DOCUMENTS": folder},
        capture_output=True,
        text=True,
        check=False,
    )
    assert told in done.stdout
    assert (done.returncode == 0) is (told == "1 skipped")
