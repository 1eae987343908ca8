"""The player for a terminal: the transcript with a cursor, and details of the current step.

`Stepper` turns keys into steps and a step into lines of text; `screen.py` reads the keys and
shows the lines.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import Any

from minipaddle.messages import LIST, Message, Row, languages

from ..draw.pages import round_line, value_lines
from ..draw.transcript import step_lines
from ..language.words import WORDS, say
from ..model import Problem, Step, Story, boxes_of, label_of, words
from ..story.chapters import name_of_chapter
from ..theme import table_lines
from .fitting import cut, window, wrap_text

AROUND = 3  # number of lines of code before and after the current one
KEYS = (
    ("← → ↑ ↓", Message("one step back or on")),
    ("PgUp PgDn", Message("ten steps")),
    ("Home End", Message("the first step, the last one")),
    ("[ ]", Message("same step of the previous round, of the next")),
    (WORDS["space"], Message("plays; any key stops")),
    ("/", Message("searches: type, Enter finds, Esc leaves")),
    ("n", Message("the next step with what was searched")),
    ("Esc", Message("leaves a search, or a page")),
    ("v", Message("all values of the step: ↑ ↓ scroll")),
    ("e", Message("elements: arrows choose one, Tab another value")),
    ("r", Message("rounds and losses: ↑ ↓ choose, Enter goes")),
    ("p", Message("problems and advice: ↑ ↓ choose, Enter goes")),
    ("m", Message("memory steps: shows or hides them")),
    ("l", WORDS["language"]),  # name of the next language, in that language
    ("?", Message("this page")),
    ("q Ctrl-C", Message("end")),
)
STEP = Message("step {step} of {count}")
LIT = Message("lights: {boxes}")
NOT_FOUND = Message("not found: {text}")
CODE = Message("code: {file}")
HINT = Message("← → step   ? keys   / search   q ends")
ASKING = Message("Enter finds, Esc leaves")
SOUGHT = Message("searched: {text}   n next   Esc leaves")
NO_VALUES = Message("This step shows no values.")
NO_ROUNDS = Message("There are no rounds here.")
DROPPED = Message("{round}   (steps not recorded)")
PROBLEMS = Message("Problems")
NO_PROBLEMS = Message("No problem was found.")
COUNT = Message("problems: {count} (p)")
PAGING = Message("↑ ↓ scroll   ← → step   Esc leaves")
ELEMENT = Message("arrows choose   Tab next value   • made from, or acts on   Esc leaves")
CHOOSING = Message("↑ ↓ choose   Enter goes there   Esc leaves")
# key -> the page that it opens and closes
PAGES = {"?": "help", "v": "values", "e": "element", "r": "rounds", "p": "problems"}
BOLD, DIM, PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[0m"


class Stepper:
    """Position in a trace and state of the screen."""

    def __init__(self, trace: Any, lang: str = "en", step: int | None = None) -> None:
        self.trace = trace
        self.title = trace.title
        self.lang = lang
        self.count = len(trace)
        start = trace.opens_at if step is None else step
        self.step = max(0, min(start, self.count - 1))
        # whether memory steps are visited, as after a start at one of them
        self.memory = bool(self.count) and self.current.of_memory
        self.problems: list[Problem] = trace.problems()
        self.steps = self.steps_in_order()
        self.playing = False
        self.over = False
        self.page = ""  # the open page, a value of PAGES, or "" for the steps
        self.element: Any = None  # the page of elements, or None before it was opened
        self.line = 0  # first visible line, or chosen entry, of the page
        self.asking: str | None = None  # text typed after /
        self.sought = ""
        self.message = ""

    # ----- the current step -----

    @property
    def next_lang(self) -> str:
        """Language that the key l switches to."""
        known = languages()
        return known[(known.index(self.lang) + 1) % len(known)]

    @property
    def chapter(self) -> Any:
        """Chapter of the current step: a round, or a part outside of rounds."""
        return self.trace.chapter_at(self.step)

    @property
    def story(self) -> Story:
        """Story of the current chapter."""
        story: Story = self.chapter.trace.story
        return story

    @property
    def current(self) -> Step:
        """Current step."""
        first: int = self.chapter.first
        return self.story.steps[self.step - first]

    def steps_in_order(self) -> list[int]:
        """Return the numbers of all visited steps."""
        return [
            chapter.first + step.index
            for chapter in self.trace.chapters
            for step in chapter.trace.story.steps
            if self.memory or not step.of_memory
        ]

    @property
    def here(self) -> list[int]:
        """Visited steps of the current chapter."""
        first, count = self.chapter.first, len(self.chapter.trace)
        return self.steps[bisect_left(self.steps, first) : bisect_left(self.steps, first + count)]

    @property
    def place(self) -> int:
        """Position of the current step among the visited ones, from 0."""
        return max(bisect_right(self.steps, self.step) - 1, 0)

    # ----- keys -----

    def press(self, key: str) -> None:
        """Handle a key: a name such as "right", or the character typed."""
        self.message = ""
        if key == "interrupt":
            self.over = True
            return
        if self.asking is not None:
            self.type(key)
            return
        if self.page and self.turn_page(key):
            return
        steps = self.steps
        moves = {"right": 1, "down": 1, "left": -1, "up": -1, "page down": 10, "page up": -10}
        self.playing = key == " " and not self.playing
        if key in moves:
            self.move(moves[key])
        elif key in ("home", "end"):
            self.move(-len(steps) if key == "home" else len(steps))
        elif key in ("[", "]"):
            self.turn(1 if key == "]" else -1)
        elif key == "m":
            self.turn_memory()
        elif key == "/":
            self.asking = ""
        elif key == "n":
            self.find()
        elif key == "l":
            self.lang = self.next_lang
        elif key in PAGES:
            self.open_page(PAGES[key])
        elif key == "escape":
            self.sought = ""
        elif key in ("q", "Q"):
            self.over = True

    def open_page(self, page: str) -> None:
        """Open a page at its beginning; the pages of rounds and problems at the current step."""
        self.page, self.line = page, 0
        if page == "element":
            from .element_page import ElementPage  # imported only when needed

            self.element = ElementPage(self.chapter.trace, self.current, self.step)
        elif page == "rounds":
            self.line = self.chapter.round or 0
        elif page == "problems":
            here = (n for n, problem in enumerate(self.problems) if problem.step >= self.step)
            self.line = next(here, 0)

    def turn_page(self, key: str) -> bool:
        """Handle a key on a page; return False if the key has its usual meaning."""
        if self.page == "element" and self.element.press(key):
            return True
        scroll = {"up": -1, "down": 1, "page up": -10, "page down": 10}
        if self.page == "help" or key == "escape" or PAGES.get(key) == self.page:
            self.over = key in ("q", "Q")
            self.page = ""
        elif self.page == "element":
            return key not in ("q", "Q", "l")
        elif key in scroll:
            self.line = max(0, min(self.line + scroll[key], len(self.entries()) - 1))
        elif key == "enter" and self.page != "values":
            self.go_to_chosen()
        else:
            self.line = 0 if self.page == "values" else self.line
            return False
        return True

    def entries(self) -> Sequence[Any]:
        """Return the entries of the open page."""
        if self.page == "values":
            return self.values()
        listed: Sequence[Any] = self.problems if self.page == "problems" else self.trace.rounds
        return listed

    def go_to_chosen(self) -> None:
        """Go to the step of the chosen problem, or to the first step of the chosen round.

        Stay if no steps of the round were recorded.
        """
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
        """Play the next step; stop at the last one."""
        self.move(1)
        self.playing = self.step < self.steps[-1] if self.count else False

    def move(self, by: int) -> None:
        """Move the cursor by `by` steps."""
        steps = self.steps
        if steps:
            self.step = steps[max(0, min(self.place + by, len(steps) - 1))]

    def turn(self, by: int) -> None:
        """Go to the same step of the next or the previous round, at most to its last step."""
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
        """Show or hide memory steps; from a hidden one go back to the step before it."""
        self.memory = not self.memory
        self.steps = self.steps_in_order()
        self.move(0)

    def type(self, key: str) -> None:
        """Handle a key while the user types the search text."""
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
        """Go to the next step whose part of the transcript contains the search text, if any."""
        if not self.sought:
            return
        files = [
            f"{source.name}:" for source in self.trace.sources
        ]  # each line of code begins with one
        steps, place = self.steps, self.place
        for further in range(1, len(steps) + 1):
            at = steps[(place + further) % len(steps)]
            text = "\n".join(self.lines_of(at))
            for file in files:
                text = text.replace(file, "")
            if self.sought.lower() in text.lower():
                self.step = at
                return
        self.message, self.sought = NOT_FOUND.fill(text=self.sought).of(self.lang), ""

    # ----- the screen -----

    def lines_of(self, step: int) -> list[str]:
        """Return the lines of a step in the transcript."""
        if not self.count:
            return []
        chapter = self.trace.chapter_at(step)
        story = chapter.trace.story
        return step_lines(story, story.steps[step - chapter.first], self.lang, chapter.first)

    def frame(self, columns: int, rows: int) -> list[str]:
        """Return the whole screen: at most `rows` lines of at most `columns` columns."""
        top, bottom = self.head(columns), [DIM + cut(self.foot(), columns) + PLAIN]
        room = max(rows - len(top) - len(bottom), 1)
        lines = self.page_lines(columns, room) if self.page else self.around_step(columns, room)
        lines = lines[:room]
        return [*top, *lines, *[""] * (room - len(lines)), *bottom][-rows:]

    def help(self, columns: int) -> list[str]:
        """Return a line for each key and its meaning."""
        rows = [
            (words(key).of(self.lang), meaning.of(self.next_lang if key == "l" else self.lang))
            for key, meaning in KEYS
        ]
        lines = (cut(f"  {line}", columns) for line in table_lines(rows, "<<"))
        return [say("keys", self.lang), *lines]

    def page_lines(self, columns: int, rows: int) -> list[str]:
        """Return the visible lines of the open page."""
        if self.page == "help":
            return self.help(columns)
        if self.page == "rounds":
            return self.rounds(columns, rows)
        if self.page == "problems":
            return self.faults(columns, rows)
        if self.page == "element":
            return list(self.element.lines(self.lang, columns, rows))
        lines = self.values()
        first = max(0, min(self.line, len(lines) - rows + 1))
        seen = lines[first : first + rows - 1] or [NO_VALUES.of(self.lang)]
        return [cut(line, columns) for line in (say("values", self.lang), *seen)]

    def values(self) -> list[str]:
        """Return the values of the step, with all elements."""
        return list(value_lines(self.current, self.lang)) if self.count else []

    def rounds(self, columns: int, rows: int) -> list[str]:
        """Return the visible rounds, a line each; ▶ marks the chosen one."""
        rounds = self.trace.rounds
        if not rounds:
            return [cut(NO_ROUNDS.of(self.lang), columns)]
        lines = [cut(say("rounds", self.lang), columns)]
        for at in window(self.line, max(rows - 1, 1), len(rounds)):
            text = round_line(rounds[at], len(rounds), self.lang)
            text = text if rounds[at].kept else DROPPED.fill(round=text).of(self.lang)
            lines.append(pointed(f" {text}", at == self.line, columns))
        return lines

    def faults(self, columns: int, rows: int) -> list[str]:
        """Return the visible problems: step, reason and advice; ▶ marks the chosen one."""
        if not self.problems:
            return [cut(NO_PROBLEMS.of(self.lang), columns)]
        lines: list[str] = []
        first = 0
        for number, problem in enumerate(self.problems):
            chosen = number == self.line
            if chosen:
                first = len(lines)
            lines.append(pointed(f" {'   '.join(self.where(problem.step))}", chosen, columns))
            lines += self.reason(problem, columns)
        room = max(rows - 1, 1)
        first = max(0, min(first, len(lines) - room))
        return [cut(PROBLEMS.of(self.lang), columns), *lines[first : first + room]]

    def reason(self, problem: Problem, columns: int) -> Iterator[str]:
        """Yield the lines with the reason and the advice of a problem."""
        for sign, text in (("!", problem.text), ("→", problem.todo)):
            first, *more = wrap_text(text.of(self.lang), max(columns - 4, 1))
            yield cut(f"  {sign} {first}", columns)
            yield from (cut(f"    {line}", columns) for line in more)

    def around_step(self, columns: int, rows: int) -> list[str]:
        """Return the sentences around the current step, then its details."""
        body = list(self.body(columns))
        return [*self.transcript(max(rows - len(body) - 1, min(5, rows)), columns), "", *body]

    def head(self, columns: int) -> list[str]:
        if not self.count:
            return [BOLD + cut(self.title, columns) + PLAIN]
        phase = say(self.current.phase, self.lang)
        parts = [self.title, *self.where(self.step), phase]
        if self.problems:
            parts.append(COUNT.fill(count=len(self.problems)).of(self.lang))
        number, count = self.place + 1, len(self.steps)
        done = number * columns // max(count, 1)
        return [BOLD + cut("   ".join(parts), columns) + PLAIN, "━" * done + "─" * (columns - done)]

    def where(self, step: int) -> list[str]:
        """Return `round 4 of 20 (epoch 1, batch 0)` if there are rounds, and `step 3 of 9`."""
        chapter = self.trace.chapter_at(step)
        name = name_of_chapter(self.trace, chapter).of(self.lang)
        place = STEP.fill(step=step + 1, count=self.count).of(self.lang)
        return [name, place] if name else [place]

    def foot(self) -> str:
        if self.asking is not None:
            return f"/{self.asking}   {ASKING.of(self.lang)}"
        if self.page and self.page != "help":
            hints = {"values": PAGING, "element": ELEMENT}
            return hints.get(self.page, CHOOSING).of(self.lang)
        if self.sought and not self.message:
            return SOUGHT.fill(text=self.sought).of(self.lang)
        return self.message or HINT.of(self.lang)

    def transcript(self, rows: int, columns: int) -> Iterator[str]:
        """Yield the sentences around the cursor."""
        here, start = self.here, self.chapter.first
        marked = {problem.step for problem in self.problems}
        place = max(bisect_right(here, self.step) - 1, 0)
        for at in (here[k] for k in window(place, rows, len(here))):
            text = self.story.steps[at - start].text.of(self.lang)
            sign = "!" if at in marked else " "
            yield pointed(f"{sign}{at + 1:>4}  {text}", at == self.step, columns)

    def body(self, columns: int) -> Iterator[str]:
        """Yield the whole sentence, problems, formula and values, code, and highlighted boxes."""
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
        boxes = {name: label_of(box, self.lang) for name, box in boxes_of(graph).items()}
        active = [boxes[name] for name in step.nodes if name in boxes]
        ends = {edge.id: (edge.source, edge.target) for edge in graph.edges}
        wires = [
            " → ".join(boxes.get(end, "?") for end in ends[name])
            for name in step.edges
            if name in ends
        ]
        if active:
            yield cut(LIT.fill(boxes=Row(wires or active, LIST)).of(self.lang), columns)

    def code(self, place: tuple[int, int], columns: int) -> Iterator[str]:
        """Yield the file name and the lines of code around the current one."""
        source = self.story.sources[place[0]]
        yield DIM + cut(CODE.fill(file=source.name).of(self.lang), columns) + PLAIN
        first, end = source.first, source.first + len(source.lines)
        for number in range(max(place[1] - AROUND, first), min(place[1] + AROUND + 1, end)):
            mark = "▶" if number == place[1] else " "
            yield cut(f"{mark}{number:>4}  {source.line(number)}", columns)


def pointed(text: str, chosen: bool, columns: int) -> str:
    """Return a line with room for ▶ before it; the chosen one has it, and is bold."""
    line = cut(f"{'▶' if chosen else ' '}{text}", columns)
    return f"{BOLD}{line}{PLAIN}" if chosen else line
