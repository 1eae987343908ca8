"""Callbacks: what happens around the epochs and batches of `paddle.Model`."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import utils
from .engine.errors import InvalidArgument
from .engine.source_line import stacklevel
from .errors import misfit
from .hapi import errors
from .hapi.progressbar import ProgressBar
from .messages import Message
from .ops.boundary import publish as _publish
from .optimizer import lr
from .paddle_names import absent

__all__ = [
    "Callback", "EarlyStopping", "LRScheduler", "ModelCheckpoint", "ProgBarLogger",
    "ReduceLROnPlateau", "VisualDL",
]  # fmt: skip

__getattr__ = absent.names(__name__)

Logs = dict[str, Any] | None


class Callback:
    """Base of callbacks: override the methods whose moment you need.

    `self.model` is the Model; `self.params` holds epochs, steps, verbose and the metrics' names.
    The `logs` of a batch or an epoch hold the loss, the metrics, step and batch_size.
    Source: Paddle's `paddle.callbacks.Callback`.

    Errors: none.

    >>> import minipaddle as paddle
    >>> class Losses(paddle.callbacks.Callback):
    ...     def on_train_batch_end(self, step, logs=None):
    ...         print(step, f"{logs['loss'][0]:.2f}")
    >>> net = paddle.nn.Linear(1, 1, weight_attr=paddle.nn.initializer.Constant(0.5))
    >>> model = paddle.Model(net)
    >>> model.prepare(paddle.optimizer.SGD(0.1, parameters=net.parameters()), paddle.nn.MSELoss())
    >>> rows = paddle.io.TensorDataset([paddle.ones([4, 1]), paddle.ones([4, 1])])
    >>> model.fit(rows, batch_size=2, verbose=0, callbacks=Losses())
    0 0.25
    1 0.09
    """

    def __init__(self) -> None:
        self.model: Any = None
        self.params: dict[str, Any] = {}

    def set_params(self, params: dict[str, Any]) -> None:
        """Receive the settings of the call."""
        self.params = params

    def set_model(self, model: Any) -> None:
        """Receive the Model."""
        self.model = model

    def on_train_begin(self, logs: Logs = None) -> None:
        """Run before training."""

    def on_train_end(self, logs: Logs = None) -> None:
        """Run after training."""

    def on_eval_begin(self, logs: Logs = None) -> None:
        """Run before an evaluation; logs hold its steps and the metrics' names."""

    def on_eval_end(self, logs: Logs = None) -> None:
        """Run after an evaluation."""

    def on_predict_begin(self, logs: Logs = None) -> None:
        """Run before a prediction; logs hold its steps."""

    def on_predict_end(self, logs: Logs = None) -> None:
        """Run after a prediction."""

    def on_epoch_begin(self, epoch: int, logs: Logs = None) -> None:
        """Run before an epoch, which counts from 0."""

    def on_epoch_end(self, epoch: int, logs: Logs = None) -> None:
        """Run after the training of an epoch, before its evaluation."""

    def on_train_batch_begin(self, step: int, logs: Logs = None) -> None:
        """Run before a batch of training."""

    def on_train_batch_end(self, step: int, logs: Logs = None) -> None:
        """Run after a batch of training."""

    def on_eval_batch_begin(self, step: int, logs: Logs = None) -> None:
        """Run before a batch of an evaluation."""

    def on_eval_batch_end(self, step: int, logs: Logs = None) -> None:
        """Run after a batch of an evaluation."""

    def on_predict_batch_begin(self, step: int, logs: Logs = None) -> None:
        """Run before a batch of a prediction."""

    def on_predict_batch_end(self, step: int, logs: Logs = None) -> None:
        """Run after a batch of a prediction."""


