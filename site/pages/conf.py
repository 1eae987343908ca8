"""Configuration of Sphinx for both languages of the site; `pages.py` makes what it reads."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.utils.math import latex2mathml
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.search.en import SearchEnglish
from sphinx.transforms.post_transforms import SphinxPostTransform

ROOT = Path(__file__).resolve().parents[2]

project = "minipaddle"
extensions = ["myst_nb"]
html_theme = "furo"
html_title = "minipaddle"
pygments_dark_style = "github-dark"
html_theme_options = {"announcement": "header", "top_of_page_buttons": []}
html_static_path = ["static"]
html_favicon = "static/icon.svg"
html_css_files = ["site.css"]
templates_path = ["templates"]
html_copy_source = html_show_sphinx = html_show_copyright = html_use_index = False
html_domain_indices = False
html_math_renderer = "mathml"
add_module_names = False
toc_object_entries_show_parents = "hide"
nb_execution_mode = "off"  # reading.py has run the lessons
nb_ipywidgets_js: dict[str, Any] = {}  # scripts of another host
nb_merge_streams = True
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
gettext_compact = False
suppress_warnings = ["ref.python"]  # a name that several modules have leads to the first


class FilesOfTheRepository(SphinxPostTransform):
    """Turn links to files that are no pages, such as modules and examples, into plain text."""

    default_priority = 8  # before MyST reports what it cannot find

    def run(self, **_options: Any) -> None:
        for link in [*self.document.findall(pending_xref)]:
            if link["reftype"] == "myst" and link["refdomain"] is None:
                folder = (ROOT / self.env.docname).parent
                if (folder / link["reftarget"].partition("#")[0]).resolve().exists():
                    link.replace_self(link.children)


class SearchChinese(SearchEnglish):
    """Chinese in pairs of signs, which need no dictionary; other words as in English."""

    lang = "zh"
    HAN = "\u4e00-\u9fff"
    js_splitter_code = f"""
var splitQuery = (query) => (query.match(/[{HAN}]+|[^\\W]+/gu) ?? []).flatMap((word) =>
  /[{HAN}]{{2}}/.test(word) ? [...word].slice(1).map((sign, at) => word[at] + sign) : [word]);
"""

    def split(self, input: str) -> list[str]:
        words = re.findall(rf"[{self.HAN}]+|[^\W{self.HAN}]+", input)
        pairs = ([*map("".join, pairwise(word))] if word > "\u4dff" else [] for word in words)
        return [part for word, two in zip(words, pairs, strict=True) for part in two or [word]]

    def word_filter(self, word: str) -> bool:
        return word > "\u4dff" or super().word_filter(word)


def formula(writer: Any, node: nodes.Element, *, block: bool = False) -> None:
    """Write a formula as MathML, which browsers draw without a script."""
    text = node.astext().replace(r"\dots", r"\ldots")  # unknown to docutils
    made = latex2mathml.tex2mathml(text, as_block=block)
    writer.body.append(f'<div class="formula">{made}</div>' if block else made)
    raise nodes.SkipNode


def lighten(_app: Sphinx, _page: str, _template: str, context: dict[str, Any], _tree: Any) -> None:
    """Take marks without a style out of signatures: a third of the largest page."""
    body = context.get("body", "").replace('<span class="w"> </span>', " ")
    context["body"] = re.sub(r'<span class="pre">([^<]*)</span>', r"\1", body)


def setup(app: Sphinx) -> None:
    app.connect("html-page-context", lighten)
    app.add_post_transform(FilesOfTheRepository)
    app.add_search_language(SearchChinese)
    app.add_html_math_renderer(
        "mathml", (formula, None), (lambda *given: formula(*given, block=True), None)
    )
