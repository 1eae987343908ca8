"""Memory in words, in English and in Chinese: which values hold which bytes, from step to step."""

from __future__ import annotations

from ...language.words import say
from ...model import Memory, Row, Stay

ROWS, STAYS = 40, 8  # at most so many are listed

KINDS = {
    "en": {
        "shared": "block", "own": "memory of its own", "fed": "fed", "scope": "persistable",
        "saved": "kept for backward", "leaf": "an input kept for backward",
    },
    "zh": {
        "shared": "内存块", "own": "独占内存", "fed": "输入数据（feed）", "scope": "持久性变量",
        "saved": "为反向保存", "leaf": "为反向保存的输入",
    },
}  # fmt: skip
SHORT = {
    "en": {"shared": "block", "own": "own memory", "fed": "fed", "scope": "persistable",
           "saved": "saved", "leaf": "input"},
    "zh": {"shared": "内存块", "own": "独占内存", "fed": "输入数据",
           "scope": "持久性变量", "saved": "已保存", "leaf": "输入"},
}  # fmt: skip


def size(count: int) -> str:
    """Bytes as people read them.

    >>> size(48), size(1536), size(3 * 1024**2)
    ('48 B', '1.5 KiB', '3 MiB')
    """
    units = ["KiB", "MiB", "GiB", "TiB"]
    if count < 1024:
        return f"{count} B"
    number = float(count)
    while number >= 1024 and units:
        number, unit = number / 1024, units.pop(0)
    return f"{number:.4g} {unit}"


def transcript(memory: Memory, lang: str, first: int = 0) -> list[str]:
    """The section of a transcript: the most there is at once, then every row.

    `first` is the number of the first step in the whole trace.
    """
    if not memory.rows:
        return []
    title, shown = say("memory", lang), memory.rows[:ROWS]
    labels = max(len(row.label) for row in shown)
    rows = ["", title, "-" * 8, most(memory, lang, first)]
    rows += [f"  {row.label:<{labels}}  {row_text(row, lang, first)}" for row in shown]
    more = len(memory.rows) - len(shown)
    if more:
        rows.append(f"  and {more} more" if lang == "en" else f"  另有 {more} 行")
    return rows


def most(memory: Memory, lang: str, first: int = 0) -> str:
    """When most bytes are held, and how many of them are there anyway."""
    totals = [sum(both) for both in memory.live]
    step = totals.index(max(totals))
    total, lasting = size(totals[step]), size(memory.live[step][1])
    kinds = {row.kind for row in memory.rows}
    if lang == "zh":
        whose = "持久性变量" if "scope" in kinds else "输入"
        part = f"，其中{whose} {lasting}" if memory.live[step][1] else ""
        held = "为反向保存的数据" if kinds <= {"saved", "leaf"} else "占用的内存"
        return f"第 {first + step + 1} 步时，{held}最多：{total}{part}。"
    whose = "persistable variables" if "scope" in kinds else "inputs"
    part = f", of which {lasting} are {whose}" if memory.live[step][1] else ""
    held = "kept for backward" if kinds <= {"saved", "leaf"} else "in use"
    return f"Peak at step {first + step + 1}: {total} {held}{part}."


def row_text(row: Row, lang: str, first: int = 0) -> str:
    """`48 B  a (14 to 25), b (26 to 31)`; a row that is called as its value says its kind."""
    comma, shown = ", " if lang == "en" else "，", row.stays[:STAYS]
    more = len(row.stays) - STAYS
    rest = [f"and {more} more" if lang == "en" else f"另有 {more} 个"] if more > 0 else []
    if row.kind == "shared":
        stays = [in_brackets(stay.name, span(stay, lang, first), lang) for stay in shown]
        return f"{size(row.nbytes):>8}  {comma.join([*stays, *rest])}"
    spans = comma.join([*(span(stay, lang, first) for stay in shown), *rest])
    return f"{size(row.nbytes):>8}  {in_brackets(KINDS[lang][row.kind], spans, lang)}"


def in_brackets(what: str, more: str, lang: str) -> str:
    """`x (fed)`, with the brackets of the language."""
    return f"{what} ({more})" if lang == "en" else f"{what}（{more}）"


def span(stay: Stay, lang: str, start: int = 0) -> str:
    """Its steps, as the transcript numbers them."""
    first, last = start + stay.first + 1, start + stay.last + 1
    if first == last:
        return f"step {first}" if lang == "en" else f"第 {first} 步"
    return f"steps {first} to {last}" if lang == "en" else f"第 {first}–{last} 步"
