"""paddle.Model: the losses of each step, what is printed, what callbacks receive, and files."""

import contextlib
import io
import re
import tempfile
import warnings
from pathlib import Path

import numpy as np

from ..harness import case
from ..spread import spread
from ._texts import texts

ROWS = 10
MOMENTS = [
    f"{kind}_{end}"
    for kind in ("train", "eval", "predict", "train_batch", "eval_batch", "predict_batch", "epoch")
    for end in ("begin", "end")
]


def data(paddle, rows=ROWS):
    class Rows(paddle.io.Dataset):
        x = spread(ROWS, 3).astype("float32")
        y = np.array([[i % 3 % 2] for i in range(ROWS)])

        def __len__(self):
            return rows

        def __getitem__(self, index):
            return self.x[index], self.y[index]

    return Rows()


def network(paddle):
    constant = paddle.nn.initializer.Assign
    first = constant(spread(3, 4, part=2).astype("float32") / 4)
    last = constant(spread(4, 2, part=3).astype("float32") / 4)
    nn = paddle.nn
    return nn.Sequential(
        nn.Linear(3, 4, weight_attr=first), nn.Tanh(), nn.Linear(4, 2, weight_attr=last)
    )


def prepared(paddle, optimizer="Adam", rate=0.1, topk=(1,), **settings):
    net = network(paddle)
    model = paddle.Model(net, **settings)
    steps = getattr(paddle.optimizer, optimizer)(rate, parameters=net.parameters())
    metrics = paddle.metric.Accuracy(topk=topk)
    model.prepare(steps, paddle.nn.CrossEntropyLoss(), metrics)
    return model


def listener(paddle, calls, kind="Callback"):
    """Return a callback that notes every moment with its number and its logs."""

    def noting(name):
        def note(self, *arguments):
            logs = {} if arguments[-1] is None else dict(arguments[-1])
            calls.append((name, [name, *arguments[:-1]], logs))

        return note

    methods = {f"on_{name}": noting(name) for name in MOMENTS}
    return type("Listener", (getattr(paddle.callbacks, kind),), methods)()


def losses(calls, moment="train_batch_end"):
    return np.float32([logs["loss"][0] for name, _, logs in calls if name == moment])


def text(logs):
    """Return logs in one line, with four digits."""
    return " ".join(f"{key}={rounded(logs[key])}" for key in sorted(logs))


def rounded(value):
    if isinstance(value, list):
        return [rounded(one) for one in value]
    return f"{value:.4f}" if isinstance(value, float) else value


