"""The offline page and the widget: one JavaScript text, out of which no name breaks."""

import base64
import json
import re
from html import unescape
from typing import Any

import pytest

from viz.language import words
from viz.player import page as html
from viz.player.book import book_of
from viz.player.pack import pack
from viz.player.page import (
    WEB,
    embed,
    join_modules,
    modules,
    script,
    source,
    style,
    to_html,
    wrap,
)
from viz.player.payload import payload_of

from . import programs
from .pages import inflate, inflate_code, inflated, payload_in

Payload = dict[str, Any]


@pytest.fixture
def payload() -> Payload:
    return {**payload_of(programs.fan_in().story), "title": "a & b"}


def test_the_page_holds_the_payload_and_names_its_policy(payload: Payload) -> None:
    page = to_html(payload, lang="zh", theme="dark", step=3)
    assert payload_in(page) == json.loads(json.dumps(pack(payload)))
    assert "<title>a &amp; b</title>" in page
    assert '<html lang="zh">' in page
    assert '{"page":true,"lang":"zh","theme":"dark","step":3}' in page
    policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
    assert f'content="{policy}; img-src data:"' in page
    assert not re.search(r'(?:src|href)="', page)
    addresses = set(re.findall(r"https?://[^\s\"']+", page + "".join(inflated(page))))
    assert addresses == {"http://www.w3.org/2000/svg"}  # a name space, never fetched


def test_no_name_ends_the_script_element(payload: Payload) -> None:
    for name in ("</script>", "<!--<script>", "]]>", "\u2028\u2029", "\ud800", "{title}", "&lt;"):
        payload["title"], payload["note"] = name, {"en": name, "zh": name}
        page = to_html(payload)
        assert page.encode("utf-8").count(b"</script") == 1
        assert page.count("<!--") == 0
        assert "\u2028" not in page.split("</title>")[1]
        assert payload_in(page) == json.loads(json.dumps(pack(payload)))


def test_a_number_that_json_lacks_is_an_error_not_broken_javascript() -> None:
    with pytest.raises(ValueError, match="Out of range float"):
        embed({"x": float("nan")})


def test_joined_modules_have_no_import_no_export_and_the_words_of_the_catalogue() -> None:
    for text in (script(), script("twin"), script("ranks")):
        assert not re.search(r"^(import|export) ", text, re.MULTILINE)
        assert "</script" not in text
        assert "innerHTML" not in text
        (line,) = re.findall(r"^const WORDS = (.*);$", text, re.MULTILINE)
        assert json.loads(line) == words.by_language()


def test_every_module_is_joined_with_all_its_exports() -> None:
    joined = {*modules("player"), *modules("twin"), *modules("ranks"), *modules("loader")}
    files = {path.relative_to(WEB).with_suffix("").as_posix() for path in WEB.rglob("*.js")}
    assert files == joined
    for name in files:
        text = source(name)
        exports = re.findall(r"^return \{ (.*) \};\n\}\)\(\);$", wrap(name, text), re.MULTILINE)
        assert len(exports[-1].split(", ")) == len(re.findall(r"^export ", text, re.MULTILINE))


# ----- the widget --------------------------------------------------------------------------------


def test_a_widget_refers_to_the_code_and_to_the_story() -> None:
    from viz.player.widget import Code, Player, Told

    trace = programs.fan_in()
    player = Player(Code(), Told(trace), step=2, lang="zh")
    assert set(player.view()) == {"application/vnd.jupyter.widget-view+json"}
    state = player.get_state(["code", "told", "step", "lang", "_esm", "layout"])
    assert state == {
        "code": f"IPY_MODEL_{player.code.model_id}",
        "told": f"IPY_MODEL_{player.told.model_id}",
        "step": 2,
        "lang": "zh",
        "_esm": f"{join_modules('loader')}export default $loader;\n",
        "layout": None,
    }
    assert json.loads(inflate(player.told.payload)) == json.loads(json.dumps(book_of(trace)))
    assert (
        inflate_code(player.code.script)
        == f"{script()}export const {{ renderWidget }} = $player;\n"
    )
    assert inflate_code(player.code.style) == style()
    assert repr(player) == "Player('programs.py', 9 steps)"
    for widget in (player, player.code, player.told):
        widget.close()


def test_a_page_in_a_frame_covers_its_picture(payload: Payload) -> None:
    payload["title"] = '"><script>alert(1)</script>'
    found = re.fullmatch(
        r'<div style="display:grid"><img alt="([^"]*)" style="[^"]*" '
        r'src="data:image/svg\+xml;base64,([^"]*)">'
        r'<iframe title="([^"]*)" sandbox="allow-scripts" loading="lazy" '
        r'srcdoc="([^"]*)" style="[^"]*"></iframe></div>',
        html.frame(to_html(payload), payload["title"], "<svg/>"),
    )
    assert found is not None
    assert unescape(found[1]) == unescape(found[3]) == payload["title"]
    assert base64.b64decode(found[2]) == b"<svg/>"
    assert unescape(found[4]) == to_html(payload)
    assert "<img" not in html.frame(to_html(payload), "untitled")
