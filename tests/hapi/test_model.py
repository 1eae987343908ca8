"""What real Paddle's answers (`tests/oracle`) do not show of paddle.Model."""

import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle import nn
from minipaddle.engine.errors import MinipaddleError
from minipaddle.hapi import errors
from tests.each import each


def prepared(width: int = 2, **settings: Any) -> paddle.Model:
    net = nn.Sequential(nn.Linear(3, width), nn.Linear(width, 2))
    model = paddle.Model(net, **settings)
    model.prepare(paddle.optimizer.Adam(parameters=net.parameters()), nn.CrossEntropyLoss())
    return model


def rows(count: int = 4) -> paddle.io.TensorDataset:
    labels = paddle.to_tensor([[i % 2] for i in range(count)])
    return paddle.io.TensorDataset([paddle.randn([count, 3]), labels])


MISTAKES: dict[str, tuple[type[Exception], Callable[[], Any], str]] = {
    "unprepared": (AssertionError, lambda: paddle.Model(nn.Linear(3, 2)).fit(rows()), "prepare"),
    "no loss": (AssertionError, lambda: bare().train_batch(paddle.ones([1, 3])), "no loss"),
    "amp": (NotImplementedError, lambda: prepared().prepare(amp_configs="O1"), "'O1'"),
    "inference": (RuntimeError, lambda: prepared().save("a", training=False), "InputSpec"),
    "values": (AssertionError, lambda: prepared().fit([[]], verbose=0), "values=0"),
    "callback": (ValueError, lambda: prepared().fit(rows(), callbacks=[3], verbose=0), "Callback"),
    "class": (
        ValueError,
        lambda: prepared().fit(rows(), callbacks=paddle.callbacks.Callback, verbose=0),
        "Callback",
    ),
}


def bare() -> paddle.Model:
    model = prepared()
    model.prepare(paddle.optimizer.SGD(parameters=model.parameters()))
    return model


@each("name", MISTAKES)
def test_a_mistake_is_explained(name: str) -> None:
    kind, call, told = MISTAKES[name]
    with pytest.raises(kind, match=told) as caught:
        call()
    assert isinstance(caught.value, MinipaddleError)
    assert caught.value.message.zh != caught.value.message.en


def test_static_mode_and_several_processes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    paddle.enable_static()
    with pytest.raises(AssertionError, match="dynamic mode"):
        paddle.Model(nn.Linear(3, 2))
    paddle.disable_static()
    assert "ranks=2" in str(errors.many_ranks(2))


def test_a_file_of_another_network_loads_what_fits(tmp_path: Path) -> None:
    narrow, wide = prepared(2), prepared(5)
    narrow.fit(rows(), verbose=0)
    narrow.save(str(tmp_path / "narrow"))
    before = wide.parameters()[0].numpy()
    with pytest.raises(ValueError, match="does not match"):
        wide.load(str(tmp_path / "narrow"))
    with pytest.warns(UserWarning, match="Skip loading for 0.weight, 0.bias, 1.weight."):
        wide.load(str(tmp_path / "narrow"), skip_mismatch=True)
    assert (wide.parameters()[0].numpy() == before).all()
    assert (wide.parameters()[3].numpy() == narrow.parameters()[3].numpy()).all()


def test_a_file_for_inference_computes_what_the_model_predicts(tmp_path: Path) -> None:
    spec = paddle.static.InputSpec([None, 3], "float32", "x")
    x, declared, run = paddle.randn([4, 3]), prepared(inputs=spec), prepared()
    run.predict_batch(x)
    declared.save(str(tmp_path / "declared"), training=False)
    with pytest.warns(UserWarning, match=r"\(4, 3\)"):
        run.save(str(tmp_path / "run"), training=False)
    for name, model in (("declared", declared), ("run", run)):
        loaded = paddle.jit.load(str(tmp_path / name))
        assert np.allclose(loaded(x).numpy(), model.predict_batch(x)[0], atol=1e-6)
        with paddle.no_grad():
            model.parameters()[-1].fill_(9.0)
        assert not np.allclose(loaded(x).numpy(), model.predict_batch(x)[0])


def test_training_goes_on_where_a_file_ends(tmp_path: Path) -> None:
    """Weights and moments: the next losses equal those of uninterrupted training."""
    batch = np.float32([[1, 2, 3], [-1, 0, 2]]), np.array([[0], [1]])
    first, second = prepared(), prepared()
    for _ in range(3):
        first.train_batch(*batch)
    first.save(str(tmp_path / "model"))
    names = [p.name for p in first.parameters()]
    for parameter, name in zip(second.parameters(), names, strict=True):
        parameter.name = name  # states are found by their parameters' names
    second.load(str(tmp_path / "model"))
    one, two = first.train_batch(*batch), second.train_batch(*batch)
    assert one == two
    third = prepared()
    third.load(str(tmp_path / "model"), reset_optimizer=True)
    again = [first.train_batch(*batch), third.train_batch(*batch), third.train_batch(*batch)]
    assert again[0] != again[2]


def test_logs_begin_without_the_numbers_of_earlier_calls() -> None:
    begun: list[dict[str, Any]] = []

    class Listener(paddle.callbacks.Callback):
        def on_eval_batch_begin(self, step: int, logs: Any = None) -> None:
            begun.append(dict(logs))

    for _ in range(2):
        prepared().evaluate(rows(), batch_size=2, verbose=0, callbacks=Listener())
    assert [sorted(logs) for logs in begun] == [[], ["batch_size", "loss", "step"]] * 2


class Writer:
    """Stand-in of visualdl.LogWriter."""

    def __init__(self, folder: str) -> None:
        self.folder, self.rows, self.open = folder, [], True
        WRITERS.append(self)

    def add_scalar(self, tag: str, step: int, value: float) -> None:
        self.rows.append((tag, step, value))

    def close(self) -> None:
        self.open = False


WRITERS: list[Writer] = []


def test_visualdl_gets_the_loss_of_each_step(monkeypatch: pytest.MonkeyPatch) -> None:
    losses: list[float] = []

    class Listener(paddle.callbacks.Callback):
        def on_train_batch_end(self, step: int, logs: Any = None) -> None:
            losses.append(logs["loss"][0])

    model, callback = prepared(), paddle.callbacks.VisualDL("logs")
    monkeypatch.setitem(sys.modules, "visualdl", None)
    with pytest.raises(ImportError, match='pip install "visualdl"'):
        model.fit(rows(), verbose=0, callbacks=callback)
    module: Any = types.ModuleType("visualdl")
    module.LogWriter = Writer
    monkeypatch.setitem(sys.modules, "visualdl", module)
    WRITERS.clear()
    model.fit(rows(), rows(), batch_size=2, epochs=2, verbose=0, callbacks=[callback, Listener()])
    (writer,) = WRITERS
    trained = [row for row in writer.rows if row[0] == "train/loss"]
    assert trained == [("train/loss", n + 1, loss) for n, loss in enumerate(losses)]
    assert [row[1] for row in writer.rows if row[0] == "eval/loss"] == [0, 1]
    assert (writer.folder, writer.open) == ("logs", False)


def test_the_times_of_verbose_3_are_counted_for_each_line(capsys: Any) -> None:
    prepared().fit(rows(), batch_size=1, log_freq=2, verbose=3)
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("step")]
    assert len(lines) == 2
    assert all("avg_reader_cost: 0." in line and "samples/sec" in line for line in lines)
