"""Optimizers over fifty steps: every kind, penalties, clipping, groups, schedulers, saved state."""

from ..harness import Case, case
from ..spread import spread
from ._texts import texts

INPUTS = spread(6, 3)
# With other targets, Rprop and NAdam amplify tiny differences in fifty steps.
TARGETS = spread(6, 2, part=28)
WEIGHT = spread(3, 2, part=3)
BIAS = spread(2, part=4)
SHOWN = (1, 49)


def kinds(paddle):
    """Return rows of options for each kind of optimizer, made of objects of this Paddle."""
    nn, L1, L2 = paddle.nn, paddle.regularizer.L1Decay, paddle.regularizer.L2Decay
    slow = {"learning_rate": 0.005}  # larger steps jump about, and differences grow
    plain = {
        "SGD": {}, "Momentum": {}, "Adam": {}, "AdamW": {}, "Adagrad": {},
        "RMSProp": slow,
        "Adadelta": {"learning_rate": 1.0}, "Adamax": {}, "Lamb": {}, "NAdam": {}, "RAdam": {},
        "ASGD": {}, "Rprop": {"learning_rate": 0.001},
    }  # fmt: skip
    rows = {kind: (kind, options) for kind, options in plain.items()}
    for kind, options in plain.items():
        if kind not in ("Rprop", "Lamb"):
            rows[f"{kind}_decay"] = kind, {"weight_decay": 0.1, **options}
        rows[f"{kind}_clip"] = kind, {"grad_clip": nn.ClipGradByGlobalNorm(0.5), **options}
    return rows | {
        "SGD_l1": ("SGD", {"weight_decay": L1(0.1)}),
        "SGD_l2": ("SGD", {"weight_decay": L2(0.1)}),
        "SGD_by_value": ("SGD", {"grad_clip": nn.ClipGradByValue(0.2)}),
        "SGD_by_two_values": ("SGD", {"grad_clip": nn.ClipGradByValue(0.2, -0.1)}),
        "SGD_clip_skipped": ("SGD", {"grad_clip": nn.ClipGradByGlobalNorm(0.5, "g", True)}),
        "SGD_clip_far": ("SGD", {"grad_clip": nn.ClipGradByGlobalNorm(1e6)}),
        "SGD_both": ("SGD", {"weight_decay": L1(0.1), "grad_clip": nn.ClipGradByValue(0.2)}),
        "Momentum_nesterov": ("Momentum", {"use_nesterov": True, "momentum": 0.7}),
        "Momentum_nesterov_decay": ("Momentum", {"use_nesterov": True, "weight_decay": 0.1}),
        "Momentum_l1": ("Momentum", {"weight_decay": L1(0.1)}),
        "Adam_options": ("Adam", {"beta1": 0.5, "epsilon": 0.01, **slow}),
        "Adam_amsgrad": ("Adam", {"beta2": 0.6, "amsgrad": True}),
        "Adam_lazy": ("Adam", {"lazy_mode": True}),
        "AdamW_amsgrad": ("AdamW", {"beta2": 0.6, "amsgrad": True}),
        "AdamW_no_decay": ("AdamW", {"weight_decay": 0.0}),
        "Adagrad_start": ("Adagrad", {"initial_accumulator_value": 0.5, "epsilon": 0.1}),
        "RMSProp_momentum": ("RMSProp", {"rho": 0.8, "momentum": 0.6, **slow}),
        "RMSProp_centered": (
            "RMSProp",
            {"learning_rate": 0.005, "centered": True, "momentum": 0.3},
        ),
        "Adadelta_options": ("Adadelta", {"rho": 0.7, "epsilon": 0.01}),
        "Lamb_no_decay": ("Lamb", {"lamb_weight_decay": 0.0}),
        "Lamb_adapt": ("Lamb", {"lamb_weight_decay": 0.0, "always_adapt": True}),
        "RAdam_soon": ("RAdam", {"beta2": 0.9}),
        "NAdam_options": ("NAdam", {"momentum_decay": 0.1, "beta1": 0.8}),
        "ASGD_batches": ("ASGD", {"batch_num": 3}),
        "Rprop_options": ("Rprop", {"etas": (0.25, 1.5), "learning_rate_range": (1e-3, 0.25)}),
    }


