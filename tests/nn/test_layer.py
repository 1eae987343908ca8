"""Layer: members, lookups, state, texts, errors, and events."""

import copy
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle import events, nn

from ..contract.refusal import refused, refuses


class Net(nn.Layer):
    """Parameters, buffers, and layers in layers."""

    def __init__(self):
        super().__init__()
        self.body = nn.LayerList([nn.Linear(2, 3), nn.ReLU()])
        self.scale = self.create_parameter([3])
        self.shift = self.create_parameter([3], is_bias=True)
        self.register_buffer("seen", paddle.ones([3]))
        self.register_buffer("scratch", paddle.ones([1]), persistable=False)

    def forward(self, x):
        for layer in self.body:
            x = layer(x)
        return x * self.scale + self.shift


# ----- saving -----


def test_loading_by_parameter_names_is_no_in_place_change() -> None:
    layer = nn.Linear(1, 1)
    with pytest.warns(UserWarning, match="Skip loading for bias. linear_0.b_0 is not found"):
        missing, _ = layer.set_state_dict(
            {"linear_0.w_0": np.float32([[7.0]])}, use_structured_name=False
        )
    assert missing == ["linear_0.b_0"]
    assert layer.weight.tolist() == [[7.0]]
    assert layer.weight.inplace_version == 0


def test_a_parameter_in_place_of_an_unsaved_buffer_is_saved() -> None:
    net = nn.Layer()
    net.register_buffer("scale", paddle.ones([1]), persistable=False)
    assert list(net.state_dict()) == []
    net.scale = paddle.create_parameter([1], "float32")
    assert list(net.state_dict()) == ["scale"]


def test_a_state_of_other_names_is_loaded_by_its_own_layer() -> None:
    class Turned(nn.Linear):
        def state_dict(self, *args: Any, **kwargs: Any) -> Any:
            state = super().state_dict(*args, **kwargs)
            return {"turned": state["weight"].T, "bias": state["bias"]}

        def set_state_dict(self, state_dict: Any, use_structured_name: bool = True) -> Any:
            state = {"weight": state_dict["turned"].T, "bias": state_dict["bias"]}
            return super().set_state_dict(state, use_structured_name)

    first, second = Turned(2, 3), Turned(2, 3)
    assert second.set_state_dict(first.state_dict()) == ([], [])
    assert second.weight.tolist() == first.weight.tolist()


def test_a_deep_copy_is_independent() -> None:
    net = Net()
    twin = copy.deepcopy(net)
    assert twin.scale.name == "net_0.w_0_deepcopy_0"
    assert twin.scale is dict(twin.named_parameters())["scale"]
    twin.body[0].weight._data[...] = 0
    assert net.body[0].weight.abs().sum() > 0


# ----- hooks -----


def test_a_state_that_fits_only_in_part_changes_nothing() -> None:
    net = Net()
    state = {name: value.numpy() + 1 for name, value in net.state_dict().items()}
    state["body.0.bias"] = state["body.0.bias"].astype("float64")
    before = net.scale.numpy().copy()
    with refuses(AssertionError, "dtype not match", "linear_0.b_0"):
        net.set_state_dict(state)
    np.testing.assert_array_equal(net.scale.numpy(), before)


# ----- what listeners hear -----


def test_a_call_is_a_scope_named_by_class_and_attribute() -> None:
    net = Net()
    heard = []
    with events.listen(heard.append):
        net(paddle.ones([1, 2]))
    entered = [e for e in heard if isinstance(e, events.ScopeEntered)]
    left = [e for e in heard if isinstance(e, events.ScopeLeft)]
    assert [(e.kind, e.name) for e in entered] == [
        ("layer", "Net_0"),
        ("layer", "Linear 0"),
        ("layer", "ReLU 1"),
    ]
    assert [e.name for e in left] == ["Linear 0", "ReLU 1", "Net_0"]
    assert {e.place.function for e in entered} >= {
        "test_a_call_is_a_scope_named_by_class_and_attribute",
        "forward",
    }
    assert entered[0].inputs[0].value.shape == (1, 2)
    assert left[-1].outputs[0].value.shape == (1, 3)
    assert left[-1].scope == entered[0].scope


def test_an_error_inside_is_recorded_with_its_scope() -> None:
    heard = []
    with events.listen(heard.append), pytest.raises(ValueError, match="matmul"):
        nn.Linear(2, 2)(paddle.ones([1, 3]))
    failed = [(e.during, e.error) for e in heard if isinstance(e, events.Failed)]
    assert failed[-1] == ("scope", "InvalidArgument")


# ----- refusals -----


def test_init_of_the_base_comes_first() -> None:
    class Hasty(nn.Layer):
        def __init__(self):
            self.fc = nn.Linear(1, 1)

    with refuses(ValueError, "super().__init__() should be called first", "Hasty", "self.fc"):
        Hasty()


def test_layers_of_another_dtype_are_named_by_class() -> None:
    net = Net()
    refused(lambda: net.float16(excluded_layers=[net.body]), ValueError)
    assert {p.dtype for p in net.parameters()} == {paddle.float32}


def test_a_layer_moves_to_a_device_by_name() -> None:
    net = Net()
    before = net.scale.numpy()
    assert net.to("cpu") is net
    assert np.array_equal(net.scale.numpy(), before)
