"""Optimizers over fifty steps: every kind, penalties, clipping, groups, schedulers, saved state."""

from ..harness import Case, case
from ..spread import spread
from ._tables import made, recorded_texts
from ._texts import texts

INPUTS = spread(6, 3)
# With other targets, Rprop and NAdam amplify tiny differences in fifty steps.
TARGETS = spread(6, 2, part=28)
WEIGHT = spread(3, 2, part=3)
BIAS = spread(2, part=4)
SHOWN = (1, 49)


def names_of(paddle):
    """Return the names that the calls of optimizers use."""
    return {"nn": paddle.nn, "L1": paddle.regularizer.L1Decay, "L2": paddle.regularizer.L2Decay}


def layer_of(paddle, dtype, **attrs):
    """Return a linear layer with fixed weights of a dtype."""
    before = paddle.get_default_dtype()
    paddle.set_default_dtype(dtype)
    layer = paddle.nn.Linear(3, 2, **attrs)
    paddle.set_default_dtype(before)
    layer.weight.set_value(WEIGHT.astype(dtype))
    layer.bias.set_value(BIAS.astype(dtype))
    return layer


def train(paddle, show, layer, optimizer, dtype, steps=50, label=""):
    """Fit the targets, and show the parameters at some steps."""
    x, y = (paddle.to_tensor(a.astype(dtype)) for a in (INPUTS, TARGETS))
    for step in range(steps):
        error = layer(x) - y
        paddle.mean(error * error).backward()
        optimizer.step()
        optimizer.clear_grad()
        if step in SHOWN:
            show(f"{label}{dtype} {step}", list(layer.parameters()))


def trajectory(name, text):
    def run(paddle, show):
        for dtype in ("float32", "float64"):
            layer = layer_of(paddle, dtype)
            more = {"learning_rate": 0.05, "parameters": layer.parameters()}
            optimizer = made(paddle.optimizer, text, names_of(paddle), **more)
            train(paddle, show, layer, optimizer, dtype)
        state = optimizer.state_dict()
        show("state", [key.split("_0_", 1)[1] for key in state])
        show("remembered", [value for key, value in state.items() if ".b" in key])

    return Case(name, run, ulps=64)


TABLE = [trajectory(*row) for row in recorded_texts("optimizers", "fifty steps")]


def groups(name, text):
    """Return a case of two layers in two groups with their own options."""

    def run(paddle, show):
        for dtype in ("float32", "float64"):
            layers = [layer_of(paddle, dtype) for _ in range(2)]
            leaves = dict(zip("ab", (layer.parameters() for layer in layers), strict=True))
            optimizer = made(paddle.optimizer, text, names_of(paddle) | leaves)
            x, y = (paddle.to_tensor(a.astype(dtype)) for a in (INPUTS, TARGETS))
            for _ in range(20):
                for layer in layers:
                    error = layer(x) - y
                    paddle.mean(error * error).backward()
                optimizer.step()
                optimizer.clear_grad()
            show(dtype, [p for layer in layers for p in layer.parameters()])

    return Case(name, run, ulps=64)


TABLE += [groups(*row) for row in recorded_texts("optimizers", "groups")]


@case(ulps=64)
def attributes_of_parameters(paddle, show):
    """learning_rate, regularizer and need_clip of a ParamAttr come before the optimizer's."""
    attr, L1, L2 = paddle.ParamAttr, paddle.regularizer.L1Decay, paddle.regularizer.L2Decay
    for kind in ("SGD", "Momentum", "AdamW"):
        layer = layer_of(
            paddle,
            "float32",
            weight_attr=attr(learning_rate=0.3, regularizer=L1(0.2)),
            bias_attr=attr(need_clip=False),
        )
        clip = paddle.nn.ClipGradByGlobalNorm(0.3)
        optimizer = getattr(paddle.optimizer, kind)(
            0.1, parameters=layer.parameters(), weight_decay=0.5, grad_clip=clip
        )
        train(paddle, show, layer, optimizer, "float32", 10, f"{kind} ")
    layer = layer_of(paddle, "float64", weight_attr=attr(regularizer=L2(0.2)))
    optimizer = paddle.optimizer.Momentum(0.1, parameters=layer.parameters(), weight_decay=0.5)
    train(paddle, show, layer, optimizer, "float64", 10, "fused ")