class CallbackList:
    """The callbacks of one call: those of the user, and those that a Model always has."""

    def __init__(
        self,
        callbacks: Callback | Sequence[Callback] | None,
        model: Any,
        log_freq: int,
        verbose: int,
        metrics: Sequence[str],
        save_freq: int = 1,
        save_dir: str | None = None,
        **counts: int | None,
    ) -> None:
        given = callbacks if isinstance(callbacks, (list, tuple)) else [callbacks]
        self.callbacks: list[Any] = [one for one in given if one is not None]
        for one in self.callbacks:
            if not hasattr(one, "on_train_begin") or isinstance(one, type):
                raise errors.no_callback(one)
        if verbose and not self.has(ProgBarLogger):
            self.callbacks.insert(0, ProgBarLogger(log_freq, verbose))
        if not self.has(ModelCheckpoint):
            self.callbacks.append(ModelCheckpoint(save_freq, save_dir))
        if not self.has(LRScheduler):
            self.callbacks.append(LRScheduler())
        unknown = dict.fromkeys(("batch_size", "epochs", "steps"))
        for one in self.callbacks:
            if isinstance(one, EarlyStopping):
                one.save_dir = save_dir
            one.set_model(model)
            one.set_params({**unknown, **counts, "verbose": verbose, "metrics": list(metrics)})

    def has(self, kind: type[Callback]) -> bool:
        return any(isinstance(one, kind) for one in self.callbacks)

    def call(self, moment: str, *args: Any) -> None:
        """Call a method of every callback: `train_begin`, `epoch_end`, `eval_batch_end`."""
        for one in self.callbacks:
            getattr(one, f"on_{moment}")(*args)


# ----- what is printed and written ---------------------------------------------------------------


class _Pass:
    """One pass over the data: its steps, samples and times, and the line that shows them."""

    def __init__(self, verbose: int, metrics: Sequence[str], steps: int | None) -> None:
        self.verbose, self.metrics, self.steps = verbose, metrics, steps
        self.done = self.samples = 0
        self.bar = ProgressBar(steps, verbose=verbose)
        self.now = time.time()
        self.reading = self.running = 0.0  # seconds since the last line
        self.told = 0, 0  # steps and samples of the last line

    def lap(self) -> float:
        """Return the seconds since the last call."""
        before, self.now = self.now, time.time()
        return self.now - before

    def begin_batch(self) -> None:
        self.reading += self.lap()

    def end_batch(self, logs: Logs, log_freq: int) -> None:
        self.running += self.lap()
        self.done += 1
        self.samples += (logs or {}).get("batch_size", 1)
        if self.done % log_freq == 0 and (self.steps is None or self.done < self.steps):
            self.show(logs)
        self.now = time.time()

    def show(self, logs: Logs) -> None:
        values = [(name, logs[name]) for name in self.metrics if logs and name in logs]
        if self.verbose == 3:
            count, seconds = max(self.done - self.told[0], 1), self.reading + self.running
            speed = max(self.samples - self.told[1], 1) / max(seconds, 1e-9)
            values.append(("avg_reader_cost", f"{self.reading / count:.5f} sec"))
            values.append(("avg_batch_cost", f"{self.running / count:.5f} sec"))
            values.append(("ips", f"{speed:.5f} samples/sec"))
            self.reading = self.running = 0.0
            self.told = self.done, self.samples
        if self.verbose:
            self.bar.update(self.done, values)


