"""The step of an optimizer in dynamic mode: clip gradients, add penalties, apply the rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from .. import events
from ..device import beside, namespace, to_numpy
from ..engine import modes, source_line
from ..engine.errors import CheckFailed, NotFound
from ..engine.tensor import Tensor, cell_of, changed_in_place
from ..errors import misfit, require, wrong_type
from ..messages import Message
from ..ops.arguments import reshape_like, scale_rate
from ..ops.rule_functions import array_functions
from . import checks, errors
from .checks import Group, make_groups
from .lr import LRScheduler
from .recorded_rule import describe_rule, formula_of
from .rule import Rule

ndarray = np.ndarray
ALREADY_DESCRIBED = (None, None)  # rule and state: only the first update of a parameter has them


class ParameterState(NamedTuple):
    """An optimizer's data of one parameter: rule, accumulators, scratch space, own settings."""

    rule: Rule
    state: tuple[Any, ...]
    work: Any
    own: dict[str, Any]


class DynamicStep:
    """Base class with the step of an optimizer in dynamic mode."""

    rule: ClassVar[type[Rule]] = Rule
    decays: ClassVar[bool] = True  # whether weight_decay adds a penalty to the gradient

    def __init__(
        self,
        learning_rate: Any,
        parameters: Any = None,
        weight_decay: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ) -> None:
        items = checks.parameters(parameters)
        self._learning_rate = checks.learning_rate(learning_rate)
        self.regularization = checks.weight_decay(weight_decay)
        self._grad_clip = checks.grad_clip(grad_clip)
        self._groups = make_groups(items, self._grad_clip, self.regularization, self.decays)
        listed = [param for group in self._groups for param in group.params]
        self._parameter_list = None if items is None else listed
        in_groups = any(isinstance(item, dict) for item in items or ())
        self._group_of = {param: g for g in self._groups for param in g.params if in_groups}
        self._name = name
        self._options: dict[str, Any] = {}  # field of the rule -> hyper-parameter
        self._rate_changed = False  # whether set_lr was called after a Program was built
        self._states: dict[Any, ParameterState] = {}
        self._described: tuple[int, set[Any]] = (0, set())  # listeners and the parameters they know
        self._loaded: dict[str, Any] = {}  # saved state of parameters not yet updated

    # ----- overridden by subclasses -----

    def _make_rule(self, param: Any, options: dict[str, Any]) -> Rule:  # noqa: ARG002
        """Return the rule for a parameter; `options` are its hyper-parameters."""
        return self.rule(**options)

    def rule_for(self, param: Any) -> Rule:
        """Return the rule for a parameter, with the options of its group."""
        options, group = dict(self._options), self._group_of.get(param)
        if group is not None:
            options |= {key: value for key, value in group.options.items() if key in options}
        return self._make_rule(param, options)

    def _penalty_of(self, param: Any) -> Any:
        """Return the penalty whose gradient is added: the parameter's own or the optimizer's."""
        own = getattr(param, "regularizer", None)
        if own is not None or not self.decays:
            return own
        group = self._group_of.get(param) if self._group_of else None
        return self.regularization if group is None else group.decay

    def _clip_of(self, param: Any) -> Any:
        """Return the clipping of a parameter's gradient."""
        group = self._group_of.get(param)
        return self._grad_clip if group is None else group.clip

    # ----- the step -----

    def step(self) -> None:
        """Change every parameter that has a gradient."""
        observed = False
        if modes.gate_open:
            tracer = modes.tracer()
            if tracer is not None:
                tracer.training.step(self)
                return
            self._require_dynamic("step", "call minimize(loss), once, while the Program is built")
            observed = bool(modes.here().listeners)
        update = self._step_observed if observed else self._update_all
        update(self._gradients_by_group())

    def _require_dynamic(self, name: str, fix: str) -> None:
        if modes.here().builder is not None:
            raise errors.called_in_program(name, fix)

    def _gradients_by_group(self) -> list[tuple[Group, list[Any]]]:
        """Return the parameters that have gradients, by groups."""
        trained = []
        for group in self._groups:
            params = [p for p in group.params if p._grad is not None and not p._stop]
            trained.append((group, [(param, param._grad._data) for param in params]))
        return trained

    def _update_all(self, groups: list[tuple[Group, list[Any]]]) -> None:
        rate = float(self.get_lr())
        for group, pairs in groups:
            for param, grad in pairs if group.clip is None else _clip_group(group, pairs):
                self._update_parameter(param, grad, rate)

    def _update_parameter(self, param: Any, grad: Any, rate: float) -> tuple[Rule, Any, float]:
        """Update one parameter; return the rule, the penalty and the learning rate used."""
        rule, state, work, own = self.state_for(param)
        array = param._data
        xp = np if array.__class__ is ndarray else namespace(array)
        decay = self._penalty_of(param)
        if decay is not None:
            grad = grad + decay.term(array_functions(xp), array)
        rate = scale_rate(rate, own["learning_rate"], array.dtype)
        rule.update(xp, array, grad, rate, state, work)
        changed_in_place(param, counts=0)
        return rule, decay, rate

    def state_for(self, param: Any) -> ParameterState:
        """Return the state of a parameter, in its dtype and on its device."""
        record = self._states.get(param) or self._make_state(param)
        work, array = record.work, param._data
        if work.dtype is not array.dtype or work.__class__ is not array.__class__:
            return self._move_state(param)
        return record

    def _make_state(self, param: Any) -> ParameterState:
        """Make the state of a parameter, from a loaded state if there is one."""
        array, rule = param._data, self.rule_for(param)
        xp, state = namespace(array), []
        for kind in rule.accumulators(array.shape):
            full = np.full if kind.host else xp.full
            saved = full(kind.shape, kind.fill, kind.dtype or array.dtype)
            if self._loaded:
                loaded = saved_array(self._loaded, self._name_of(param, kind.name), kind.shape)
                saved[...] = beside(loaded, saved)
            state.append(saved)
        own = getattr(param, "optimize_attr", None)
        if own is None:  # the parameter is a Tensor, not a Parameter
            group = self._group_of.get(param)
            own = {"learning_rate": 1.0 if group is None else group.rate}
        self._states[param] = record = ParameterState(rule, tuple(state), xp.empty_like(array), own)
        return record

    def _move_state(self, param: Any) -> ParameterState:
        """Move the state of a parameter to the parameter's new dtype and device."""
        before, loaded = self._states[param].state, self._loaded
        try:
            self._loaded = {}
            fresh = self._make_state(param)
        finally:
            self._loaded = loaded
        for old, new in zip(before, fresh.state, strict=True):
            new[...] = beside(old, new)
        return fresh

    def _name_of(self, param: Any, kind: str) -> str:
        """Return the name of an accumulator: linear_0.w_0_moment1_0."""
        return "_".join(part for part in (param.name, self._name, kind, "0") if part)

    def _step_observed(self, groups: list[tuple[Group, list[Any]]]) -> None:
        """Take the step and emit events for the listeners."""
        place, name = source_line.here(), type(self).__name__
        wanting = (p for p in self._parameter_list or () if p._grad is None and not p._stop)
        lacking = {str(k): param.name for k, param in enumerate(wanting)}
        note_taker, notes = events.note_taker(), events.notes
        keep, series = note_taker.keep, note_taker.series
        described = self._described_to_listeners()
        with events.scope("optimizer", name, 0, (), place, parameters=lacking):
            rate = float(self.get_lr())
            for number, (group, pairs) in enumerate(groups):
                unclipped = dict(pairs)
                for param, grad in _clip_group(group, pairs):
                    if series:
                        before = cell_of(param, keep, series)[2]
                    else:
                        before = keep(param._data.copy())
                    raw = unclipped[param]
                    facts = ALREADY_DESCRIBED
                    if param not in described:
                        facts = self._describe_first_update(param, group, number, keep)
                    rule, decay, own_rate = self._update_parameter(param, grad, rate)
                    formula = formula_of(rule, decay, None if grad is raw else group.clip)
                    update = name, keep(raw), before, place, formula, own_rate, *facts
                    now = cell_of(param, keep, series)
                    note_taker.begin((notes.parameter_updated, *update, now))

    def _described_to_listeners(self) -> set[Any]:
        """Return the parameters whose rules the current listeners know."""
        hearing = modes.here().hearing
        if self._described[0] != hearing:
            self._described = hearing, set()
        return self._described[1]

    def _describe_first_update(
        self, param: Any, group: Group, number: int, keep: Any
    ) -> tuple[Any, Any]:
        """Return the rule and accumulators of a parameter, which its first update reports; None
        for accumulators before the first step."""
        self._described[1].add(param)
        known = self._states.get(param)
        record = self._make_state(param) if known is None else known
        factor, clips = record.own["learning_rate"], getattr(param, "need_clip", True)
        decay = self._penalty_of(param)
        rule = describe_rule(record.rule, decay, group.clip, factor, clips, number)
        begins = known is None and not self._loaded
        return rule, None if begins else tuple([keep(part.copy()) for part in record.state])

    # ----- the learning rate -----

    def get_lr(self) -> float:
        """Return the learning rate of the next step."""
        rate = self._learning_rate
        rate = rate if rate.__class__ is float else rate()
        if tracer := modes.tracer():
            tracer.training.depend_on_rate(self, rate)
        return rate

    def set_lr(self, value: float) -> None:
        """Use this learning rate from now on, also in Programs that are built already.

        NotFound (RuntimeError) if a scheduler sets it.
        """
        if not isinstance(value, (int, float)):
            raise wrong_type("set_lr() takes a float.", value, "a float", "write for example 0.01")
        if isinstance(self._learning_rate, LRScheduler):
            fix = "let the scheduler set it, or use set_lr_scheduler"
            given = {"scheduler": type(self._learning_rate).__name__}
            raise misfit("set_lr", "an optimizer whose rate is a number", NotFound, fix, **given)
        modes.refuse_if_traced("set_lr")
        self._learning_rate, self._rate_changed = float(value), True

    def set_lr_scheduler(self, scheduler: Any) -> None:
        """Let this scheduler set the learning rate from now on."""
        if not isinstance(scheduler, LRScheduler):
            what = "The type of 'scheduler' in optimizer.set_lr_scheduler must be LRScheduler."
            expected, fix = "a scheduler of paddle.optimizer.lr", "for a number use set_lr"
            raise wrong_type(what, scheduler, expected, fix)
        modes.refuse_if_traced("set_lr_scheduler")
        self._learning_rate, self._rate_changed = scheduler, True

    @property
    def rate_can_change(self) -> bool:
        """True if the learning rate can change between two runs of a Program."""
        return self._rate_changed or isinstance(self._learning_rate, LRScheduler)


