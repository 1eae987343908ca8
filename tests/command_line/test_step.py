"""`minipaddle step`: the player of a terminal, as text and on a pseudo-terminal."""

import os
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Self

import pytest

import minipaddle as paddle
import viz
from minipaddle import __main__ as command_line
from tests.each import each
from tests.processes import python
from viz.model import words as label_of_key
from viz.terminal import screen
from viz.terminal.stepper import KEYS, Stepper, cut, wrap_text
from viz.theme import cells

from ..patience import PATIENCE
from ..viz import faults, programs, trainings

ROOT = Path(__file__).parents[2]


@pytest.fixture
def stepper() -> Stepper:
    return Stepper(programs.tanh())


def seen(stepper: Stepper, columns: int = 100, rows: int = 40) -> str:
    return re.sub(r"\x1b\[\d*m", "", "\n".join(stepper.frame(columns, rows)))


# ----- keys and screens --------------------------------------------------------------------------


def test_keys_move_and_stay_inside(stepper: Stepper) -> None:
    steps = []
    for key in ("left", "right", "down", "page down", "page up", "end", "right", "home", "x"):
        stepper.press(key)
        steps.append(stepper.step)
    way = [step.index for step in stepper.story.steps if not step.of_memory]
    places = [0, 1, 2, min(12, len(way) - 1), min(12, len(way) - 1) - 10, -1, -1, 0, 0]
    assert steps == [way[place] for place in places]


def test_steps_of_memory_are_skipped_until_they_are_switched_on() -> None:
    stepper = Stepper(programs.tanh())
    hidden = [step.index for step in stepper.story.steps if step.of_memory]
    assert hidden
    assert f"step 1 of {stepper.count} " in seen(stepper)
    for _ in range(hidden[0]):
        stepper.press("right")
    assert stepper.step == hidden[0] + 1
    assert f"step {hidden[0] + 2} of {stepper.count} " in seen(stepper)
    stepper.press("m")
    assert f"step {hidden[0] + 2} of {stepper.count} " in seen(stepper)
    stepper.press("left")
    assert stepper.step == hidden[0]
    stepper.press("m")
    assert (stepper.step, stepper.place) == (hidden[0] - 1, hidden[0] - 1)


def test_space_plays_to_the_end_and_any_key_stops(stepper: Stepper) -> None:
    stepper.press(" ")
    assert stepper.playing
    stepper.tick()
    assert stepper.step == 1
    stepper.press("right")
    assert (stepper.step, stepper.playing) == (2, False)
    stepper.press(" ")
    for _ in range(stepper.count):
        stepper.tick()
    assert (stepper.step, stepper.playing) == (stepper.count - 1, False)


def test_search_goes_to_the_next_step_with_the_text_and_round(stepper: Stepper) -> None:
    for key in ("/", *"meen", "backspace", "backspace", *"an of", "enter"):
        stepper.press(key)
    first = stepper.step
    assert "mean of" in "\n".join(stepper.lines_of(first)).lower()
    stepper.press("n")
    assert stepper.step == first  # no other step speaks of it
    for key in ("/", *"loss", "enter"):
        stepper.press(key)
    assert stepper.step > first
    stepper.press("home")
    stepper.press("n")
    assert stepper.step == first  # the step that makes the loss
    for key in ("/", *"no such thing", "enter"):
        stepper.press(key)
    assert "not found: no such thing" in seen(stepper)
    file = stepper.story.sources[0].name
    for key in ("/", *file, "enter"):
        stepper.press(key)
    assert f"not found: {file}" in seen(stepper)  # every step would be of that file
    stepper.press("/")
    stepper.press("q")
    assert "/q" in seen(stepper)
    stepper.press("escape")
    assert not stepper.over
    stepper.press("q")
    assert stepper.over


def test_escape_leaves_a_search_and_never_the_player(stepper: Stepper) -> None:
    for key in ("/", *"squared", "escape"):
        stepper.press(key)
    assert (stepper.asking, stepper.sought, stepper.step, stepper.over) == (None, "", 0, False)
    for key in ("/", *"squared"):
        stepper.press(key)
    assert seen(stepper).endswith("/squared   Enter finds, Esc leaves")
    stepper.press("enter")
    found = stepper.step
    assert found > 0
    assert seen(stepper).endswith("searched: squared   n next   Esc leaves")
    stepper.press("escape")
    assert (stepper.sought, stepper.step, stepper.over) == ("", found, False)
    stepper.press("n")
    stepper.press("escape")
    assert (stepper.step, stepper.over) == (found, False)
    assert seen(stepper).endswith("? keys   / search   q ends")


