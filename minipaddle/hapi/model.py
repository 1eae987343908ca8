"""`paddle.Model`: a network with its training loop.

The loops of `fit` count as code of the user where a recording looks for rounds; so do their
variables `epoch` and `step`, by which rounds are named.
"""

from __future__ import annotations

import inspect
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from .. import jit
from ..callbacks import CallbackList, EarlyStopping
from ..distributed import ParallelEnv
from ..engine import modes
from ..engine.errors import CheckFailed
from ..engine.grad_mode import no_grad
from ..engine.source_line import stacklevel
from ..engine.tensor import Tensor
from ..errors import require, wrong_type
from ..messages import Message
from ..metric import Metric
from ..nn import Layer
from ..nn.summary import summary
from ..ops import catalog
from ..ops.boundary import publish as _publish
from ..saving.save_load import load, save
from ..static import InputSpec
from . import errors, values

SUFFIXES = (".pdparams", ".pdopt", ".pdmodel")


class Model:
    """A network that trains, evaluates and predicts with one call each.

    `inputs` and `labels`: an InputSpec with a name, or a list of them. Of the values of a batch
    the first are the network's inputs, as many as `inputs`, by default as the arguments of
    `forward`; the others are labels, which the loss and the metrics get after the outputs.
    Source: Paddle's `paddle.Model`.

    Errors: AssertionError for a batch before `prepare`, and in static mode.

    >>> import minipaddle as paddle
    >>> net = paddle.nn.Linear(1, 1, weight_attr=paddle.nn.initializer.Constant(0.5))
    >>> model = paddle.Model(net)
    >>> model.prepare(paddle.optimizer.SGD(0.1, parameters=net.parameters()), paddle.nn.MSELoss())
    >>> rows = paddle.io.TensorDataset([paddle.ones([4, 1]), paddle.ones([4, 1])])
    >>> model.fit(rows, batch_size=2, epochs=9, verbose=0)
    >>> model.evaluate(rows, batch_size=4, verbose=0)["loss"][0] < 0.001
    True
    """

    def __init__(self, network: Layer, inputs: Any = None, labels: Any = None) -> None:
        if modes.is_static():
            raise errors.static_mode()
        self.mode, self.network, self.stop_training = "train", network, False
        # Without specs, those of the first batch.
        self._inputs = None if inputs is None else values.check_specs(inputs)
        self._seen_inputs: Any = None
        self._labels = values.check_specs(labels)
        names = inspect.getfullargspec(network.forward).args[1:]
        self._input_count = len(names if self._inputs is None else self._inputs)
        self._optimizer: Any = None
        self._loss: Any = None
        self._metrics: list[Metric] = []
        self._left: int | None = None  # number of batches until the call ends

    # ----- settings ------------------------------------------------------------------------------

    def prepare(
        self, optimizer: Any = None, loss: Any = None, metrics: Any = None, amp_configs: Any = None
    ) -> None:
        """Set what the network is trained with: an optimizer, a loss, and metrics.

        TypeError for a loss that cannot be called; AssertionError for metrics that are none;
        NotImplementedError for mixed precision, and in several processes.
        """
        if (ranks := ParallelEnv().nranks) > 1:
            raise errors.many_ranks(ranks)
        if amp_configs not in (None, "O0"):
            raise errors.mixed_precision(amp_configs)
        if loss is not None and not callable(loss):
            what, fix = Message("The loss cannot be called."), "paddle.nn.CrossEntropyLoss()"
            raise wrong_type(what, loss, Message("a Layer or a function"), fix)
        self._optimizer, self._loss = optimizer, loss
        self._metrics = values.as_list(metrics)
        for metric in self._metrics:
            what, fix = Message("a Metric"), "paddle.metric.Accuracy()"
            good = isinstance(metric, Metric)
            require(good, "Model.prepare", what, CheckFailed, fix, metrics=metric)

    def parameters(self, *args: Any, **kwargs: Any) -> list[Tensor]:
        """Return the parameters of the network."""
        return self.network.parameters(*args, **kwargs)

    def summary(self, input_size: Any = None, dtype: Any = None) -> Any:
        """Print a table of the network's layers, as `paddle.summary` does.

        Without input_size, for the `inputs` of the Model, or for the first batch that ran.
        """
        if input_size is None and self._inputs:
            input_size = [spec.shape for spec in self._inputs]
            dtype = dtype or [spec.dtype for spec in self._inputs]
        return summary(self.network, input_size, dtype)

    # ----- one batch -----------------------------------------------------------------------------

    def train_batch(self, inputs: Any, labels: Any = None, update: bool = True) -> Any:
        """Train on one batch; return the losses, and the metrics of this batch if there are any.

        update=False keeps the gradients for the next batch.
        """
        if self._optimizer is None:
            raise errors.not_prepared("optimizer")
        if self._loss is None:
            raise errors.not_prepared("loss")
        self.network.train()
        self.mode = "train"
        outputs, labels = self._run(inputs), values.as_tensors(labels)
        losses = values.as_list(self._loss(*outputs, *labels))
        total = losses[0] if len(losses) == 1 else catalog.find("add_n").call(losses)
        total.backward()
        if update:
            self._optimizer.step()
            self.network.clear_gradients()
        return self._results(losses, outputs, labels)

    @no_grad()
    def eval_batch(self, inputs: Any, labels: Any = None) -> Any:
        """Return the losses of one batch, and the metrics of this batch if there are any."""
        self.network.eval()
        self.mode = "eval"
        outputs, labels = self._run(inputs), values.as_tensors(labels)
        losses = values.as_list(self._loss(*outputs, *labels)) if self._loss else []
        return self._results(losses, outputs, labels)

    @no_grad()
    def predict_batch(self, inputs: Any) -> list[np.ndarray]:
        """Return the outputs for one batch, as arrays."""
        self.network.eval()
        self.mode = "test"
        return [values.as_array(output) for output in self._run(inputs)]

    def _run(self, inputs: Any) -> list[Any]:
        """Return the outputs of the network; remember the inputs' shapes, for `summary`."""
        tensors = values.as_tensors(inputs)
        if self._inputs is None:
            self._seen_inputs = [InputSpec(x.shape, x.dtype, x.name) for x in tensors]
            self._inputs = self._seen_inputs
        return values.as_list(self.network(*tensors))

    def _results(self, losses: list[Any], outputs: list[Any], labels: list[Any]) -> Any:
        metrics = values.updated(self._metrics, [*outputs, *labels])
        numbers = [values.as_array(loss) for loss in losses]
        if not self._loss:
            return metrics
        return (numbers, metrics) if metrics else numbers

    # ----- many batches --------------------------------------------------------------------------

    def fit(
        self,
        train_data: Any = None,
        eval_data: Any = None,
        batch_size: int | list[int] = 1,
        epochs: int = 1,
        eval_freq: int = 1,
        log_freq: int = 10,
        save_dir: str | None = None,
        save_freq: int = 1,
        verbose: int = 2,
        drop_last: bool = False,
        shuffle: bool = True,
        num_workers: int = 0,
        callbacks: Any = None,
        accumulate_grad_batches: int = 1,
        num_iters: int | None = None,
    ) -> None:
        """Train for some epochs, with an evaluation after every eval_freq of them.

        `train_data`, `eval_data`: Datasets, or loaders of batches. `batch_size`: for both, or
        [of training, of evaluation]. `accumulate_grad_batches`: the optimizer steps after so many
        batches. `num_iters`: batches in all, in place of epochs. `stop_training` ends it after
        the running epoch, and stays True until you set it to False.
        AssertionError without train_data.
        """
        expected: Any = Message("a Dataset or a loader of batches")
        require(train_data is not None, "Model.fit", expected, CheckFailed, train_data=None)
        sizes = batch_size if isinstance(batch_size, (list, tuple)) else [batch_size] * 2
        expected = Message("one size, or two: of training and of evaluation")
        require(len(sizes) == 2, "Model.fit", expected, CheckFailed, batch_size=batch_size)
        loader = values.loader_of(train_data, sizes[0], num_workers, shuffle, drop_last)
        tests = values.loader_of(eval_data, sizes[1], num_workers)
        steps = values.length_of(loader)
        self._left = _check_count("fit", num_iters)
        if num_iters is not None and steps is not None:
            epochs, steps = num_iters // steps + 1, min(num_iters, steps)
        given = callbacks, self, log_freq, verbose, self._names(), save_freq, save_dir
        calls = CallbackList(*given, epochs=epochs, steps=steps)
        if tests is None and calls.has(EarlyStopping):
            warnings.warn("EarlyStopping needs validation data.", stacklevel=stacklevel())
        logs: dict[str, Any] = {}  # those of training and evaluation, as in Paddle
        calls.call("train_begin", None)
        for epoch in range(epochs):
            calls.call("epoch_begin", epoch, None)
            self._train_epoch(loader, calls, logs, accumulate_grad_batches)
            calls.call("epoch_end", epoch, logs)
            if tests is not None and epoch % eval_freq == 0:
                self._pass("eval", tests, values.length_of(tests), calls, logs)
            if self.stop_training:
                break
        calls.call("train_end", logs)

    def evaluate(
        self,
        eval_data: Any,
        batch_size: int = 1,
        log_freq: int = 10,
        verbose: int = 2,
        num_workers: int = 0,
        callbacks: Any = None,
        num_iters: int | None = None,
    ) -> dict[str, Any]:
        """Return the loss of the last batch and the metrics of all batches, by their names.

        `num_iters`: the number of batches to take, all by default.
        """
        loader = values.loader_of(eval_data, batch_size, num_workers)
        steps = values.length_of(loader)
        self._left = _check_count("evaluate", num_iters)
        if num_iters is not None and steps is not None:
            self._left = steps = min(num_iters, steps)
        calls = CallbackList(callbacks, self, log_freq, verbose, self._names())
        logs: dict[str, Any] = {}
        self._pass("eval", loader, steps, calls, logs)
        return {name: logs[name] for name in self._names()}

    def predict(
        self,
        test_data: Any,
        batch_size: int = 1,
        num_workers: int = 0,
        stack_outputs: bool = False,
        verbose: int = 1,
        callbacks: Any = None,
    ) -> list[Any]:
        """Return, for each output of the network, the arrays of all batches.

        `stack_outputs` joins the arrays of each output into one.
        """
        loader = values.loader_of(test_data, batch_size, num_workers)
        self._left = None
        calls = CallbackList(callbacks, self, 2, verbose, [])
        outputs = self._pass("predict", loader, values.length_of(loader), calls, {})
        columns = list(zip(*outputs, strict=True))
        return [np.vstack(column) for column in columns] if stack_outputs else columns

    def _train_epoch(
        self, loader: Any, calls: CallbackList, logs: dict[str, Any], accumulate: int
    ) -> None:
        for step, batch in enumerate(loader):
            inputs, labels = self._split(batch)
            calls.call("train_batch_begin", step, logs)
            update = (step + 1) % accumulate == 0 or step + 1 == values.length_of(loader)
            self._note(self.train_batch(inputs, labels, update), logs)
            if self._is_last("train", step, inputs, calls, logs):
                break
        self._reset_metrics()

    def _pass(
        self, kind: str, loader: Any, steps: int | None, calls: CallbackList, logs: dict[str, Any]
    ) -> list[list[np.ndarray]]:
        """Evaluate or predict all batches; return the outputs of a prediction."""
        outputs = []
        begun = {"steps": steps}
        calls.call(f"{kind}_begin", begun | ({"metrics": self._names()} if kind == "eval" else {}))
        for step, batch in enumerate(loader):
            inputs, labels = self._split(batch)
            calls.call(f"{kind}_batch_begin", step, logs)
            if kind == "eval":
                self._note(self.eval_batch(inputs, labels), logs)
            else:
                outputs.append(self.predict_batch(inputs))
            if self._is_last(kind, step, inputs, calls, logs):
                break
        self._reset_metrics()
        calls.call(f"{kind}_end", logs)
        return outputs

    def _split(self, batch: Any) -> tuple[list[Any], list[Any]]:
        """Return the inputs and the labels of a batch."""
        parts, count = list(values.flatten(batch)), self._input_count
        if len(parts) < max(count, 1):
            raise errors.too_few(len(parts), count)
        return parts[:count], parts[count:]

    def _note(self, results: Any, logs: dict[str, Any]) -> None:
        """Write the losses of a batch, and the metrics so far, into the logs."""
        losses = results[0] if self._metrics else results
        numbers = [[float(loss) for loss in losses]] if self._loss else []
        for metric in self._metrics:
            numbers += values.as_list(metric.accumulate())
        logs.update(zip(self._names(), numbers, strict=True))

    def _is_last(
        self, kind: str, step: int, inputs: list[Any], calls: CallbackList, logs: dict[str, Any]
    ) -> bool:
        """Report the end of a batch; return whether num_iters batches have run."""
        logs.update(step=step, batch_size=inputs[0].shape[0])
        calls.call(f"{kind}_batch_end", step, logs)
        self._left = self._left and self._left - 1
        if self._left != 0:
            return False
        self._left, self.stop_training = None, True
        return True

    def _names(self) -> list[str]:
        """Return the names of the numbers in the logs."""
        names = [name for metric in self._metrics for name in values.as_list(metric.name())]
        return ["loss", *names] if self._loss else names

    def _reset_metrics(self) -> None:
        for metric in self._metrics:
            metric.reset()

    # ----- files ---------------------------------------------------------------------------------

    def save(self, path: str, training: bool = True) -> None:
        """Write the parameters to `path.pdparams`, the optimizer's state to `path.pdopt`.

        With training=False, write what `paddle.jit.load` reads, for `inputs` or else, with a
        warning, for inputs shaped as the first batch; RuntimeError without both.
        """
        if not training:
            self._save_for_inference(path)
            return
        save(self.network.state_dict(), f"{path}.pdparams")
        if self._optimizer is not None and (state := self._optimizer.state_dict()):
            save(state, f"{path}.pdopt")

    def _save_for_inference(self, path: str) -> None:
        if self._inputs is None:
            raise errors.no_inputs()
        if self._inputs is self._seen_inputs:
            shapes = [spec.shape for spec in self._inputs]
            text = f"Model.save(): the file has the shapes of the first batch, {shapes}. "
            text += "For other batch sizes, give the Model inputs with None in their shapes."
            warnings.warn(text, stacklevel=stacklevel())
        jit.save(self.network, path, self._inputs)

    def load(self, path: str, skip_mismatch: bool = False, reset_optimizer: bool = False) -> None:
        """Read what `save` wrote; `path` may end in `.pdparams` or `.pdopt`.

        With skip_mismatch, parameters that the file lacks, or has in another shape, stay with a
        warning; then, as with reset_optimizer, the optimizer's state stays too. ValueError for
        such a parameter without it; AssertionError for a file that does not exist.
        """
        for suffix in SUFFIXES:
            path = path.removesuffix(suffix)
        weights, momenta = Path(f"{path}.pdparams"), Path(f"{path}.pdopt")
        if not weights.exists():
            raise errors.no_weights(str(weights))
        saved, state = load(weights), self.network.state_dict()
        skipped: list[str] = []
        for key, mine in state.items():
            found = saved.get(key)
            shape = None if found is None else list(found.shape)
            if shape == list(mine.shape):
                state[key] = found
            elif skip_mismatch:
                skipped.append(key)
            else:
                raise errors.does_not_match(key, list(mine.shape), shape)
        if skipped:
            warnings.warn(f"Skip loading for {', '.join(skipped)}.", stacklevel=stacklevel())
        wanted = self._optimizer is not None and not (reset_optimizer or skipped)
        of_optimizer = load(momenta) if wanted and momenta.exists() else None
        self.network.set_state_dict(state)
        if self._optimizer is not None and of_optimizer is not None:
            self._optimizer.set_state_dict(of_optimizer)


def _check_count(method: str, num_iters: int | None) -> int | None:
    good = num_iters is None or num_iters > 0
    require(good, f"Model.{method}", "num_iters > 0", CheckFailed, num_iters=num_iters)
    return num_iters


_publish(globals(), ["Model"])