class ProgBarLogger(Callback):
    """Printer of the loss and the metrics, every log_freq steps.

    `verbose`: 0 prints nothing, 1 a progress bar, 2 a line each time, 3 a line with times.
    Source: Paddle's `paddle.callbacks.ProgBarLogger`.

    Errors: none.

    >>> import minipaddle as paddle
    >>> model = paddle.Model(paddle.nn.Linear(1, 1))
    >>> model.prepare(loss=paddle.nn.MSELoss())
    >>> rows = paddle.io.TensorDataset([paddle.zeros([4, 1]), paddle.ones([4, 1])])
    >>> log = paddle.callbacks.ProgBarLogger(log_freq=1)
    >>> _ = model.evaluate(rows, batch_size=2, callbacks=log)
    Eval begin...
    step 1/2 - loss: 1.0000 - ...s/step
    step 2/2 - loss: 1.0000 - ...s/step
    Eval samples: 4
    """

    def __init__(self, log_freq: int = 1, verbose: int = 2) -> None:
        super().__init__()
        self.log_freq, self.verbose = log_freq, verbose

    def _print(self, text: str) -> None:
        if self.verbose:
            print(text)

    def on_train_begin(self, logs: Logs = None) -> None:  # noqa: ARG002
        self._print(
            "The loss value printed in the log is the current step, and the metric is the average "
            "value of previous steps."
        )

    def on_epoch_begin(self, epoch: int, logs: Logs = None) -> None:  # noqa: ARG002
        self._print(f"Epoch {epoch + 1}/{self.params['epochs']}")
        self.train = _Pass(self.verbose, self.params["metrics"], self.params["steps"])

    def on_epoch_end(self, epoch: int, logs: Logs = None) -> None:  # noqa: ARG002
        if self.train.steps is not None:
            self.train.show(logs)

    def on_eval_begin(self, logs: Logs = None) -> None:
        self._begin("Eval", logs or {})

    def on_predict_begin(self, logs: Logs = None) -> None:
        self._begin("Predict", logs or {})

    def _begin(self, name: str, logs: dict[str, Any]) -> None:
        self._print(f"{name} begin...")
        self.other = _Pass(self.verbose, logs.get("metrics", []), logs.get("steps"))

    def on_train_batch_begin(self, step: int, logs: Logs = None) -> None:  # noqa: ARG002
        self.train.begin_batch()

    def on_train_batch_end(self, step: int, logs: Logs = None) -> None:  # noqa: ARG002
        self.train.end_batch(logs, self.log_freq)

    def on_eval_batch_begin(self, step: int, logs: Logs = None) -> None:  # noqa: ARG002
        self.other.begin_batch()

    def on_eval_batch_end(self, step: int, logs: Logs = None) -> None:  # noqa: ARG002
        self.other.end_batch(logs, self.log_freq)

    on_predict_batch_begin, on_predict_batch_end = on_eval_batch_begin, on_eval_batch_end

    def on_eval_end(self, logs: Logs = None) -> None:
        if self.other.steps is not None:
            self.other.show(logs)
            self._print(f"Eval samples: {self.other.samples}")

    def on_predict_end(self, logs: Logs = None) -> None:
        if self.other.done % self.log_freq or self.verbose == 1:
            self.other.show(logs)
        self._print(f"Predict samples: {self.other.samples}")


class ModelCheckpoint(Callback):
    """Writer of the Model to `save_dir/<epoch>` every save_freq epochs, and to `save_dir/final`.

    Source: Paddle's `paddle.callbacks.ModelCheckpoint`.

    Errors: none.

    >>> import minipaddle as paddle
    >>> paddle.callbacks.ModelCheckpoint(save_freq=5, save_dir="checkpoints").save_freq
    5
    """

    def __init__(self, save_freq: int = 1, save_dir: str | None = None) -> None:
        super().__init__()
        self.save_freq, self.save_dir = save_freq, save_dir

    def on_epoch_end(self, epoch: int, logs: Logs = None) -> None:  # noqa: ARG002
        if epoch % self.save_freq == 0:
            self._save(str(epoch))

    def on_train_end(self, logs: Logs = None) -> None:  # noqa: ARG002
        self._save("final")

    def _save(self, name: str) -> None:
        if self.save_dir:
            path = f"{self.save_dir}/{name}"
            print(f"save checkpoint at {Path(path).absolute()}")
            self.model.save(path)


