"""Layer and the containers: their members, lookups, state, texts and errors."""

import warnings
from collections import OrderedDict  # noqa: F401  (of recorded expressions)

import numpy as np

from ..harness import case
from ._texts import texts


def net_of(paddle):
    nn = paddle.nn

    class Net(nn.Layer):
        def __init__(self):
            super().__init__()
            self.fc = nn.Linear(2, 3)
            self.act = nn.ReLU()
            self.register_buffer("b", paddle.to_tensor([1.0]))
            self.register_buffer("nb", paddle.to_tensor([2.0]), persistable=False)
            self.t = paddle.to_tensor([5.0])
            self.w = self.create_parameter([2])

        def forward(self, x):
            return self.act(self.fc(x))

    return Net()


def quietly(call):
    """Return a call's answer and the number of its warnings."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        answer = call()
    return [answer, len([w for w in told if "Skip loading" in str(w.message)])]


@case
def forms_of_the_state(paddle, show):
    net = net_of(paddle)
    there = {}
    show("destination", [net.state_dict(destination=there) is there, list(there)])
    show("the parameter itself", net.state_dict()["w"] is net.w)
    net.register_state_dict_hook(lambda state: {"only": 1})
    show("hook", [list(net.state_dict()), list(net.state_dict(use_hook=False))])


@case
def loading(paddle, show):
    net = net_of(paddle)
    state = {name: value.numpy() + 1 for name, value in net.state_dict().items()}
    show("more", quietly(lambda: net.set_state_dict({**state, "zz": state["w"]})))
    show("shape", quietly(lambda: net.set_state_dict({**state, "w": np.ones(3, "float32")})))
    names = {p.name: p.numpy() for p in net.parameters()}
    show("names", quietly(lambda: net.set_state_dict(names, use_structured_name=False)[1]))
    show("others", [quietly(lambda n=n: getattr(net, n)(state)) for n in ("set_dict", "load_dict")])
    show("values", [net.w.numpy() == state["w"], net.b])
    wide = {**state, "w": state["w"].astype("float64")}
    show.raises("dtype", lambda: net.set_state_dict(wide))


@case
def assigning(paddle, show):
    net = net_of(paddle)

    def put(name, value):
        setattr(net, name, value)

    show.raises("a tensor for a parameter", lambda: put("w", paddle.ones([2])))
    show.raises("a number for a buffer", lambda: put("b", 3))
    show.raises("a number for a layer", lambda: put("act", 3))
    put("w", None)
    show("no parameter", [net.w, "w" in dict(net.named_parameters())])
    put("b", paddle.to_tensor([7.0]))
    show("buffer", [net.b, list(net.state_dict())])
    put("b", None)
    show("no buffer", [net.b, list(net.state_dict())])
    put("fc", net.create_parameter([1]))
    show("a parameter for a layer", [n for n, _ in net.named_parameters()])
    del net.fc
    show("gone", hasattr(net, "fc"))


@case
def before_super_init(paddle, show):
    nn = paddle.nn

    class Early(nn.Layer):
        def __init__(self):
            self.x = 3
            super().__init__()

    class Never(nn.Layer):
        def __init__(self):
            self.x = nn.ReLU()

    class NoForward(nn.Layer):
        pass

    show("plain", Early().x)
    show.raises("layer", Never)
    show.raises("no forward", lambda: NoForward()(1))


@case
def all_at_once(paddle, show):
    net = net_of(paddle)
    show("double", [net.double() is net, str(net.w.dtype), str(net.b.dtype)])
    show("float", [net.float() is net, str(net.fc.weight.dtype)])
    show("to", [net.to("cpu", "float64", blocking=True) is net, str(net.w.dtype)])
    without = net.float(excluded_layers=[paddle.nn.Linear])
    show("without", [str(without.w.dtype), str(without.fc.weight.dtype)])
    show.raises("no dtype", lambda: net.astype(None))
    show.raises("device", lambda: net.to(device=3))
    show("eval", [net.eval() is net, net.training, net.act.training, net.train().act.training])
    show("requires", [net.requires_grad_(False) is net, net.w.stop_gradient, net.w.trainable])
    net.requires_grad_(True)
    names = []
    net.apply(lambda layer: names.append(type(layer).__name__))
    show("apply", names)
    net.float()
    net.w.sum().backward()
    net.clear_gradients()
    show("zeros", net.w.grad)
    net.zero_grad()
    show("none", net.w.grad)


@case
def hooks(paddle, show):
    nn = paddle.nn

    class Sum(nn.Layer):
        def forward(self, x, y=1):
            return x + y

    layer, log = Sum(), []
    one = layer.register_forward_pre_hook(lambda _, inputs: inputs[0] * 3)
    two = layer.register_forward_post_hook(lambda _, inputs, out: out + 100)
    x = paddle.to_tensor(1.0)
    show("both", layer(x))
    layer.register_forward_post_hook(lambda _, inputs, out: out * 2, prepend=True)
    show("first", layer(x))
    one.remove()
    two.remove()
    show("left", layer(x))
    layer.register_forward_pre_hook(
        lambda _, inputs, named: ((inputs[0] * 10,), {"y": named["y"] + 1}), with_kwargs=True
    )
    show("keywords", layer(x, y=5))
    failing = Sum()
    failing.register_forward_post_hook(lambda _, i, out: log.append(out), always_call=True)
    show.raises("fails", lambda: failing(x, y=None))
    show("told", log)
    wrong = Sum()
    wrong.register_forward_pre_hook(lambda _, i, k: 3, with_kwargs=True)
    show.raises("no pair", lambda: wrong(x))
    longer = Sum()
    longer.register_forward_pre_hook(lambda _, inputs: (*inputs, 4))
    show("a tuple", longer(x))


@case
def paths(paddle, show):
    nn = paddle.nn
    net = nn.Sequential(nn.Linear(1, 1), nn.Sequential(nn.ReLU()))
    net.register_buffer("b", paddle.to_tensor([1.0]))
    show("shapes", [list(net.get_parameter("0.weight").shape), list(net.get_buffer("b").shape)])
    show("layers", [repr(net.get_sublayer("1.0")), net.get_sublayer("") is net])
    for path in ("0.nope", "9.nope", "1.5"):
        show.raises(path, lambda p=path: net.get_parameter(p))


@case
def sequential(paddle, show):
    nn = paddle.nn
    net = nn.Sequential(nn.Linear(2, 3), nn.ReLU())
    show("found", [repr(net[0]), repr(net[-1]), repr(net[0:1]), repr(net["0"]), len(net)])
    net[0] = nn.Tanh()
    show("set", repr(net))
    show("append", repr(net.append(nn.Tanh())))
    show("insert", repr(net.insert(0, nn.Sigmoid())))
    show("extend", repr(net.extend([nn.ELU()])))
    del net[0]
    show("del", repr(net))


@case
def layer_list(paddle, show):
    nn = paddle.nn
    row = nn.LayerList([nn.Linear(1, 1), nn.ReLU()])
    show("text", [repr(row), repr(row[-1]), repr(row[0:1]), len(row)])
    show("insert", [row.insert(0, nn.Tanh()), row.insert(-1, nn.Mish()), repr(row)])
    del row[0]
    show("del", [repr(row), list(dict(row.named_children()))])
    del row[0:2]
    show("del some", repr(row))
    show("append", repr(row.append(nn.ELU()).extend([nn.GELU()])))
    show("pop", [repr(row.pop(0)), repr(row)])


@case
def layer_dict(paddle, show):
    nn = paddle.nn
    held = nn.LayerDict({"a": nn.Linear(1, 1), "b": nn.ReLU()})
    show("like a dict", ["a" in held, len(held), list(held), list(held.keys())])
    show("items", [[k, repr(v)] for k, v in held.items()] + [repr(v) for v in held.values()])
    show("pop", [repr(held.pop("a")), repr(held)])
    held.update({"q": nn.Tanh()})
    held.update(nn.LayerDict({"z": nn.ELU()}))
    held["n"] = nn.Mish()
    del held["n"]
    show("updated", repr(held))
    held.clear()
    show("clear", repr(held))


@case
def rows_and_dicts_of_parameters(paddle, show):
    nn = paddle.nn
    made = [paddle.create_parameter([1], "float32") for _ in range(3)]
    row = nn.ParameterList(made[:2])
    show("row", [repr(row), len(row), row[0] is made[0], [n for n, _ in row.named_parameters()]])
    show("append", [row.append(made[2]) is row, [p.name for p in row]])
    held = nn.ParameterDict({"w": made[0], "b": made[1]})
    show("dict", [repr(held), len(held), list(held), held["w"] is made[0], "w" in held])
    held.update([("c", made[2])])
    held["e"] = made[0]
    show("updated", [list(held), [n for n, _ in held.named_parameters()]])
    show.raises("nothing", lambda: held["zz"])


@case
def texts_with_more_to_say(paddle, show):
    nn = paddle.nn

    class Told(nn.Layer):
        def __init__(self, text, *inner):
            super().__init__()
            self.text = text
            for number, layer in enumerate(inner):
                self.add_sublayer(f"s{number}", layer)

        def extra_repr(self):
            return self.text

    show("one line", repr(Told("x=1")))
    show("two lines", repr(Told("x=1\ny=2")))
    show("one and a layer", repr(Told("x=1", nn.ReLU())))
    show("two and layers", repr(Told("x=1\ny=2", nn.Sequential(nn.ReLU()), nn.Tanh())))
    show("inside", repr(nn.Sequential(Told("x=1\ny=2", nn.ReLU()))))


TABLE = texts("layers", globals())