NAMES = (
    "SGD", "SGD_decay", "SGD_clip", "SGD_l1", "SGD_l2", "SGD_by_value", "SGD_by_two_values",
    "SGD_clip_skipped", "SGD_clip_far", "SGD_both", "Momentum", "Momentum_decay", "Momentum_clip",
    "Momentum_nesterov", "Momentum_nesterov_decay", "Momentum_l1", "Adam", "Adam_decay",
    "Adam_clip", "Adam_options", "Adam_amsgrad", "Adam_lazy", "AdamW", "AdamW_decay", "AdamW_clip",
    "AdamW_amsgrad", "AdamW_no_decay", "Adagrad", "Adagrad_decay", "Adagrad_clip", "Adagrad_start",
    "RMSProp", "RMSProp_decay", "RMSProp_clip", "RMSProp_momentum", "RMSProp_centered", "Adadelta",
    "Adadelta_decay", "Adadelta_clip", "Adadelta_options", "Adamax", "Adamax_decay", "Adamax_clip",
    "Lamb", "Lamb_clip", "Lamb_no_decay", "Lamb_adapt", "NAdam", "NAdam_decay", "NAdam_clip",
    "NAdam_options", "RAdam", "RAdam_decay", "RAdam_clip", "RAdam_soon", "ASGD", "ASGD_decay",
    "ASGD_clip", "ASGD_batches", "Rprop", "Rprop_clip", "Rprop_options",
)  # fmt: skip


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


def trajectory(name):
    def run(paddle, show):
        for dtype in ("float32", "float64"):
            kind, options = kinds(paddle)[name]
            options = {"learning_rate": 0.05, **options}
            layer = layer_of(paddle, dtype)
            optimizer = getattr(paddle.optimizer, kind)(parameters=layer.parameters(), **options)
            train(paddle, show, layer, optimizer, dtype)
        state = optimizer.state_dict()
        show("state", [key.split("_0_", 1)[1] for key in state])
        show("remembered", [value for key, value in state.items() if ".b" in key])

    return Case(f"fifty_steps_of_{name}", run, ulps=64)


TABLE = [trajectory(name) for name in NAMES]


def groups(name, make):
    """Return a case of two layers in two groups with their own options."""

    def run(paddle, show):
        for dtype in ("float32", "float64"):
            layers = [layer_of(paddle, dtype) for _ in range(2)]
            optimizer = make(paddle, *(layer.parameters() for layer in layers))
            x, y = (paddle.to_tensor(a.astype(dtype)) for a in (INPUTS, TARGETS))
            for _ in range(20):
                for layer in layers:
                    error = layer(x) - y
                    paddle.mean(error * error).backward()
                optimizer.step()
                optimizer.clear_grad()
            show(dtype, [p for layer in layers for p in layer.parameters()])

    return Case(f"groups_of_{name}", run, ulps=64)


TABLE += [
    groups("rates", lambda paddle, a, b: paddle.optimizer.SGD(
        0.1, parameters=[{"params": a}, {"params": b, "learning_rate": 0.3}])),
    groups("decay", lambda paddle, a, b: paddle.optimizer.SGD(
        0.1, parameters=[{"params": a, "weight_decay": 0.5}, {"params": b}], weight_decay=0.1)),
    groups("momentum_decay", lambda paddle, a, b: paddle.optimizer.Momentum(
        0.1, parameters=[{"params": a, "weight_decay": 0.5, "momentum": 0.5}, {"params": b}],
        weight_decay=0.1)),
    groups("clip", lambda paddle, a, b: paddle.optimizer.SGD(
        0.1, parameters=[{"params": a, "grad_clip": paddle.nn.ClipGradByGlobalNorm(0.1)},
        {"params": b}], grad_clip=paddle.nn.ClipGradByValue(0.05))),
    groups("betas", lambda paddle, a, b: paddle.optimizer.Adam(
        0.1, parameters=[{"params": a, "beta1": 0.5}, {"params": b, "epsilon": 0.1}])),
    groups("adamw", lambda paddle, a, b: paddle.optimizer.AdamW(
        0.1, parameters=[{"params": a, "weight_decay": 0.3}, {"params": b}])),
    groups("regularizers", lambda paddle, a, b: paddle.optimizer.Adagrad(
        0.1, parameters=[{"params": a, "weight_decay": paddle.regularizer.L1Decay(0.2)},
        {"params": b}])),
]  # fmt: skip


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


@case(ulps=64)
def a_schedule_on_the_way(paddle, show):
    for kind in ("SGD", "Adam"):
        layer = layer_of(paddle, "float64")
        rate = paddle.optimizer.lr.ExponentialDecay(0.1, 0.9)
        optimizer = getattr(paddle.optimizer, kind)(rate, parameters=layer.parameters())
        for round_ in range(3):
            train(paddle, show, layer, optimizer, "float64", 2, f"{kind} {round_} ")
            rate.step()
            show(f"{kind} rate {round_}", optimizer.get_lr())
        show(f"{kind} state", sorted(optimizer.state_dict()["LR_Scheduler"]))


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
    show.raises("text", lambda: paddle.optimizer.SGD(0.5, parameters=[w]).set_lr("fast"))
    show.raises("no scheduler", lambda: sgd.set_lr_scheduler(0.5))
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


TABLE += [*texts("optimizers", "call", names=names)]
