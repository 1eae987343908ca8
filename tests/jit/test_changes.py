"""A compiled training step follows whatever changes between two of its calls, as eager code does.

Random programs: a step, changes drawn from CHANGES, and after each change the step again.
"""

import copy
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

import minipaddle as paddle
from minipaddle.nn import watched
from tests.each import each

from .test_training import described, drawn

nn, optim = paddle.nn, paddle.optimizer


class Net(nn.Layer):
    """A network that reads parts, plain values, a Tensor, and a parameter that may come later."""

    bonus = 0.0  # unless the layer has one of its own

    def __init__(self) -> None:
        super().__init__()
        self.parts = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Dropout(0.4), nn.Linear(4, 2))
        self.factor, self.mask, self.gate = 1.0, None, None

    def forward(self, x: Any) -> Any:
        y = self.parts(x) * self.factor + self.bonus
        for scale in (self.mask, self.gate):
            y = y if scale is None else y * scale
        return y


class Shifted(Net):
    """A network that also reads a dict of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.table = {"shift": 1.0}

    def forward(self, x: Any) -> Any:
        return super().forward(x) + self.table["shift"]


class World:
    """A network, its optimizer and its training step, op by op or compiled."""

    def __init__(self, compiled: bool) -> None:
        paddle.seed(1)
        net, power, self.hooks = Net(), 2.0, []
        optimizer = optim.Momentum(0.1, parameters=net.parameters())

        def step(x: Any) -> Any:
            loss = (net(x) ** power).mean()
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
            return loss

        def replace(**named: Any) -> None:
            nonlocal net, optimizer, power
            net, optimizer = named.get("net", net), named.get("optimizer", optimizer)
            power = named.get("power", power)
            self.net, self.optimizer = net, optimizer

        self.step = paddle.jit.to_static(step) if compiled else step
        self.replace = replace
        replace()

    @property
    def weight(self) -> Any:
        return self.net.parts[0].weight


def give_or_take_bonus(world: World) -> None:
    if "bonus" in vars(world.net):
        del world.net.bonus
    else:
        world.net.bonus = 1.0


def change_table(world: World) -> None:
    if isinstance(world.net, Shifted):
        world.net.table["shift"] += 1.0


def freeze(world: World) -> None:
    world.weight.stop_gradient = not world.weight.stop_gradient


def switch(world: World) -> None:
    world.net.eval() if world.net.training else world.net.train()


def hook_layer(world: World) -> None:
    world.hooks.append(world.net.parts[3].register_forward_post_hook(lambda *given: given[2] * 0.5))


def hook_weight(world: World) -> None:
    world.weight.stop_gradient = False
    world.hooks.append(world.weight.register_hook(lambda grad: grad * 3.0))


def unhook(world: World) -> None:
    for hook in world.hooks:
        hook.remove()
    world.hooks.clear()


def add_parameter(world: World) -> None:
    world.net.gate = world.net.create_parameter([2], attr=nn.initializer.Constant(0.5))


def replace_part(world: World) -> None:
    world.net.parts[1] = nn.Tanh()


def replace_weight(world: World) -> None:
    world.net.parts[0].weight = world.net.create_parameter([3, 4])


def replace_optimizer(world: World) -> None:
    world.replace(optimizer=optim.Adam(0.05, parameters=world.net.parameters()))


def change_rate(world: World) -> None:
    if isinstance(world.optimizer._learning_rate, float):
        world.optimizer.set_lr(world.optimizer.get_lr() * 0.5)


def schedule(world: World) -> None:
    world.optimizer.set_lr_scheduler(optim.lr.StepDecay(0.2, 1))


def leave_a_gradient(world: World) -> None:
    world.net(drawn(2, 3)).sum().backward()


def train_in_double(world: World) -> None:
    """Take a step in float64, which moves the accumulators, and go back."""
    world.net.to(dtype="float64")
    world.net(drawn(2, 3).astype("float64")).sum().backward()
    world.optimizer.step()
    world.optimizer.clear_grad(False)
    world.net.to(dtype="float32")


CHANGES: dict[str, Callable[[World], Any]] = {
    "nothing": lambda world: None,
    "value": lambda world: setattr(world.net, "factor", world.net.factor + 0.5),
    "type of a value": lambda world: setattr(world.net, "factor", int(world.net.factor)),
    "value in vars": lambda world: vars(world.net).update(factor=-1.0),
    "a copy": lambda world: world.replace(net=copy.deepcopy(world.net)),
    "another network": lambda world: world.replace(net=Shifted()),
    "mask": lambda world: setattr(world.net, "mask", paddle.full([1], 2.0)),
    "no mask": lambda world: setattr(world.net, "mask", None),
    "factor of a rate": lambda world: world.weight.optimize_attr.update(learning_rate=0.3),
    "penalty": lambda world: setattr(world.weight, "regularizer", paddle.regularizer.L1Decay(0.1)),
    "numbers": lambda world: world.weight.set_value(world.weight.numpy() * 0.5),
    "power": lambda world: world.replace(power=3.0),
    "network": lambda world: world.replace(net=Net()),
    "gradients": lambda world: world.optimizer.clear_grad(False),
    **{f.__name__: f for f in (
        give_or_take_bonus, change_table, freeze, switch, hook_layer, hook_weight, unhook,
        add_parameter, replace_part, replace_weight, replace_optimizer, change_rate, schedule,
        leave_a_gradient, train_in_double,
    )},
}  # fmt: skip


@each("seed", range(60), quick=20)
def test_a_compiled_step_follows_random_changes(seed: int) -> None:
    rng = np.random.default_rng(seed)
    names = [name for name in CHANGES if name != "hook_weight" or seed % 4 == 3]
    changes = ["nothing", *rng.choice(names, 6).tolist()]
    rows = []
    for compiled in (False, True):
        world, seen = World(compiled), []
        paddle.seed(seed)
        for name in changes:
            CHANGES[name](world)
            for turn in range(3):  # by the interpreter, while a plan is recorded, and by the plan
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # a hook on a weight ends the Program
                    loss = world.step(drawn(5, 3, seed=turn))
                seen.append(described(world.net, world.optimizer, loss))
        rows.append(seen)
    for name, eager, static in zip(np.repeat(changes, 3), *rows, strict=True):
        for expected, value in zip(eager, static, strict=True):
            np.testing.assert_array_equal(value, expected, err_msg=f"after {name}: {changes}")


def test_every_method_that_changes_a_layers_dict_marks_it() -> None:
    plain = {"a": 1, "b": 2}
    arguments = {"__delitem__": ["a"], "__setitem__": ["a", 3], "pop": ["a"], "setdefault": ["c"],
                 "__ior__": [{"c": 3}], "update": [{"c": 3}]}  # fmt: skip
    for name in {*dir(dict)} - {*dir(object)}:
        changed, marked = dict(plain), watched.Watched(plain)
        last = watched.last_change
        for each_dict in (changed, marked):
            with suppress(TypeError, KeyError):
                getattr(each_dict, name)(*arguments.get(name, []))
        assert changed == marked
        assert (watched.last_change is not last) == (changed != plain), name