def _clip_group(group: Group, pairs: list[Any]) -> list[Any]:
    if group.clip is None or not pairs:
        return pairs
    clipped = group.clip.clip(array_functions(namespace(pairs[0][1])), pairs)
    return [(param, reshape_like(param._data, grad)) for param, grad in clipped]


# ----- saved state --------------------------------------------------------------------------------


def saved_array(state: Mapping[str, Any], name: str, shape: tuple[int, ...]) -> Any:
    """Return one array of a saved state; raise an error if it is missing or misshapen."""
    value, expected = state.get(name), f"an array of shape {list(shape)}"
    fix = "load the state that was saved for the same network"
    if value is None:
        expected = f"{expected} under the name {name}"
        raise misfit("set_state_dict", expected, CheckFailed, fix, state=list(state))
    array = to_numpy(value._data if isinstance(value, Tensor) else np.asarray(value))
    require(array.shape == shape, "set_state_dict", expected, CheckFailed, fix, **{name: array})
    return array


def scheduler_state(state: Mapping[str, Any], required: bool) -> Any:
    """Return the saved state of the learning rate's scheduler."""
    scheduler = state.get("LR_Scheduler")
    if scheduler is None and required:
        expected = "'LR_Scheduler' among the keys, as of an optimizer with a scheduler"
        fix = Message("load what state_dict() of such an optimizer returned")
        raise misfit("set_state_dict", expected, CheckFailed, fix, state=list(state))
    return scheduler
