"""A recorded `model.fit` reads like the same loop written by hand."""

import re
from typing import Any

import numpy as np

import minipaddle as paddle
import viz
from minipaddle import nn
from minipaddle.events import LoopTurn


def rows(count: int) -> Any:
    x = (np.arange(count * 3) % 7 / 4.0).reshape(count, 3).astype("float32")
    return paddle.io.TensorDataset([x, np.arange(count).reshape(count, 1) % 2])


class Net(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x: Any) -> Any:
        return paddle.tanh(self.fc(x))


def by_hand(net: Any, steps: Any, loss_of: Any, metric: Any) -> None:
    for epoch in range(2):  # noqa: B007  (it names the rounds)
        net.train()
        for step, (x, y) in enumerate(paddle.io.DataLoader(rows(10), batch_size=4)):  # noqa: B007
            out = net(x)
            loss = loss_of(out, y)
            loss.backward()
            steps.step()
            steps.clear_grad()
            metric.update(metric.compute(out, y))
        net.eval()
        with paddle.no_grad():
            for x, y in paddle.io.DataLoader(rows(4), batch_size=2):
                out = net(x)
                loss_of(out, y)
                metric.update(metric.compute(out, y))


def by_model(net: Any, steps: Any, loss_of: Any, metric: Any, **options: Any) -> None:
    model = paddle.Model(net)
    model.prepare(steps, loss_of, metric)
    model.fit(rows(10), rows(4), [4, 2], epochs=2, verbose=0, shuffle=False, **options)


def recorded(train: Any, **options: Any) -> viz.Trace:
    paddle.seed(1)
    with paddle.utils.unique_name.guard():
        net = Net()
        steps = paddle.optimizer.SGD(0.1, parameters=net.parameters())
        with viz.record() as trace:
            train(net, steps, nn.CrossEntropyLoss(), paddle.metric.Accuracy(), **options)
    return trace


def what_is_told(trace: viz.Trace) -> list[Any]:
    return [(r.kind, r.names, r.loss, r.first, r.last, r.accuracy) for r in trace.rounds]


def test_a_fit_has_the_rounds_of_the_loop_by_hand() -> None:
    hand, fit = recorded(by_hand), recorded(by_model)
    assert what_is_told(fit) == what_is_told(hand)
    assert [r.kind for r in fit.rounds] == ["training"] * 3 + ["evaluation"] + ["training"] * 3 + [
        "evaluation"
    ]
    kinds = [[step.kind for step in trace.steps] for trace in (hand, fit)]
    assert kinds[0] == kinds[1]


def test_every_line_is_the_users() -> None:
    lines = re.findall(r"^ +(\S+\.py):\d+  (.*)$", recorded(by_model).text(), re.MULTILINE)
    assert {file.rpartition("/")[2] for file, _ in lines} == {"test_model_rounds.py"}
    starts = {code.partition("(")[0] for _, code in lines}
    assert starts == {"model.fit", "return paddle.tanh"}


def test_gradients_of_several_batches_make_one_round() -> None:
    trace = recorded(by_model, accumulate_grad_batches=2)
    assert [r.kind for r in trace.rounds].count("training") == 4  # of 3 batches: 2, then 1


def test_a_loop_around_fit_names_no_loop_inside() -> None:
    net = Net()
    model = paddle.Model(net)
    model.prepare(paddle.optimizer.SGD(0.1, parameters=net.parameters()), nn.CrossEntropyLoss())
    with viz.record() as trace:
        for epoch in range(5, 7):  # noqa: B007
            model.fit(rows(4), batch_size=2, verbose=0)
    turns = [event.name for event in trace.events if isinstance(event, LoopTurn)]
    assert [name for name in turns if name.startswith("epoch")] == [
        "epoch = 5", "epoch = 0", "epoch = 6", "epoch = 0"
    ]  # fmt: skip
    assert len(trace.rounds) == 4
