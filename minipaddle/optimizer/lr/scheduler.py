"""Base class of all schedulers, and their shared checks."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

from ...engine import modes
from ...engine.errors import CheckFailed, InvalidArgument, MinipaddleError, NotFound
from ...engine.source_line import stacklevel
from ...errors import misfit
from ...messages import Message
from .. import errors


class LRScheduler:
    """A learning rate that changes when `step()` is called, once for each epoch or step.

    Your own subclass defines `get_lr()`, from `last_epoch`, `base_lr` and `last_lr`; give it to
    an optimizer as `learning_rate`. With `verbose` each step prints a line.
    Source: Paddle's `paddle.optimizer.lr.LRScheduler`.

    Errors: TypeError for a learning rate that is not a number; ValueError for a negative one;
    NotImplementedError for a subclass without `get_lr`.

    >>> import minipaddle as paddle
    >>> class Halves(paddle.optimizer.lr.LRScheduler):
    ...     def get_lr(self):
    ...         return self.base_lr * 0.5**self.last_epoch
    >>> rate = Halves(0.5)
    >>> sgd = paddle.optimizer.SGD(rate, parameters=[paddle.ones([1])])
    >>> rate.step(); sgd.get_lr()
    0.25
    """

    def __init__(
        self, learning_rate: float = 0.1, last_epoch: int = -1, verbose: bool = False
    ) -> None:
        self._start_schedule(learning_rate, last_epoch, verbose)
        self.step()

    def _start_schedule(self, learning_rate: float, last_epoch: int, verbose: bool) -> None:
        # nan fails as well
        require(learning_rate >= 0, "learning_rate >= 0", learning_rate=learning_rate)
        self.base_lr = self.last_lr = float(learning_rate)
        self.last_epoch = last_epoch
        self.verbose = verbose

    def __call__(self) -> float:
        """Return the current learning rate."""
        return self.last_lr

    def step(self, epoch: int | None = None) -> None:
        """Go to the next epoch, or to this one, and compute its rate."""
        modes.refuse_if_traced("LRScheduler.step")
        if epoch is None:
            self.last_epoch += 1
            self.last_lr = self.get_lr()
        else:
            self.last_epoch = epoch
            self.last_lr = getattr(self, "_get_closed_form_lr", self.get_lr)()
        self._print_rate()

    def _print_rate(self) -> None:
        if self.verbose:
            name = type(self).__name__
            print(f"Epoch {self.last_epoch}: {name} set learning rate to {self.last_lr}.")

    def get_lr(self) -> float:
        """Return the learning rate of the epoch `last_epoch`; each subclass defines it."""
        raise errors.no_get_lr(self)

    # ----- saving and loading -----

    def state_keys(self) -> None:
        """Store the names of the attributes to save in `self.keys`."""
        self.keys = ["last_epoch", "last_lr"]

    def state_dict(self) -> dict[str, Any]:
        """Return the state that changes from step to step: `last_epoch` and `last_lr`."""
        self.state_keys()
        state = {key: self.__dict__[key] for key in self.keys if key in self.__dict__}
        return {k: float(v) if hasattr(v, "stop_gradient") else v for k, v in state.items()}

    def set_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Load the state of a saved scheduler; NotFound (RuntimeError) if something is missing."""
        self.state_keys()
        for key in self.keys:
            if key not in state_dict:
                expected = f"a state with the keys {', '.join(self.keys)}"
                fix = Message("load what state_dict() of such a scheduler returned")
                raise misfit("set_state_dict", expected, NotFound, fix, state=list(state_dict))
            self.__dict__[key] = state_dict[key]
        if len(state_dict) > len(self.keys):
            warnings.warn(
                f"{type(self).__name__}.set_state_dict: there are some unused values in "
                "state_dict: it may be that of another kind of scheduler.",
                stacklevel=stacklevel(),
            )

    set_dict = set_state_dict


def require(
    holds: bool, bounds: str, kind: type[MinipaddleError] = InvalidArgument, /, **arguments: Any
) -> None:
    """Raise an error unless `holds`: the arguments of a scheduler lie within their bounds."""
    if not holds:
        raise misfit("", bounds, kind, errors.SEE_HELP, **arguments)


def positive_integer(name: str, value: Any) -> None:
    """Raise an error unless the value is a positive int."""
    good = isinstance(value, int) and value > 0
    require(good, f"{name} to be an int above 0", CheckFailed, **{name: value})
