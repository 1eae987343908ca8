"""Files are written whole or not at all, keep permissions, and are written through links."""

import os
import resource
import signal
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import minipaddle as paddle
import viz
from minipaddle.engine import files, naming
from tests.each import each
from tests.static.world import fresh

from ..contract.refusal import refuses


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def saved_values(path: Path) -> None:
    paddle.save({"w": paddle.ones([2])}, path)


def saved_trace(path: Path) -> None:
    with viz.record() as trace:
        paddle.tanh(paddle.ones([2]))
    trace.save(path)


def saved_program(path: Path) -> None:
    """The file of parameters; the optimizer's is beside it."""
    with fresh():
        w = paddle.static.create_parameter([2], "float32")
        paddle.static.Executor().run(paddle.static.default_startup_program())
        paddle.static.save(w.block.program, str(path).removesuffix(".pdparams"))


def saved_graph(path: Path) -> None:
    """What backward writes where it is asked to draw its graph; the name is its own."""
    naming.reset()  # restarts the numbers of names
    x = paddle.ones([2])
    x.stop_gradient = False
    (x * x).sum().backward(dump_backward_graph_path=str(path.parent))


WRITERS: list[tuple[str, Callable[[Path], None]]] = [
    ("net.pdparams", saved_values),
    ("trace.json", saved_trace),
    ("trace.svg", saved_trace),
    ("program.pdparams", saved_program),
    ("backward_graph_0.dot", saved_graph),
]
each_writer = pytest.mark.parametrize(("name", "save"), WRITERS, ids=[w[0] for w in WRITERS])


@pytest.fixture
def umask() -> None:
    before = os.umask(0o027)
    yield
    os.umask(before)


@each_writer
def test_a_new_file_has_the_permissions_that_the_umask_leaves(name, save, tmp_path, umask) -> None:
    save(tmp_path / name)
    assert (tmp_path / name).stat().st_mode & 0o777 == 0o640


@each_writer
def test_a_file_keeps_its_permissions(name, save, tmp_path) -> None:
    path = tmp_path / name
    for mode in (0o600, 0o664, 0o606):
        path.write_text("old")
        path.chmod(mode)
        save(path)
        assert path.stat().st_mode & 0o777 == mode
        assert path.read_bytes() != b"old"


@each_writer
def test_links_stay_and_their_targets_are_written(name, save, tmp_path) -> None:
    (tmp_path / "far").mkdir()
    real, between, link = tmp_path / "far" / "real", tmp_path / "between", tmp_path / name
    between.symlink_to(Path("far") / "real")
    link.symlink_to("between")
    for before in (None, "old"):  # a link to nothing yet, and to a file
        if before:
            real.write_text(before)
        save(link)
        assert (link.is_symlink(), between.is_symlink(), real.is_symlink()) == (True, True, False)
        assert real.read_bytes() not in (b"", b"old")
    assert names(tmp_path / "far") == ["real"]


@each_writer
def test_a_failure_while_it_writes_leaves_the_old_file(name, save, tmp_path, monkeypatch) -> None:
    (tmp_path / name).write_bytes(b"old")

    def full(*_) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="no space left"):
        save(tmp_path / name)
    assert (tmp_path / name).read_bytes() == b"old"
    assert names(tmp_path) == [name]


def test_ctrl_c_while_it_writes_leaves_the_old_files(tmp_path, monkeypatch) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    first.write_bytes(b"old")

    def stop(*_) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", stop)
    with pytest.raises(KeyboardInterrupt):
        files.write({str(first): b"new", str(second): b"new"})
    assert first.read_bytes() == b"old"
    assert names(tmp_path) == ["a"]


# ----- names, and what cannot be written ---------------------------------------------------------


@pytest.mark.parametrize(("ending", "save"), [(".pdparams", saved_values), (".svg", saved_trace)])
def test_a_file_may_have_the_longest_possible_name(ending, save, tmp_path) -> None:
    path = tmp_path / ("n" * (255 - len(ending)) + ending)
    save(path)
    save(path)
    assert names(tmp_path) == [path.name]
    with pytest.raises(OSError, match="name too long") as caught:
        save(tmp_path / ("n" + path.name))
    assert caught.value.filename == str(tmp_path / ("n" + path.name))


@each(("ending", "save"), [(".pdparams", saved_values), (".svg", saved_trace)])
@each("name", ["half \ud800", "nothing \0"])
def test_impossible_file_names_are_errors(ending, save, name, tmp_path) -> None:
    with refuses(ValueError, "no file can have this name", ascii(name)[1:-1], "leave out"):
        save(tmp_path / (name + ending))
    assert names(tmp_path) == []


def test_a_folder_and_a_cycle_of_links_raise_the_systems_errors(tmp_path) -> None:
    with pytest.raises(IsADirectoryError) as caught:
        saved_values(tmp_path)
    assert caught.value.filename == str(tmp_path)
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(OSError, match="symbolic links"):
        saved_values(tmp_path / "a")


def test_a_device_and_a_pipe_are_written_to_and_stay(tmp_path) -> None:
    saved_values(Path(os.devnull))
    assert not Path(os.devnull).is_file()
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    saved_values(pipe)
    reader.join()
    assert pipe.is_fifo()
    (tmp_path / "copy").write_bytes(got[0])
    assert paddle.load(tmp_path / "copy")["w"].tolist() == [1.0, 1.0]


def test_a_full_disk_leaves_the_old_file_and_names_it(tmp_path) -> None:
    path = tmp_path / "net.pdparams"
    saved_values(path)
    before = path.read_bytes()
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(OSError, match="too large") as caught:
            paddle.save({"w": paddle.ones([1000])}, path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert caught.value.filename == str(path)
    assert path.read_bytes() == before
    assert names(tmp_path) == [path.name]


@each("bad", [object(), {"a": [open]}, {object(): 1}, [{1: paddle.float32}], {"x": "ring"}])
def test_an_object_that_cannot_be_saved_leaves_the_old_file(bad, tmp_path) -> None:
    if bad == {"x": "ring"}:
        bad["x"] = bad
    path = tmp_path / "net.pdparams"
    saved_values(path)
    before = path.read_bytes()
    with refuses(ValueError, "paddle.save cannot write", "to do"):
        paddle.save(bad, path)
    assert path.read_bytes() == before
    assert names(tmp_path) == [path.name]