@case(ulps=64)
def which_parameters_decay(paddle, show):
    layer = layer_of(paddle, "float64")
    names = [p.name for p in layer.parameters()]
    adamw = paddle.optimizer.AdamW(
        0.1,
        parameters=layer.parameters(),
        weight_decay=0.5,
        apply_decay_param_fun=lambda name: name == names[0],
    )
    train(paddle, show, layer, adamw, "float64", 10, "AdamW ")
    layer = layer_of(paddle, "float64")
    lamb = paddle.optimizer.Lamb(
        0.1,
        0.5,
        parameters=layer.parameters(),
        exclude_from_weight_decay_fn=lambda param: param is layer.bias,
    )
    train(paddle, show, layer, lamb, "float64", 10, "Lamb ")


@case
def names_of_the_state(paddle, show):
    layer = layer_of(paddle, "float32")
    optimizer = paddle.optimizer.Adam(0.1, parameters=layer.parameters(), name="mine")
    show("before", len(optimizer.state_dict()))
    layer(paddle.ones([1, 3])).sum().backward()
    optimizer.step()
    state = optimizer.state_dict()
    show("keys", [key.partition(".")[2] for key in state])
    show("shapes", [list(value.shape) for value in state.values()])
    show("names", [value.name == key for key, value in state.items()])


@case(ulps=64)
def training_goes_on(paddle, show):
    """Continue from a saved state of an optimizer with a scheduler."""
    layer = layer_of(paddle, "float64")
    rates = [paddle.optimizer.lr.StepDecay(0.1, 2) for _ in range(2)]
    first = paddle.optimizer.Adam(rates[0], parameters=layer.parameters())
    train(paddle, show, layer, first, "float64", 2, "before ")
    for _ in range(3):
        rates[0].step()
    state = {
        key: value.numpy() if hasattr(value, "numpy") else value
        for key, value in first.state_dict().items()
    }
    show("rate", state["LR_Scheduler"]["last_lr"])
    second = paddle.optimizer.Adam(rates[1], parameters=layer.parameters())
    numbered = {key[:-1] + "1" if key[-1] == "0" else key: v for key, v in state.items()}
    second.set_state_dict({**state, **numbered})
    train(paddle, show, layer, second, "float64", 2, "after ")
    show("rate then", second.get_lr())


@case
def learning_rates(paddle, show):
    w = paddle.to_tensor([1.0], stop_gradient=False)
    sgd = paddle.optimizer.SGD(0.5, parameters=[w])
    sgd.set_lr(2)
    show("set", sgd.get_lr())
    (w * 3).backward()
    sgd.step()
    show("w", w)
    sgd.set_lr_scheduler(paddle.optimizer.lr.PiecewiseDecay([1], [0.25, 0.5]))
    show("scheduled", sgd.get_lr())
    show.raises("number for a scheduler", lambda: sgd.set_lr(0.5))
    show.raises("no state of it", lambda: sgd.set_state_dict({}))


@case(ulps=8)
def parts_of_minimize(paddle, show):
    layer = layer_of(paddle, "float32")
    sgd = paddle.optimizer.SGD(0.5, parameters=layer.parameters(), weight_decay=0.25)
    loss = layer(paddle.ones([1, 3])).sum()
    show("nothing yet", list(sgd.minimize(loss)))
    loss.backward()
    pairs = sgd.backward(loss)
    show("pairs", [g for _, g in pairs])
    decayed = sgd.append_regularization_ops(pairs, paddle.regularizer.L2Decay(2.0))
    show("decayed", [g for _, g in decayed])
    show("applied", sgd.apply_gradients(pairs))
    show("parameters", list(layer.parameters()))
    operators, pairs = sgd.minimize(loss)
    show("minimized", [operators, [g for _, g in pairs], list(layer.parameters())])
    sgd.zero_grad()
    show("none", layer.weight.grad is None)


def names(paddle):
    """Return the names that the expressions use."""
    optimizer = paddle.optimizer
    w = paddle.to_tensor([1.0], stop_gradient=False)
    p = paddle.nn.Linear(1, 1).weight
    nn = paddle.nn
    regularizer = paddle.regularizer
    return globals() | locals()


TABLE += texts("optimizers", names, skip=["fifty steps", "groups"])