class VisualDL(Callback):
    """Writer of the loss and the metrics to a folder that VisualDL shows.

    Source: Paddle's `paddle.callbacks.VisualDL`.

    Errors: ImportError at the first number if the package `visualdl` is not installed.

    >>> import minipaddle as paddle
    >>> paddle.callbacks.VisualDL(log_dir="logs").log_dir
    'logs'
    """

    def __init__(self, log_dir: str) -> None:
        super().__init__()
        self.log_dir = log_dir
        self.writer: Any = None
        self.is_fit, self.epoch, self.train_step = False, 0, 0

    def on_train_begin(self, logs: Logs = None) -> None:  # noqa: ARG002
        self.is_fit, self.train_step = True, 0

    def on_epoch_begin(self, epoch: int, logs: Logs = None) -> None:  # noqa: ARG002
        self.epoch = epoch

    def on_train_batch_end(self, step: int, logs: Logs = None) -> None:  # noqa: ARG002
        self.train_step += 1
        self._write("train", self.train_step, logs)

    def on_eval_end(self, logs: Logs = None) -> None:
        self._write("eval", self.epoch, logs)
        if not self.is_fit:
            self._close()

    def on_train_end(self, logs: Logs = None) -> None:  # noqa: ARG002
        self._close()

    def _write(self, mode: str, step: int, logs: Logs) -> None:
        if self.writer is None:
            self.writer = utils.try_import("visualdl").LogWriter(self.log_dir)
        for name in self.params["metrics"]:
            value = _number(name, logs)
            if value is not None:
                self.writer.add_scalar(tag=f"{mode}/{name}", step=step, value=value)

    def _close(self) -> None:
        if self.writer is not None:
            self.writer.close()
        self.writer = None


# ----- what changes the training -----------------------------------------------------------------


class LRScheduler(Callback):
    """Stepper of the optimizer's scheduler: after each batch, or with by_epoch after each epoch.

    Every Model has one that steps after each batch, unless you give one.
    Source: Paddle's `paddle.callbacks.LRScheduler`.

    Errors: ValueError for both by_step and by_epoch.

    >>> import minipaddle as paddle
    >>> paddle.callbacks.LRScheduler(by_step=False, by_epoch=True).by_epoch
    True
    """

    def __init__(self, by_step: bool = True, by_epoch: bool = False) -> None:
        super().__init__()
        if by_step and by_epoch:
            fix = "LRScheduler(by_step=False, by_epoch=True)"
            raise misfit(
                "", Message("one of them"), InvalidArgument, fix, by_step=True, by_epoch=True
            )
        self.by_step, self.by_epoch = by_step, by_epoch

    def on_epoch_end(self, epoch: int, logs: Logs = None) -> None:  # noqa: ARG002
        self._step(self.by_epoch)

    def on_train_batch_end(self, step: int, logs: Logs = None) -> None:  # noqa: ARG002
        self._step(self.by_step)

    def _step(self, now: bool) -> None:
        rate = getattr(self.model._optimizer, "_learning_rate", None)
        if now and isinstance(rate, lr.LRScheduler):
            rate.step()


class _Watching(Callback):
    """Base of callbacks that act if a number of the evaluations no longer improves."""

    def __init__(self, monitor: str, mode: str, min_delta: float) -> None:
        super().__init__()
        if mode not in ("auto", "min", "max"):
            text = f"{type(self).__name__} mode {mode} is unknown, fallback to auto mode."
            warnings.warn(text, stacklevel=stacklevel())
            mode = "auto"
        self.monitor, self.mode, self.min_delta = monitor, mode, abs(min_delta)
        self.sign = -1 if mode == "max" or (mode == "auto" and "acc" in monitor) else 1
        self.best_value = self.sign * math.inf

    def improves(self, value: float) -> bool:
        """Return whether a value is better than the best one by more than min_delta."""
        return self.sign * value < self.sign * self.best_value - self.min_delta

    def monitored(self, logs: Logs) -> float | None:
        """Return the number; None, with a warning, if there is none of this name."""
        if self.monitor not in (logs or {}):
            text = f"Monitor of {type(self).__name__} should be loss or metric name."
            warnings.warn(text, stacklevel=stacklevel())
        return _number(self.monitor, logs)


