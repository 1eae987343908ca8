"""The player for a terminal: the transcript with a cursor, and all about the step it is at.

`Stepper` turns keys into steps and a step into lines of text; `screen.py` reads the keys and
shows the lines.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import Any

from ..draw.pages import round_line, value_lines
from ..draw.transcript import step_lines
from ..language.words import say
from ..model import Problem, Step, Story, label_of
from ..theme import cells

AROUND = 3  # lines of code before and after the current one
KEYS = {
    "en": (
        ("← → ↑ ↓", "one step back or on"),
        ("PgUp PgDn", "ten steps"),
        ("Home End", "the first step, the last one"),
        ("[ ]", "same step of the previous round, of the next"),
        ("space", "plays; any key stops"),
        ("/", "searches: type, Enter finds, Esc leaves"),
        ("n", "the next step with what was searched"),
        ("Esc", "leaves a search, or a page"),
        ("v", "all values of the step: ↑ ↓ scroll"),
        ("r", "rounds and losses: ↑ ↓ choose, Enter goes"),
        ("p", "problems and advice: ↑ ↓ choose, Enter goes"),
        ("m", "memory steps: shows or hides them"),
        ("l", "中文"),
        ("?", "this page"),
        ("q Ctrl-C", "end"),
    ),
    "zh": (
        ("← → ↑ ↓", "后退或前进一步"),
        ("PgUp PgDn", "十步"),
        ("Home End", "第一步，最后一步"),
        ("[ ]", "上一次、下一次迭代的同一步"),
        ("空格", "播放；按任意键停止"),
        ("/", "搜索：输入文字，Enter 查找，Esc 离开"),
        ("n", "下一个含有所搜文字的步骤"),
        ("Esc", "离开搜索或页面"),
        ("v", "本步骤的数值，列出全部元素；↑ ↓ 滚动"),
        ("r", "各次迭代及其损失；↑ ↓ 选择，Enter 前往"),
        ("p", "问题与建议；↑ ↓ 选择，Enter 前往"),
        ("m", "内存步骤：显示或隐藏"),
        ("l", "English"),
        ("?", "本页"),
        ("q Ctrl-C", "退出"),
    ),
}
WORDS = {
    "en": {
        "step": "step {} of {}",
        "lit": "lights: ",
        "none": "not found: {}",
        "code": "code: ",
        "keys": "← → step   ? keys   / search   q ends",
        "asking": "Enter finds, Esc leaves",
        "sought": "searched: {}   n next   Esc leaves",
        "help": "Keys",
        "values": "Values",
        "novalues": "This step shows no values.",
        "rounds": "Rounds",
        "norounds": "There are no rounds here.",
        "dropped": "steps not recorded",
        "problems": "Problems",
        "noproblems": "No problem was found.",
        "count": "problems: {} (p)",
        "paging": "↑ ↓ scroll   ← → step   Esc leaves",
        "choosing": "↑ ↓ choose   Enter goes there   Esc leaves",
    },
    "zh": {
        "step": "第 {} 步，共 {} 步",
        "lit": "高亮：",
        "none": "没有找到：{}",
        "code": "代码：",
        "keys": "← → 一步   ? 快捷键   / 搜索   q 退出",
        "asking": "Enter 查找，Esc 离开",
        "sought": "已搜索：{}   n 下一个   Esc 离开",
        "help": "快捷键",
        "values": "数值",
        "novalues": "这一步没有数值。",
        "rounds": "迭代",
        "norounds": "这里没有迭代。",
        "dropped": "没有录制步骤",
        "problems": "问题",
        "noproblems": "没有发现问题。",
        "count": "问题：{} 个（p）",
        "paging": "↑ ↓ 滚动   ← → 一步   Esc 离开",
        "choosing": "↑ ↓ 选择   Enter 前往   Esc 离开",
    },
}
# By the key that opens and closes each.
PAGES = {"?": "help", "v": "values", "r": "rounds", "p": "problems"}
BOLD, DIM, PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[0m"


class Stepper:
    """Where one is in a trace, and what there is to see."""

    def __init__(self, trace: Any, lang: str = "en", step: int | None = None) -> None:
        self.trace = trace
        self.title = trace.title
        self.lang = lang
        self.count = len(trace)
        start = trace.opens_at if step is None else step
        self.step = max(0, min(start, self.count - 1))
        # Whether steps that tell of memory alone are stepped through; who starts at one wants to.
        self.memory = bool(self.count) and self.current.of_memory
        self.problems: list[Problem] = trace.problems()
        self.way = self.steps_told()
        self.playing = False
        self.over = False
        self.page = ""  # of PAGES, instead of the steps
        self.line = 0  # of the page: the first that is seen, or the one that is chosen
        self.asking: str | None = None  # what has been typed after /
        self.sought = ""
        self.message = ""

    # ----- where one is -----

    @property
    def chapter(self) -> Any:
        """The round that the step is in, or what ran outside of rounds."""
        return self.trace.chapter_at(self.step)

    @property
    def story(self) -> Story:
        """The graph and the steps of that chapter."""
        story: Story = self.chapter.trace.story
        return story

    @property
    def current(self) -> Step:
        """The step in it."""
        first: int = self.chapter.first
        return self.story.steps[self.step - first]

    def steps_told(self) -> list[int]:
        """The steps that are stepped through, of all chapters."""
        return [
            chapter.first + step.index
            for chapter in self.trace.chapters
            for step in chapter.trace.story.steps
            if self.memory or not step.of_memory
        ]

    @property
    def here(self) -> list[int]:
        """Those of this chapter."""
        first, count = self.chapter.first, len(self.chapter.trace)
        return self.way[bisect_left(self.way, first) : bisect_left(self.way, first + count)]

    @property
    def place_here(self) -> int:
        """Which of those this one is, from 0."""
        return max(bisect_right(self.here, self.step) - 1, 0)

    @property
    def place(self) -> int:
        """Which of them all this one is, from 0."""
        return max(bisect_right(self.way, self.step) - 1, 0)

    # ----- keys -----

    def press(self, key: str) -> None:
        """Do what a key means: a name such as "right", or the character typed."""
        self.message = ""
        if key == "interrupt":
            self.over = True
            return
        if self.asking is not None:
            self.type(key)
            return
        if self.page and self.turn_page(key):
            return
        way = self.way
        moves = {"right": 1, "down": 1, "left": -1, "up": -1, "page down": 10, "page up": -10}
        self.playing = key == " " and not self.playing
        if key in moves:
            self.move(moves[key])
        elif key in ("home", "end"):
            self.move(-len(way) if key == "home" else len(way))
        elif key in ("[", "]"):
            self.turn(1 if key == "]" else -1)
        elif key == "m":
            self.turn_memory()
        elif key == "/":
            self.asking = ""
        elif key == "n":
            self.find()
        elif key == "l":
            self.lang = "zh" if self.lang == "en" else "en"
        elif key in PAGES:
            self.open_page(PAGES[key])
        elif key == "escape":
            self.sought = ""
        elif key in ("q", "Q"):
            self.over = True

    def open_page(self, page: str) -> None:
        """Show a page from its beginning; that of rounds or problems where one is."""
        self.page, self.line = page, 0
        if page == "rounds":
            self.line = self.chapter.round or 0
        elif page == "problems":
            here = (n for n, problem in enumerate(self.problems) if problem.step >= self.step)
            self.line = next(here, 0)

    def turn_page(self, key: str) -> bool:
        """Do what a key means on a page; False for those that mean what they mean elsewhere."""
        scroll = {"up": -1, "down": 1, "page up": -10, "page down": 10}
        if self.page == "help" or key == "escape" or PAGES.get(key) == self.page:
            self.over = key in ("q", "Q")
            self.page = ""
        elif key in scroll:
            self.line = max(0, min(self.line + scroll[key], len(self.entries()) - 1))
        elif key == "enter" and self.page != "values":
            self.go_to_chosen()
        else:
            self.line = 0 if self.page == "values" else self.line
            return False
        return True

    def entries(self) -> Sequence[Any]:
        """What the page that is open lists."""
        if self.page == "values":
            return self.values()
        listed: Sequence[Any] = self.problems if self.page == "problems" else self.trace.rounds
        return listed

    def go_to_chosen(self) -> None:
        """To the step of the problem that is chosen, or the first of the round, if it was kept."""
        if not self.entries():
            return
        if self.page == "problems":
            found = [self.problems[self.line].step]
        else:
            found = [each.first for each in self.trace.chapters if each.round == self.line]
        if found:
            self.step, self.page = found[0], ""
            self.move(0)

    def tick(self) -> None:
        """The next step of playing; at the last one it stops."""
        self.move(1)
        self.playing = self.step < self.way[-1] if self.count else False

    def move(self, by: int) -> None:
        """So many of them on, or back."""
        way = self.way
        if way:
            self.step = way[max(0, min(self.place + by, len(way) - 1))]

    def turn(self, by: int) -> None:
        """To the same step of the next round or of the one before, at most to its last."""
        first = self.chapter.first
        rounds = [
            each
            for each in self.trace.chapters
            if each.round is not None and len(each.trace) and (each.first - first) * by > 0
        ]
        if rounds:
            to = rounds[0 if by > 0 else -1]
            self.step = to.first + min(self.step - first, len(to.trace) - 1)
            self.move(0)

    def turn_memory(self) -> None:
        """Show the steps of memory or not; from one that goes, back to the one before it."""
        self.memory = not self.memory
        self.way = self.steps_told()
        self.move(0)

    def type(self, key: str) -> None:
        """A key while the text to search for is being typed."""
        asked = self.asking or ""
        if key == "enter":
            self.sought, self.asking = asked or self.sought, None
            self.find()
        elif key == "escape":
            self.asking, self.sought = None, ""
        elif key == "backspace":
            self.asking = asked[:-1]
        elif len(key) == 1:
            self.asking = asked + key

    def find(self) -> None:
        """Go to the next step in whose part of the transcript the text stands, if there is one."""
        if not self.sought:
            return
        files = [f"{source.name}:" for source in self.trace.sources]  # each line begins with one
        way, place = self.way, self.place
        for further in range(1, len(way) + 1):
            at = way[(place + further) % len(way)]
            text = "\n".join(self.lines_of(at))
            for file in files:
                text = text.replace(file, "")
            if self.sought.lower() in text.lower():
                self.step = at
                return
        self.message, self.sought = WORDS[self.lang]["none"].format(self.sought), ""

    # ----- what there is to see -----

    def lines_of(self, step: int) -> list[str]:
        """A step as the transcript tells it."""
        if not self.count:
            return []
        chapter = self.trace.chapter_at(step)
        story = chapter.trace.story
        return step_lines(story, story.steps[step - chapter.first], self.lang, chapter.first)

    def frame(self, columns: int, rows: int) -> list[str]:
        """The whole screen: at most so many lines, none of them wider."""
        top, bottom = self.head(columns), [DIM + cut(self.foot(), columns) + PLAIN]
        room = max(rows - len(top) - len(bottom), 1)
        lines = self.paged(columns, room) if self.page else self.told(columns, room)
        lines = lines[:room]
        return [*top, *lines, *[""] * (room - len(lines)), *bottom][-rows:]

    def help(self, columns: int) -> list[str]:
        """Every key and what it does, a line each."""
        keys = KEYS[self.lang]
        width = max(cells(key) for key, _ in keys)
        lines = (f"  {key}{' ' * (width - cells(key))}  {meaning}" for key, meaning in keys)
        return [WORDS[self.lang]["help"], *(cut(line, columns) for line in lines)]

    def paged(self, columns: int, rows: int) -> list[str]:
        """The page that is open, from where one has scrolled to."""
        if self.page == "help":
            return self.help(columns)
        if self.page == "rounds":
            return self.rounds(columns, rows)
        if self.page == "problems":
            return self.faults(columns, rows)
        lines = self.values()
        first = max(0, min(self.line, len(lines) - rows + 1))
        seen = lines[first : first + rows - 1] or [WORDS[self.lang]["novalues"]]
        return [cut(line, columns) for line in (WORDS[self.lang]["values"], *seen)]

    def values(self) -> list[str]:
        """The values of the step, with all their elements."""
        return list(value_lines(self.current, self.lang)) if self.count else []

    def rounds(self, columns: int, rows: int) -> list[str]:
        """All rounds, a line each; ▶ is at the one that is chosen."""
        words, rounds = WORDS[self.lang], self.trace.rounds
        if not rounds:
            return [cut(words["norounds"], columns)]
        room = max(rows - 1, 1)
        first = max(0, min(self.line - room // 2, len(rounds) - room))
        lines = []
        for each in rounds[first : first + room]:
            told = round_line(each, len(rounds), self.lang)
            told += "" if each.kept else f"   ({words['dropped']})"
            chosen = each.index == self.line
            line = cut(f"{'▶' if chosen else ' '} {told}", columns)
            lines.append(f"{BOLD}{line}{PLAIN}" if chosen else line)
        return [cut(words["rounds"], columns), *lines]

    def faults(self, columns: int, rows: int) -> list[str]:
        """All problems: where each is seen, why, and what to do; ▶ is at the one that is chosen."""
        words = WORDS[self.lang]
        if not self.problems:
            return [cut(words["noproblems"], columns)]
        lines: list[str] = []
        first = 0
        for number, problem in enumerate(self.problems):
            chosen = number == self.line
            if chosen:
                first = len(lines)
            where = cut(f"{'▶' if chosen else ' '} {'   '.join(self.where(problem.step))}", columns)
            lines.append(f"{BOLD}{where}{PLAIN}" if chosen else where)
            lines += self.reason(problem, columns)
        room = max(rows - 1, 1)
        first = max(0, min(first, len(lines) - room))
        return [cut(words["problems"], columns), *lines[first : first + room]]

    def reason(self, problem: Problem, columns: int) -> Iterator[str]:
        """Why something is a problem, and what to do."""
        for sign, text in (("!", problem.text), ("→", problem.todo)):
            first, *more = wrap_text(text.of(self.lang), max(columns - 4, 1))
            yield cut(f"  {sign} {first}", columns)
            yield from (cut(f"    {line}", columns) for line in more)

    def told(self, columns: int, rows: int) -> list[str]:
        """The steps around this one, then all about it."""
        body = list(self.body(columns))
        return [*self.transcript(max(rows - len(body) - 1, min(5, rows)), columns), "", *body]

    def head(self, columns: int) -> list[str]:
        words = WORDS[self.lang]
        if not self.count:
            return [BOLD + cut(self.title, columns) + PLAIN]
        phase = say(self.current.phase, self.lang)
        parts = [self.title, *self.where(self.step), phase]
        if self.problems:
            parts.append(words["count"].format(len(self.problems)))
        number, count = self.place + 1, len(self.way)
        done = number * columns // max(count, 1)
        return [
            BOLD + cut("   ".join(parts), columns) + PLAIN,
            "━" * done + "─" * (columns - done),
        ]

    def where(self, step: int) -> list[str]:
        """`round 4 of 20 (epoch 1, batch 0)`, if there are rounds, and `step 3 of 9`."""
        chapter = self.trace.chapter_at(step)
        name = chapter.name.of(self.lang)
        place = WORDS[self.lang]["step"].format(step + 1, self.count)
        return [name, place] if name else [place]

    def foot(self) -> str:
        words = WORDS[self.lang]
        if self.asking is not None:
            return f"/{self.asking}   {words['asking']}"
        if self.page in ("values", "rounds", "problems"):
            return words["paging" if self.page == "values" else "choosing"]
        if self.sought and not self.message:
            return words["sought"].format(self.sought)
        return self.message or words["keys"]

    def transcript(self, rows: int, columns: int) -> Iterator[str]:
        """The sentences around the cursor."""
        here, start = self.here, self.chapter.first
        marked = {problem.step for problem in self.problems}
        first = max(0, min(self.place_here - rows // 2, len(here) - rows))
        for at in here[first : first + rows]:
            now, text = at == self.step, self.story.steps[at - start].text.of(self.lang)
            sign = "!" if at in marked else " "
            line = cut(f"{'▶' if now else ' '}{sign}{at + 1:>4}  {text}", columns)
            yield f"{BOLD}{line}{PLAIN}" if now else line

    def body(self, columns: int) -> Iterator[str]:
        """The sentence in full, formula and values, the code, and the boxes that light up."""
        if not self.count:
            return
        step = self.current
        sentence, *details = self.lines_of(self.step)
        yield from wrap_text(sentence.strip().partition("  ")[2], columns)
        for problem in self.problems:
            if problem.step == self.step:
                yield from self.reason(problem, columns)
        place = step.line
        for line in details[1:] if place else details:
            yield cut("  " + line.strip(), columns)
        if place:
            yield from self.code(place, columns)
        graph = self.story.graph
        groups = (group.closed for group in graph.groups)
        boxes = {n.id: label_of(n, self.lang) for n in (*graph.nodes, *filter(None, groups))}
        lit = [boxes[name] for name in step.nodes if name in boxes]
        ends = {edge.id: (edge.source, edge.target) for edge in graph.edges}
        wires = [
            " → ".join(boxes.get(end, "?") for end in ends[name])
            for name in step.edges
            if name in ends
        ]
        if lit:
            comma = "、" if self.lang == "zh" else ", "
            yield cut(f"{WORDS[self.lang]['lit']}{comma.join(wires or lit)}", columns)

    def code(self, place: tuple[int, int], columns: int) -> Iterator[str]:
        """The lines around the current one."""
        source = self.story.sources[place[0]]
        yield DIM + cut(f"{WORDS[self.lang]['code']}{source.name}", columns) + PLAIN
        first = max(place[1] - AROUND, source.first)
        for number in range(first, place[1] + AROUND + 1):
            at = number - source.first
            if at < len(source.lines):
                mark = "▶" if number == place[1] else " "
                yield cut(f"{mark}{number:>4}  {source.lines[at]}", columns)


# ----- widths ------------------------------------------------------------------------------------


def cut(text: str, columns: int) -> str:
    """As much of a text as there is room for; what would not be seen is shown as `?`."""
    text = "".join(c if c.isprintable() else " " if c == "\t" else "?" for c in text)
    if cells(text) <= columns:
        return text
    kept, used = "", 1
    for character in text:
        used += cells(character)
        if used > columns:
            break
        kept += character
    return kept + "…"


def wrap_text(text: str, columns: int) -> Iterator[str]:
    """The text in lines, broken at spaces, or anywhere in Chinese."""
    line, used = "", 0
    for word in words(text):
        size = cells(word)
        if line and used + size > columns:
            yield cut(line.rstrip(), columns)
            line, used, word = "", 0, word.lstrip()
            size = cells(word)
        line, used = line + word, used + size
    yield cut(line.rstrip(), columns)


def words(text: str) -> Iterator[str]:
    """Pieces between which a line may be broken: words with the space after, wide characters."""
    piece = ""
    for character in text:
        piece += character
        if character == " " or cells(character) == 2:
            yield piece
            piece = ""
    if piece:
        yield piece