@each("typed", ["", "/", "/tan", "?", " "])
def test_ctrl_c_ends_the_player_everywhere(typed: str) -> None:
    stepper = Stepper(programs.tanh())
    for key in (*typed, "interrupt"):
        stepper.press(key)
    assert stepper.over


def test_a_step_without_code_shows_its_formula_and_values() -> None:
    with viz.record() as trace:
        exec("paddle.exp(paddle.zeros([2]))", {"paddle": paddle})  # no file has this code
    stepper = Stepper(trace)
    stepper.press("right")
    told = seen(stepper)
    assert "  exp(zeros([2])) = e^zeros([2])\n" in told
    assert "[2] float32: [1, 1]" in told
    assert "code: " not in told


@each("lang", ["en", "zh"])
def test_a_question_mark_shows_every_key(lang: str) -> None:
    stepper = Stepper(programs.tanh(), lang)
    assert "? " in seen(stepper, 40).split("\n")[-1]
    stepper.press("?")
    page = seen(stepper, 60, 20)
    for key, meaning in KEYS:
        row = [label_of_key(key).of(lang), meaning.of(stepper.next_lang if key == "l" else lang)]
        assert re.search("^  {} +{}$".format(*map(re.escape, row)), page, re.MULTILINE), key
    stepper.press("right")  # any key closes it and does no more
    assert stepper.step == 0
    assert KEYS[0][1].of(lang) not in seen(stepper)
    for key, over in (("escape", False), ("q", True)):
        stepper.press("?")
        stepper.press(key)
        assert (stepper.page, stepper.over) == ("", over)


def test_a_screen_shows_the_step_its_code_and_its_boxes(stepper: Stepper) -> None:
    while stepper.story.steps[stepper.step].kind != "seed":
        stepper.press("right")
    screen = seen(stepper)
    number = stepper.step + 1
    assert f"step {number} of {stepper.count}   Backward" in screen
    assert re.search(rf"^▶ +{number}  Backward starts at loss", screen, re.MULTILINE)
    assert re.search(r"^▶ +\d+ +loss.backward\(\)$", screen, re.MULTILINE)
    assert "lights: mean → loss" in screen
    code = screen.partition("code: ")[2]
    (here,) = map(int, re.findall(r"^▶ +(\d+) ", code, re.MULTILINE))
    numbers = re.findall(r"^[▶ ] +(\d+)  ", code, re.MULTILINE)
    assert [int(number) - here for number in numbers] == [-3, -2, -1, 0, 1, 2, 3]
    stepper.press("l")
    assert "反向从 loss 开始" in seen(stepper)


@each("typed", ["", "?", "v", "r", "p", "/a long text that is searched"])
@each("size", [(100, 40), (60, 20), (20, 6), (10, 3), (1, 1)])
def test_every_screen_fits(size: tuple[int, int], typed: str) -> None:
    stepper = Stepper(programs.step(), "zh")
    for key in typed:
        stepper.press(key)
    assert all(cells(line) <= size[0] for line in seen(stepper, *size).split("\n"))
    for _ in range(stepper.count):
        lines = seen(stepper, *size).split("\n")
        assert len(lines) <= size[1]
        assert max(map(cells, lines)) <= size[0]
        stepper.press("right")