class EarlyStopping(_Watching):
    """Stop of the training once `monitor` has not improved for `patience` evaluations.

    An improvement is larger than min_delta; the first one must be better than `baseline`. "auto"
    takes the largest number for names with "acc", else the smallest. `save_best_model` writes the
    best Model to `best_model` in fit's save_dir.
    Source: Paddle's `paddle.callbacks.EarlyStopping`.

    Errors: none; an unknown mode is a warning.

    >>> import minipaddle as paddle
    >>> paddle.callbacks.EarlyStopping("acc", patience=2).best_value
    -inf
    """

    def __init__(
        self,
        monitor: str = "loss",
        mode: str = "auto",
        patience: int = 0,
        verbose: int = 1,
        min_delta: float = 0,
        baseline: float | None = None,
        save_best_model: bool = True,
    ) -> None:
        super().__init__(monitor, mode, min_delta)
        self.patience, self.verbose, self.baseline = patience, verbose, baseline
        self.save_best_model = save_best_model
        self.save_dir: str | None = None  # set by fit
        self.wait_epoch = self.stopped_epoch = 0

    def on_train_begin(self, logs: Logs = None) -> None:  # noqa: ARG002
        self.wait_epoch = 0
        self.best_value = self.sign * math.inf if self.baseline is None else self.baseline

    def on_eval_end(self, logs: Logs = None) -> None:
        value = self.monitored(logs)
        if value is None:
            return
        path = self.save_best_model and self.save_dir and f"{self.save_dir}/best_model"
        self.wait_epoch += 1
        if self.improves(value):
            self.best_value, self.wait_epoch = value, 0
            if path:
                self.model.save(path)
        if self.wait_epoch >= self.patience:
            self.model.stop_training = True
            if self.verbose:
                print(f"Epoch {self.stopped_epoch + 1}: Early stopping.")
                if path:
                    print(f"Best checkpoint has been saved at {Path(path).absolute()}")
        self.stopped_epoch += 1


class ReduceLROnPlateau(_Watching):
    """Multiply the learning rate by `factor` once `monitor` has not improved for `patience`
    evaluations.

    Then it waits `cooldown` evaluations; the rate never goes below min_lr. The rate must be a
    number. Source: Paddle's `paddle.callbacks.ReduceLROnPlateau`.

    Errors: ValueError for a factor of 1 or more.

    >>> import minipaddle as paddle
    >>> paddle.callbacks.ReduceLROnPlateau(patience=3).factor
    0.1
    """

    def __init__(
        self,
        monitor: str = "loss",
        factor: float = 0.1,
        patience: int = 10,
        verbose: int = 1,
        mode: str = "auto",
        min_delta: float = 1e-4,
        cooldown: int = 0,
        min_lr: float = 0,
    ) -> None:
        super().__init__(monitor, mode, min_delta)
        if factor >= 1.0:
            raise misfit("", Message("a factor below 1"), InvalidArgument, factor=factor)
        self.factor, self.patience, self.verbose = factor, patience, verbose
        self.cooldown, self.min_lr = cooldown, min_lr
        self.cooldown_counter = self.wait = self.epoch = 0

    def on_train_begin(self, logs: Logs = None) -> None:  # noqa: ARG002
        self.cooldown_counter = self.wait = 0
        self.best_value = self.sign * math.inf

    def in_cooldown(self) -> bool:
        """Return whether the rate was reduced a short time ago."""
        return self.cooldown_counter > 0

    def on_eval_end(self, logs: Logs = None) -> None:
        value, optimizer = self.monitored(logs), self.model._optimizer
        if value is None:
            return
        rate = getattr(optimizer, "_learning_rate", None)
        if not isinstance(rate, float):
            text = f"Expected learning_rate be float, but got {type(rate)}."
            warnings.warn(text, stacklevel=stacklevel())
            return
        if self.in_cooldown():
            self.cooldown_counter -= 1
            self.wait = 0
        if self.improves(value):
            self.best_value, self.wait = value, 0
        elif not self.in_cooldown():
            self.wait += 1
            if self.wait >= self.patience and rate > self.min_lr:
                rate = max(rate * self.factor, self.min_lr)
                optimizer.set_lr(rate)
                if self.verbose:
                    done = self.epoch + 1
                    print(f"\nEpoch {done}: ReduceLROnPlateau reducing learning rate to {rate}.")
                self.cooldown_counter, self.wait = self.cooldown, 0
        self.epoch += 1


def _number(name: str, logs: Logs) -> float | None:
    """Return a number of the logs, or the first one of a list."""
    value = (logs or {}).get(name)
    value = value[0] if isinstance(value, (list, tuple)) else value
    return value if isinstance(value, (int, float)) else None


_publish(globals(), __all__)
