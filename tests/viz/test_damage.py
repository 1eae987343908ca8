"""Damaged and hostile trace files give a clear error or a right picture: no markup, no crash.

Real documents are damaged, saved, loaded and shown in every form. Drawings must be well formed
and have no element that a name smuggled in.
"""

import json
import random
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import viz
from minipaddle.engine.errors import InvalidArgument, MinipaddleError
from tests.each import each
from viz import export
from viz.player import page as html
from viz.player.book import book_of
from viz.player.pack import pack
from viz.trace import Trace

from . import damage, programs
from .pages import payload_in

SAFE = {"svg", "g", "path", "rect", "text", "title", "desc", "style", "circle", "line", "tspan"}
SAFE |= {"defs", "marker", "clipPath", "ellipse", "polygon", "polyline", "use"}


def shown(trace: Trace) -> None:
    """Make every form of a trace; check that each is whole and free of foreign elements."""
    assert trace.text()
    assert trace.text("zh")
    drawn = export.WRITERS[".svg"](trace, export.Wish())
    for element in ET.fromstring(drawn).iter():
        assert element.tag.rpartition("}")[2] in SAFE
        assert not [name for name in element.attrib if name.startswith("on") or "href" in name]
    assert all(chapter.trace.story.title for chapter in trace.chapters)
    payload = book_of(trace)
    page = html.to_html(payload)
    page.encode("utf-8")
    assert page.count("<script") == page.count("</script") == 1
    assert payload_in(page) == json.loads(json.dumps(pack(payload)))
    assert json.loads(trace.dumps()) == trace.document


def tried(document: Any) -> bool:
    """Show a document; return whether it could be shown. Errors must be the project's own."""
    try:
        trace = Trace(document)
    except InvalidArgument as error:
        return not clear(error)
    shown(trace)
    return True


def clear(error: MinipaddleError) -> bool:
    """Say whether an error message has its parts and fits on a screen."""
    text = str(error)
    assert "expected" in text
    assert "received" in text
    assert len(text) < 2000
    return True


@each("seed", range(400), quick=50)
def test_a_damaged_document_is_refused_or_shown(seed: int) -> None:
    tried(damage.damaged(random.Random(seed), 1 + seed % 4))


@each("seed", range(24), quick=6)
def test_hostile_names_everywhere_are_shown_as_text(seed: int) -> None:
    assert tried(damage.renamed(random.Random(seed)))


def test_undamaged_documents_are_shown() -> None:
    for program in programs.ALL:
        assert tried(json.loads(program().dumps()))


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_cut_or_scratched_file_is_an_error_or_is_shown(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    whole = programs.tanh().dumps().encode()
    at = data.draw(st.integers(0, len(whole) - 2))
    if data.draw(st.booleans()):
        content = whole[:at]
    else:
        junk = data.draw(st.binary(min_size=1, max_size=4))
        content = whole[:at] + junk + whole[at + len(junk) :]
    path = tmp_path_factory.mktemp("cut") / "trace.json"
    path.write_bytes(content)
    try:
        trace = viz.load(path)
    except MinipaddleError as error:
        clear(error)
    else:
        shown(trace)


@each(
    ("dtype", "element"),
    [
        ("float32", "add"),
        ("float32", True),
        ("float64", 10**400),
        ("int64", 0.5),
        ("int8", 300),
        ("bool", 1),
        ("complex64", "<b>"),
        ("<script>", 1.0),
        ("object", 1.0),
        ("float32,int8", 1.0),
        ("datetime64", 1),
    ],
)
def test_elements_that_do_not_fit_their_dtype_are_errors(dtype: str, element: Any) -> None:
    document = json.loads(programs.tanh().dumps())
    document["values"][0] |= {"shape": [1], "dtype": dtype, "data": [element]}
    with pytest.raises(InvalidArgument, match=r"values\[0\]\.(data|dtype) is wrong"):
        Trace(document)


@example("complex64", "(1+2j)")
@example("complex128", "(nan+infj)")
@example("bfloat16", "nan")
@given(st.sampled_from(["float16", "float32", "float64"]), st.sampled_from(["-inf", 1e30, 7]))
def test_elements_that_fit_their_dtype_are_loaded(dtype: str, element: Any) -> None:
    document = json.loads(programs.tanh().dumps())
    document["values"].append({"shape": [], "dtype": dtype, "data": element, "stats": {}})
    assert Trace(document).text()