def test_an_error_and_an_empty_trace_are_shown() -> None:
    with pytest.raises(ZeroDivisionError), viz.record() as trace:
        programs.leaf() / (1 // 0)
    stepper = Stepper(trace)
    stepper.press("end")
    assert "It stops here with ZeroDivisionError" in seen(stepper)
    with viz.record("empty") as trace:
        pass
    assert "empty" in seen(Stepper(trace))


def test_text_is_cut_by_columns_and_control_characters_do_nothing() -> None:
    assert cut("abcdef", 6) == "abcdef"
    assert cut("abcdef", 4) == "abc…"
    assert cut("反向梯度", 6) == "反向…"
    assert cut("a\x1b[2Jb\tc", 20) == "a?[2Jb c"
    assert list(wrap_text("one two three", 8)) == ["one two", "three"]
    assert list(wrap_text("由梯度算出", 4)) == ["由梯", "度算", "出"]


@pytest.mark.skipif(os.name != "posix", reason="Windows sends keys otherwise")
def test_keys_are_recognized_as_terminals_send_them() -> None:
    from viz.terminal.keys_posix import first_key, whole

    sent = {
        "\x1b[C": "right", "\x1bOH": "home", "\x1b[4~": "end", "\x1b[6~": "page down",
        "\r": "enter", "\x7f": "backspace", "\x1b": "escape", "q": "q", "\x1b[1;5C": "unknown",
    }  # fmt: skip
    for text, key in sent.items():
        assert first_key(text) == (key, "")
    assert first_key("\x1b[Dq") == ("left", "q")
    assert not whole(b"\x1b[")
    assert not whole("梯".encode()[:2])
    assert whole(b"\x1b[C")


# ----- rounds ------------------------------------------------------------------------------------


def test_brackets_go_to_the_same_step_of_another_round() -> None:
    trace = trainings.epochs()
    stepper = Stepper(trace)
    shorter = trace.rounds[3]
    stepper.press("]")
    for _ in range(9):
        stepper.press("right")
    local = stepper.step - stepper.chapter.first
    visited = []
    for key in "]][[":
        stepper.press(key)
        visited.append((stepper.chapter.round, stepper.step - stepper.chapter.first))
    assert visited == [(2, local), (3, min(local, len(trace.round(3)) - 1)), (2, 4), (1, 4)]
    assert shorter.last == trace.chapters[3].first + 4
    for key, last in (("[", 0), ("]", 7)):
        for _ in range(12):
            stepper.press(key)
        assert stepper.chapter.round == last
    stepper.press("end")
    assert stepper.chapter.round is None
    stepper.press("]")
    assert stepper.chapter.round is None
    stepper.press("[")
    assert stepper.chapter.round == 7


def test_the_player_begins_in_the_first_round_and_skips_memory() -> None:
    program = trainings.program()
    stepper = Stepper(program)
    assert stepper.step == program.rounds[0].first
    assert f"round 1 of 5 (i 0)   step {stepper.step + 1} of {len(program)} " in seen(stepper)
    stepper.press("[")
    assert stepper.step == program.rounds[0].first
    stepper.press("home")
    assert (stepper.step, stepper.chapter.round) == (0, None)
    assert "before the first round   step 1 of " in seen(stepper)
    stepper.press("]")
    assert stepper.chapter.round == 0
    hidden = Stepper(trainings.epochs())
    assert not any(hidden.trace.steps[at].of_memory for at in hidden.steps)
    hidden.press("m")
    assert hidden.steps == list(range(hidden.count))


def test_the_command_begins_in_the_round_that_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = trainings.epochs()
    path = str(trace.save(tmp_path / "loop.json"))
    begun: list[int | None] = []
    monkeypatch.setattr(screen, "play", lambda _trace, _lang, step: begun.append(step))
    for options in ([], ["--step", "5"], ["--round", "3"], ["--round", "3", "--step", "5"]):
        assert command_line.main(["step", path, *options]) == 0
    third = trace.rounds[2].first
    assert third is not None
    assert begun == [None, 4, third, third + 4]


def test_a_missing_round_is_an_error_of_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(trainings.epochs().save(tmp_path / "loop.json"))
    assert command_line.main(["step", path, "--round", "9"]) == 1
    assert "no steps of round 8" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        command_line.main(["step", path, "--round", "0"])
    assert "--round counts from 1" in capsys.readouterr().err


# ----- the command -------------------------------------------------------------------------------


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    return programs.tanh().save(tmp_path / "tanh.json")


def test_the_transcript_is_printed_without_a_terminal(
    saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command_line.main(["step", str(saved), "--lang", "zh"]) == 0
    assert capsys.readouterr().out == programs.tanh().text("zh")
    assert command_line.main(["step", str(saved.parent / "no.json")]) == 1
    assert "there is no trace file" in capsys.readouterr().err


@pytest.mark.slow
def test_a_closed_pipe_is_no_error(saved: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "minipaddle", "step", str(saved)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert running.stderr.read() == ""
        assert running.wait(PATIENCE) == 141


@pytest.mark.slow
def test_signs_that_a_terminal_lacks_are_replaced(saved: Path) -> None:
    words = ["-m", "minipaddle", "step", str(saved), "--lang", "zh"]
    done = python(*words, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert "tanh ?" in done.stdout


def takes_its_terminal() -> None:
    """In the new process: standard input is the terminal whose signals it gets."""
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


class Screen:
    """The command on a pseudo-terminal of this size; (0, 0) is one that does not know its size."""

    def __init__(self, *arguments: str, size: tuple[int, int] = (80, 30)) -> None:
        import pty

        self.terminal, inner = pty.openpty()
        self.resize(*size)
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm"}
        environment |= {"COLUMNS": "70", "LINES": "20"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "minipaddle", "step", *arguments],
            stdin=inner,
            stdout=inner,
            stderr=inner,
            env=environment,
            start_new_session=True,
            preexec_fn=takes_its_terminal,  # noqa: PLW1509
        )
        os.close(inner)
        self.text = ""

    def wait(self, wanted: str) -> str:
        """What is shown until this text has come."""
        end = time.monotonic() + PATIENCE
        while wanted not in self.text:
            assert time.monotonic() < end, self.text
            if select.select([self.terminal], [], [], 0.5)[0]:
                try:
                    self.text += os.read(self.terminal, 65536).decode(errors="replace")
                except OSError:
                    break
        before, match, self.text = self.text.partition(wanted)
        assert match, before
        return before

    def resize(self, columns: int, rows: int) -> None:
        import termios

        termios.tcsetwinsize(self.terminal, (rows, columns))

    def send(self, keys: str) -> None:
        os.write(self.terminal, keys.encode())

    def end(self) -> int:
        return self.process.wait(PATIENCE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """The process is gone, whatever has become of the test."""
        self.process.kill()
        self.process.wait()
        os.close(self.terminal)


on_terminal = pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals are POSIX")


@pytest.mark.slow
@on_terminal
def test_the_player_works_on_a_terminal(saved: Path) -> None:
    count = len(programs.tanh())
    last = max(step.index for step in programs.tanh().story.steps if not step.of_memory) + 1
    with Screen(str(saved)) as screen:
        screen.wait("\x1b[?1049h")
        screen.wait(f"step 1 of {count}")
        screen.send("\x1b[C")
        screen.wait(f"step 2 of {count}")
        screen.send("\x1b[F")
        screen.wait(f"step {last} of {count}")
        screen.send("\x1b[H /squared\r")  # plays, and the search stops it
        screen.wait("is squared")
        screen.send("q")
        screen.wait("\x1b[?1049l")  # the screen from before is back
        assert screen.end() == 0


@pytest.mark.slow
@on_terminal
def test_a_terminal_that_changes_its_size_is_drawn_anew(saved: Path) -> None:
    with Screen(str(saved), size=(0, 0)) as screen:
        assert "─" * 60 in screen.wait("? keys")  # 70 columns, as the environment says
        screen.resize(40, 12)
        lines = screen.wait("? keys").rpartition("\x1b[H")[2].split("\r\n")
        assert len(lines) == 12
        assert lines[1].count("━") + lines[1].count("─") == 40
        screen.resize(12, 5)
        assert len(screen.wait("← → step ").rpartition("\x1b[H")[2].split("\r\n")) == 5
        screen.send("\x04")  # nobody is there any more
        screen.wait("\x1b[?1049l")
        assert screen.end() == 0


@pytest.mark.slow
@on_terminal
def test_a_signal_to_end_leaves_the_terminal_as_it_was(saved: Path) -> None:
    import termios

    with Screen(str(saved)) as screen:
        before = termios.tcgetattr(screen.terminal)
        screen.wait("? keys")
        assert termios.tcgetattr(screen.terminal) != before
        screen.process.terminate()
        screen.wait("\x1b[?1049l")
        assert screen.process.wait(PATIENCE) == 128 + signal.SIGTERM
        assert termios.tcgetattr(screen.terminal) == before


# ----- pages -------------------------------------------------------------------------------------


def test_a_page_has_all_values_of_the_step_and_scrolls() -> None:
    stepper = Stepper(programs.tanh())
    stepper.press("v")
    told = seen(stepper).splitlines()
    step = stepper.current
    assert told[2] == "Values"
    for shown in step.shown:
        assert any(f"{shown.name}: " in line for line in told)
        for row in shown.value["data"]:
            assert any(f"{row[0]:.4g}".replace("-", "−") in line for line in told)
    assert told[-1] == "↑ ↓ scroll   ← → step   Esc leaves"
    short = seen(stepper, rows=6).splitlines()
    stepper.press("down")
    assert seen(stepper, rows=6).splitlines()[3] == short[4]
    stepper.press("right")  # the values of the next step, from their beginning
    assert stepper.step == 1
    assert (stepper.page, stepper.line) == ("values", 0)
    stepper.press("escape")
    assert stepper.page == ""
    assert not stepper.over


def test_rounds_are_listed_and_chosen() -> None:
    trace = trainings.simple()
    stepper = Stepper(trace)
    stepper.press("r")
    told = seen(stepper)
    assert "Rounds" in told
    for turn in trace.rounds:
        assert f"round {turn.index + 1} of {len(trace.rounds)}" in told
    assert "▶ round 1 of" in told
    stepper.press("down")
    assert "▶ round 2 of" in seen(stepper)
    stepper.press("enter")
    assert (stepper.page, stepper.chapter.round) == ("", 1)
    stepper.press("r")
    assert "▶ round 2 of" in seen(stepper)
    for _ in range(len(trace.rounds)):
        stepper.press("up")
    stepper.press("r")
    assert (stepper.page, stepper.chapter.round) == ("", 1)


# ----- problems ----------------------------------------------------------------------------------


def test_problems_are_listed_with_reasons_and_advice_and_lead_to_their_steps() -> None:
    trace = faults.ON_PAGE["carried_over"](False)
    (problem,) = trace.problems()
    stepper = Stepper(trace)
    assert "problems: 1 (p)" in seen(stepper).splitlines()[0]
    stepper.press("p")
    told = seen(stepper, 200)
    assert f"▶ round 2 of 3 (turn 1)   step {problem.step + 1} of {len(trace)}" in told
    assert f"! {problem.text.en}" in told
    assert f"→ {problem.todo.en}" in told
    assert told.splitlines()[-1] == "↑ ↓ choose   Enter goes there   Esc leaves"
    stepper.press("enter")
    assert (stepper.page, stepper.step) == ("", problem.step)
    told = seen(stepper, 200)
    assert f"▶!{problem.step + 1:>4}  {stepper.current.text.en}" in told
    assert f"! {problem.text.en}" in told
    assert f"→ {problem.todo.en}" in told
    stepper.press("l")
    assert "问题：1 个（p）" in seen(stepper)
    stepper.press("p")
    assert f"→ {problem.todo.zh}" in seen(stepper, 200)


def test_each_of_several_problems_can_be_chosen() -> None:
    trace = several()
    stepper = Stepper(trace)
    count = len(trace.problems())
    assert count > 1
    for rows in (40, 8):
        for at, problem in enumerate(trace.problems()):
            stepper.press("p")
            for _ in range(count):
                stepper.press("up")
            for _ in range(at):
                stepper.press("down")
            told = seen(stepper, 400, rows)
            assert f"! {problem.text.en}" in told
            assert told.count("▶") == 1
            stepper.press("enter")
            assert stepper.step == problem.step
            stepper.press("p")
            assert trace.problems()[stepper.line].step == problem.step
            stepper.press("p")
            assert stepper.page == ""


def several() -> viz.Trace:
    """An infinity, then a NaN."""
    x = paddle.to_tensor([0.0, 1.0])
    with viz.record() as trace:
        y = paddle.log(x)
        y - y
    return trace


def test_the_page_says_that_there_is_no_problem(stepper: Stepper) -> None:
    assert "problems" not in seen(stepper)
    for key in ("p", "down", "enter"):
        stepper.press(key)
    assert "No problem was found." in seen(stepper)
    stepper.press("p")
    assert stepper.page == ""
