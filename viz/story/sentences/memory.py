"""Memory in words, in English and in Chinese: which values hold which bytes, from step to step."""

from __future__ import annotations

from ...language.words import say
from ...model import Memory, Row, Stay

ROWS, STAYS = 40, 8  # at most so many are listed

KINDS = {
    "en": {
        "shared": "block", "own": "memory of its own", "fed": "fed", "scope": "persistable",
        "saved": "kept for backward", "leaf": "kept for backward, an input",
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


def transcript(memory: Memory, lang: str) -> list[str]:
    """The section of a transcript: the most there is at once, then every row."""
    if not memory.rows:
        return []
    title, shown = say("memory", lang), memory.rows[:ROWS]
    labels = max(len(row.label) for row in shown)
    rows = ["", title, "-" * 8, most(memory, lang)]
    rows += [f"  {row.label:<{labels}}  {row_text(row, lang)}" for row in shown]
    more = len(memory.rows) - len(shown)
    if more:
        rows.append(f"  and {more} more" if lang == "en" else f"  另有 {more} 行")
    return rows


def most(memory: Memory, lang: str) -> str:
    """When most bytes are held, and how many of them are there anyway."""
    totals = [sum(both) for both in memory.live]
    step = totals.index(max(totals))
    total, lasting = size(totals[step]), size(memory.live[step][1])
    kinds = {row.kind for row in memory.rows}
    if lang == "zh":
        whose = "持久性变量" if "scope" in kinds else "输入"
        part = f"，其中{whose} {lasting}" if memory.live[step][1] else ""
        held = "为反向保存的数据" if kinds <= {"saved", "leaf"} else "占用的内存"
        return f"第 {step + 1} 步时，{held}最多：{total}{part}。"
    whose = "persistable" if "scope" in kinds else "of inputs"
    part = f", {lasting} of them {whose}" if memory.live[step][1] else ""
    held = "kept for backward" if kinds <= {"saved", "leaf"} else "held"
    return f"Most is {held} at step {step + 1}: {total}{part}."


def row_text(row: Row, lang: str) -> str:
    """`48 B  a (14 to 25), b (26 to 31)`; a row that is called as its value says its kind."""
    stays = [stay_text(row, stay, lang) for stay in row.stays[:STAYS]]
    more = len(row.stays) - STAYS
    if more > 0:
        stays.append(f"and {more} more" if lang == "en" else f"另有 {more} 个")
    return f"{size(row.nbytes):>8}  {(', ' if lang == 'en' else '，').join(stays)}"


def stay_text(row: Row, stay: Stay, lang: str) -> str:
    what = stay.name if row.kind == "shared" else KINDS[lang][row.kind]
    return in_brackets(what, span(stay, lang), lang)


def in_brackets(what: str, more: str, lang: str) -> str:
    """`x (fed)`, with the brackets of the language."""
    return f"{what} ({more})" if lang == "en" else f"{what}（{more}）"


def span(stay: Stay, lang: str) -> str:
    """Its steps, as the transcript numbers them."""
    first, last = stay.first + 1, stay.last + 1
    if first == last:
        return f"step {first}" if lang == "en" else f"第 {first} 步"
    return f"steps {first} to {last}" if lang == "en" else f"第 {first}–{last} 步"
