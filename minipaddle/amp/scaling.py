"""GradScaler: a loss times a factor, so that gradients in float16 are not rounded to 0."""

from __future__ import annotations

from functools import partial
from operator import gt, lt
from typing import Any

import numpy as np

from ..eager.creation import to_tensor
from ..engine.errors import CheckFailed, NotFound
from ..engine.grad_mode import no_grad
from ..engine.tensor import run_in_frame
from ..errors import misfit, require
from ..messages import Message
from ..ops.rule_functions import GRAPH as ops

STATE = ["scale", "incr_ratio", "decr_ratio", "incr_every_n_steps", "decr_every_n_nan_or_inf"]
STATE += ["incr_count", "decr_count", "use_dynamic_loss_scaling"]


def _access(key: str, holds: Any = None) -> tuple[Any, Any]:
    """Return methods that read and set a value of the state."""

    def get(self: GradScaler) -> Any:
        return self._state[key]

    def put(self: GradScaler, value: Any) -> None:
        expected = "decr_ratio < 1 < incr_ratio"
        require(not holds or holds(value), "GradScaler", expected, CheckFailed, **{key: value})
        self._state[key] = value

    return get, put


class GradScaler:
    """Scales a loss, and before an optimizer's step divides the gradients by the same factor.

    A step with inf or nan in a gradient is skipped. After `decr_every_n_nan_or_inf` such steps in a
    row the factor is multiplied by `decr_ratio`, after `incr_every_n_steps` good ones by
    `incr_ratio`. In a loop: `scaler.scale(loss).backward()`, `scaler.step(opt)`, `scaler.update()`.

    Shapes: a 0-D loss becomes [1]. Dtypes: floating kept.
    Errors: AssertionError unless decr_ratio < 1 < incr_ratio; RuntimeError for a second `unscale_`
    or `step` before `update`. Source: Paddle's `paddle.amp.GradScaler`.

    >>> import minipaddle as paddle
    >>> w = paddle.to_tensor([1.0], stop_gradient=False)
    >>> sgd = paddle.optimizer.SGD(0.5, parameters=[w])
    >>> scaler = paddle.amp.GradScaler(init_loss_scaling=8.0)
    >>> scaler.scale(w.sum()).backward(); w.grad.tolist()
    [8.0]
    >>> scaler.step(sgd); scaler.update(); w.tolist()
    [0.5]
    """

    def __init__(
        self,
        enable: bool = True,
        init_loss_scaling: float = 2.0**16,
        incr_ratio: float = 2.0,
        decr_ratio: float = 0.5,
        incr_every_n_steps: int = 2000,
        decr_every_n_nan_or_inf: int = 1,
        use_dynamic_loss_scaling: bool = True,
    ) -> None:
        ratios, holds = [decr_ratio, incr_ratio], decr_ratio < 1 < incr_ratio
        require(holds, "GradScaler", "decr_ratio < 1 < incr_ratio", CheckFailed, ratios=ratios)
        self._enable, self._found_inf = enable, False
        self._done: dict[int, str] = {}  # what each optimizer did since the last update
        values = [init_loss_scaling, incr_ratio, decr_ratio, incr_every_n_steps]
        values += [decr_every_n_nan_or_inf, 0, 0, use_dynamic_loss_scaling]
        self._state: dict[str, Any] = dict(zip(STATE, values, strict=True))

    def scale(self, var: Any) -> Any:
        """Return the loss times the factor."""
        return var * to_tensor([float(self._state["scale"])]) if self._enable else var

    def unscale_(self, optimizer: Any) -> None:
        """Divide the gradients by the factor, and look for inf and nan; once before a step."""
        if not self._enable:
            return
        self._require_new("unscale_", optimizer)
        self._done[id(optimizer)] = "unscale_"
        params = [p for p in optimizer._parameter_list if p.grad is not None]

        def unscale() -> Any:
            with no_grad():
                for param in params:
                    param.grad.scale_(1.0 / float(self._state["scale"]))
                return ops.stack([ops.isfinite(p.grad).all() for p in params]).all()

        self._found_inf = bool(params) and not run_in_frame("update", "unscale_", unscale)

    def step(self, optimizer: Any) -> None:
        """Let the optimizer step, unless a gradient has inf or nan."""
        if self._enable:
            if self._done.get(id(optimizer)) != "unscale_":
                self._require_new("step", optimizer)
                self.unscale_(optimizer)
            self._done[id(optimizer)] = "step"
            if not self._state["use_dynamic_loss_scaling"]:  # nobody need call update
                self._done = {}
        if not self._found_inf:
            optimizer.step()

    def update(self) -> None:
        """Change the factor by what the last steps found."""
        self._done = {}
        state = self._state
        if not self._enable or not state["use_dynamic_loss_scaling"]:
            return
        way, other, limit = ("incr", "decr", "incr_every_n_steps")
        if self._found_inf:
            way, other, limit = ("decr", "incr", "decr_every_n_nan_or_inf")
        state[f"{other}_count"] = 0
        state[f"{way}_count"] += 1
        if state[f"{way}_count"] == state[limit]:
            state["scale"] *= state[f"{way}_ratio"]
            state[f"{way}_count"] = 0

    def minimize(self, optimizer: Any, *args: Any, **kwargs: Any) -> tuple[Any, Any]:
        """Let `optimizer.minimize(*args, **kwargs)` step, as `step` does, and update."""
        if self._enable and self._done.get(id(optimizer)) != "unscale_":
            self.unscale_(optimizer)
        done = (None, None) if self._found_inf else optimizer.minimize(*args, **kwargs)
        self.update()
        return done

    get_init_loss_scaling, set_init_loss_scaling = _access("scale")
    get_incr_ratio, set_incr_ratio = _access("incr_ratio", partial(lt, 1))
    get_decr_ratio, set_decr_ratio = _access("decr_ratio", partial(gt, 1))
    get_incr_every_n_steps, set_incr_every_n_steps = _access("incr_every_n_steps")
    get_decr_every_n_nan_or_inf, set_decr_every_n_nan_or_inf = _access("decr_every_n_nan_or_inf")
    is_use_dynamic_loss_scaling, _ = _access("use_dynamic_loss_scaling")

    def is_enable(self) -> bool:
        return self._enable

    def state_dict(self) -> dict[str, Any]:
        scale = np.array([self._state["scale"]], np.float32)
        return {**self._state, "scale": scale} if self._enable else {}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        if self._enable:
            expected = Message("what state_dict() of an enabled GradScaler returned")
            require(state_dict, "load_state_dict", expected, NotFound, state_dict=state_dict)
            self._state = {**state_dict, "scale": float(state_dict["scale"][0])}

    def _require_new(self, name: str, optimizer: Any) -> None:
        """Raise an error if the optimizer has unscaled or stepped since the last update."""
        if before := self._done.get(id(optimizer)):
            expected = Message("update() between two steps")
            raise misfit(name, expected, NotFound, Message("call scaler.update()"), called=before)