def printed(call):
    """Return what a call prints, with T for each duration."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        call()
    lines = re.sub(r"\d+(us|ms|s)/step", "T", output.getvalue())
    return re.sub(r" *\n|ETA: \S+|[\b\r ]{9,}", lambda m: "\n" * ("\n" in m[0]), lines)


@case(ulps=64)
def losses_of_each_step(paddle, show):
    for optimizer in ("SGD", "Momentum", "Adam"):
        for shuffle in (False, True):
            calls = []
            model = prepared(paddle, optimizer)
            model.fit(
                data(paddle), data(paddle, 4), batch_size=[4, 3], epochs=3, verbose=0,
                shuffle=shuffle, callbacks=listener(paddle, calls),
            )  # fmt: skip
            show(f"{optimizer} {shuffle}", losses(calls))
            show(f"{optimizer} {shuffle} evaluations", losses(calls, "eval_batch_end"))
            show(f"{optimizer} {shuffle} weights", model.parameters()[0])


@case(ulps=64)
def gradients_of_several_batches(paddle, show):
    for accumulate in (2, 3, 9):
        calls = []
        model = prepared(paddle, "SGD")
        model.fit(
            data(paddle), batch_size=2, epochs=2, verbose=0, shuffle=False,
            callbacks=[listener(paddle, calls)], accumulate_grad_batches=accumulate,
        )  # fmt: skip
        show(f"{accumulate}", losses(calls))


@case
def moments_and_logs(paddle, show):
    calls = []
    prepared(paddle, topk=(1, 2)).fit(
        data(paddle), data(paddle, 3), batch_size=4, epochs=2, verbose=0, shuffle=False,
        drop_last=True, eval_freq=2, callbacks=listener(paddle, calls),
    )  # fmt: skip
    show("moments", " ".join(name for name, *_ in calls))
    # In Paddle logs keep the numbers of earlier calls, and of other Models.
    mine = {"loss", "acc_top1", "acc_top2", "step", "steps", "batch_size", "metrics"}
    for number, (name, begin, logs) in enumerate(calls):
        if not name.endswith("batch_begin"):
            kept = text({key: logs[key] for key in mine & logs.keys()})
            show(f"{number}", f"{begin} {kept}")


@case
def what_is_printed(paddle, show):
    for verbose in (1, 2):
        model = prepared(paddle, topk=(1, 2))
        calls = {
            "fit": lambda model=model, verbose=verbose: model.fit(
                data(paddle), data(paddle, 4), [4, 2], 2, log_freq=2, verbose=verbose, shuffle=False
            ),
            "evaluate": lambda model=model, verbose=verbose: model.evaluate(
                data(paddle), 3, log_freq=1, verbose=verbose
            ),
            "predict": lambda model=model, verbose=verbose: model.predict(
                data(paddle), 3, verbose=verbose
            ),
        }
        for name, call in calls.items():
            show(f"{name} {verbose}", printed(call))


@case(ulps=64)
def evaluation_and_prediction(paddle, show):
    bare = paddle.Model(network(paddle))
    bare.prepare(metrics=paddle.metric.Accuracy())
    show("no loss", text(bare.evaluate(data(paddle), 5, verbose=0)))


@case(ulps=64)
def the_end_of_training(paddle, show):
    for iters in (2, 4):
        calls = []
        model = prepared(paddle)
        model.fit(
            data(paddle), data(paddle, 4), batch_size=4, verbose=0, num_iters=iters, shuffle=False,
            callbacks=listener(paddle, calls),
        )  # fmt: skip
        show(f"{iters}", [" ".join(name for name, *_ in calls), losses(calls), model.stop_training])
        model.fit(
            data(paddle), batch_size=5, epochs=4, verbose=0, callbacks=listener(paddle, calls)
        )
        show(f"{iters} again", len(calls))


class Numbers:
    """Model of a callback, with the numbers of evaluations given."""

    stop_training = False

    def __init__(self, optimizer=None):
        self._optimizer, self.saved = optimizer, []

    def save(self, path):
        self.saved.append(Path(path).name)


SEQUENCES = {
    "waits": [3.0, 2.0, 2.0, 2.5, 1.0, 1.0, 1.0, 1.0],
    "rises": [1.0, 2.0, 2.05, 2.5, 3.0],
}


@case
def stopping_early(paddle, show):
    settings = (
        {}, {"patience": 2}, {"patience": 1, "min_delta": 0.1}, {"patience": 2, "mode": "max"},
        {"patience": 1, "baseline": 2.0}, {"monitor": "acc", "patience": 1},
        {"patience": 1, "save_best_model": False, "verbose": 0},
    )  # fmt: skip
    for options in settings:
        for name, values in SEQUENCES.items():
            stop, model = paddle.callbacks.EarlyStopping(**options), Numbers()
            stop.set_model(model)
            stop.save_dir = "somewhere"
            stop.on_train_begin()
            states, output = [], io.StringIO()
            with contextlib.redirect_stdout(output):
                for value in values:
                    stop.on_eval_end({options.get("monitor", "loss"): [value]})
                    states.append(f"{model.stop_training:d}/{stop.wait_epoch}/{stop.best_value}")
            lines = [line.partition(" at ")[0] for line in output.getvalue().splitlines()]
            show(f"{options} {name}", " ".join([*states, *model.saved, *lines[:2]]))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        paddle.callbacks.EarlyStopping(mode="least")
        stop.on_eval_end({"other": 1.0})
    show("warnings", [str(each.message) for each in caught])


@case
def reducing_the_rate(paddle, show):
    settings = (
        {"patience": 1}, {"patience": 2, "factor": 0.5}, {"patience": 1, "cooldown": 2},
        {"patience": 1, "min_lr": 0.03, "factor": 0.5}, {"patience": 1, "mode": "max"},
        {"patience": 1, "min_delta": 1.0, "verbose": 0},
    )  # fmt: skip
    for options in settings:
        for name, values in SEQUENCES.items():
            reduce = paddle.callbacks.ReduceLROnPlateau(**options)
            optimizer = paddle.optimizer.SGD(0.25, parameters=network(paddle).parameters())
            reduce.set_model(Numbers(optimizer))
            reduce.on_train_begin()
            rates, output = [], io.StringIO()
            with contextlib.redirect_stdout(output):
                for value in values:
                    reduce.on_eval_end({"loss": [value]})
                    rate = f"{optimizer.get_lr():.9g}"
                    rates.append(f"{rate}/{reduce.wait}/{reduce.cooldown_counter}")
            show(f"{options} {name}", " ".join([*rates, output.getvalue()[:80]]))
    show.raises("factor", lambda: paddle.callbacks.ReduceLROnPlateau(factor=1.0))


@case(ulps=64)
def schedulers(paddle, show):
    for options in (None, {}, {"by_step": False, "by_epoch": True}, {"by_step": False}):
        rate = paddle.optimizer.lr.ExponentialDecay(0.1, 0.5)
        model, calls = prepared(paddle, "SGD", rate), []
        own = [] if options is None else [paddle.callbacks.LRScheduler(**options)]
        model.fit(
            data(paddle), batch_size=4, epochs=2, verbose=0, shuffle=False,
            callbacks=[*own, listener(paddle, calls)],
        )  # fmt: skip
        show(f"{options}", [losses(calls), rate()])
    show.raises("both", lambda: paddle.callbacks.LRScheduler(by_step=True, by_epoch=True))


@case(ulps=64)
def files(paddle, show):
    with tempfile.TemporaryDirectory() as folder:
        model = prepared(paddle)
        shown = printed(
            lambda: model.fit(
                data(paddle), data(paddle, 4), 5, 3, save_dir=folder, save_freq=2, verbose=0,
                shuffle=False, callbacks=paddle.callbacks.EarlyStopping(patience=9),
            )
        )  # fmt: skip
        show("printed", re.sub(r"at .*/", "at ", shown))
        show("written", sorted(path.name for path in Path(folder).iterdir()))
        other = prepared(paddle)
        for name in ("final", "final.pdparams", "0", "best_model.pdopt"):
            other.load(f"{folder}/{name}")
            show(name, other.predict_batch([spread(2, 3).astype("float32")])[0])
        net = paddle.nn.Sequential(paddle.nn.Linear(3, 5), paddle.nn.Tanh(), paddle.nn.Linear(5, 2))
        small = paddle.Model(net)
        small.prepare(paddle.optimizer.SGD(0.1, parameters=net.parameters()))
        show.raises("other shapes", lambda: small.load(f"{folder}/final"))
        show.raises("no file", lambda: small.load(f"{folder}/nothing"))


@case
def inputs_of_the_network(paddle, show):
    class Two(paddle.nn.Layer):
        def forward(self, a, b):
            return a + b

    class Twice(paddle.nn.Layer):
        def forward(self, a, b=None):
            return a if b is None else a * 100

    def spec(name):
        return paddle.static.InputSpec([None, 1], "float32", name)

    class Rows(paddle.io.Dataset):
        def __len__(self):
            return 2

        def __getitem__(self, index):
            return np.float32([index]), {"b": np.float32([7]), "a": np.float32([5])}

    for net, inputs in (
        (Two(), None),
        (Twice(), None),
        (Twice(), [spec("a")]),
        (Twice(), spec("a")),
    ):
        model = paddle.Model(net, inputs)
        model.prepare(loss=lambda y, *labels: sum(labels, y).sum())
        result = model.evaluate(Rows(), 2, verbose=0)
        show(f"{len(show.answers)}", text(result))
        show(f"{len(show.answers)} predicts", model.predict(Rows(), 2, verbose=0)[0][0])


TABLE = texts("high_level", globals())
