"""Only the environment says where the documents are; `--require-documents` insists on them."""

import pytest

from tests.processes import python

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
    command = ["-m", "pytest", "-p", "no:cacheprovider", "--device", "host", one, *options]
    done = python(*command, MINIPADDLE_DOCUMENTS=folder)
    assert told in done.stdout
    assert (done.returncode == 0) is (told == "1 skipped")
