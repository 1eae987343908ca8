"""Layers made of functions, and families of layers that differ in their number of axes."""

import copy
import inspect
import pickle
import typing

import pytest

import minipaddle as paddle
from minipaddle import nn
from minipaddle.nn.function_layer import FunctionLayer
from minipaddle.nn.spatial import Spatial
from tests.each import each

F = nn.functional


def made(family: type) -> list[type]:
    """The public layers of a family."""
    classes = (getattr(nn, name) for name in nn.__all__)
    return [c for c in classes if inspect.isclass(c) and issubclass(c, family)]


def arguments(layer: type) -> dict[str, object]:
    return {p.name: p.default for p in inspect.signature(layer).parameters.values()}


@each(
    ("layer", "wanted"),
    [
        (nn.ReLU, {"name": None}),
        (nn.Softplus, {"beta": 1, "threshold": 20, "name": None}),
        (nn.Softmax, {"axis": -1, "name": None}),
        (nn.Hardsigmoid, {"name": None}),
        (nn.MSELoss, {"reduction": "mean"}),
        (nn.Dropout3D, {"p": 0.5, "data_format": "NCDHW", "name": None}),
        (
            nn.AdaptiveMaxPool1D,
            {"output_size": inspect.Parameter.empty, "return_mask": False, "name": None},
        ),
    ],
)
def test_a_constructor_takes_the_settings_of_the_function(layer, wanted) -> None:
    assert arguments(layer) == wanted


def test_any_name_is_kept_as_in_paddle() -> None:
    """Scripts write ReLU(True), thinking of an argument `inplace`."""
    layer, x = nn.ReLU(True), paddle.to_tensor([-1.0, 2.0])
    assert repr(layer) == "ReLU(name=True)"
    assert layer(x).tolist() == [0.0, 2.0]
    assert x.tolist() == [-1.0, 2.0]


def test_each_generated_layer_looks_handwritten() -> None:
    layers = [*made(FunctionLayer), *made(Spatial)]
    assert len(layers) > 60
    for layer in layers:
        for name in ("__init__", "forward"):
            method = getattr(layer, name)
            assert method.__qualname__ in (f"{layer.__name__}.{name}", layer.__name__)
            assert method.__module__ == layer.__module__
            assert typing.get_type_hints(inspect.unwrap(method))
        doc = inspect.getdoc(layer)
        labels = [line.partition(":")[0] for line in doc.splitlines()]
        facts = [label for label in labels if label in ("Shapes", "Dtypes", "Errors", "Source")]
        assert facts[-3:] == ["Dtypes", "Errors", "Source"], layer


def test_settings_reach_the_function_and_follow_the_attributes() -> None:
    x = paddle.to_tensor([-1.0, 2.0])
    layer = nn.LeakyReLU(0.5)
    assert layer(x).tolist() == [-0.5, 2.0]
    layer._negative_slope = 0.25
    assert layer(x).tolist() == [-0.25, 2.0]
    assert pickle.loads(pickle.dumps(layer))(x).tolist() == [-0.25, 2.0]
    assert repr(copy.deepcopy(layer)) == "LeakyReLU(negative_slope=0.25)"
    pool = nn.AvgPool2D(2, divisor_override=8)
    assert (pool.ksize, pool.divisor) == (2, 8)
    assert pool(paddle.ones([1, 1, 2, 2])).tolist() == [[[[0.5]]]]
    drop = nn.AlphaDropout(1.0)
    assert float(drop.eval()(paddle.ones([2])).sum()) == 2.0
    assert repr(drop.train()(paddle.ones([2]))) != repr(paddle.ones([2]))


def test_a_user_may_subclass_a_generated_layer() -> None:
    class Shifted(nn.CrossEntropyLoss):
        def __init__(self, by: float) -> None:
            super().__init__(reduction="sum")
            self.by = by
            self.settings = nn.Linear(1, 1)  # no name of a layer is taken

        def forward(self, input, label):
            return super().forward(input, label) + self.by

    x, label = paddle.to_tensor([[0.0, 0.0]]), paddle.to_tensor([1])
    plain = nn.CrossEntropyLoss(reduction="sum")(input=x, label=label)
    assert float(Shifted(1.0)(x, label)) == pytest.approx(float(plain) + 1)


def test_errors_name_the_layer() -> None:
    with pytest.raises(TypeError, match=r"ELU\(\) got an unexpected keyword argument 'beta'"):
        nn.ELU(beta=1)
    with pytest.raises(TypeError, match=r"MSELoss.forward\(\) missing 1 .*'label'"):
        nn.MSELoss()(paddle.ones([1]))
    with pytest.raises(TypeError, match=r"Conv1D.forward\(\) missing"):
        nn.Conv1D(1, 1, 1)()
    with pytest.raises(ValueError, match=r"L1Loss\(\): reduction must be"):
        nn.L1Loss("maen")
    nn.KLDivLoss("maen")  # raises only in the function, as in Paddle


def test_the_number_of_axes_decides_the_layout() -> None:
    layouts = {1: "NCL", 2: "NCHW", 3: "NCDHW"}
    families = made(Spatial)
    assert {nn.BatchNorm3D, nn.Conv1DTranspose, nn.InstanceNorm1D, nn.Pad2D} <= {*families}
    for layer in families:
        assert arguments(layer)["data_format"] == layouts[layer._axes]
    assert nn.Pad1D(1).padding == [1, 1]
    assert nn.Pad2D(1).padding == [1, 1, 1, 1]
