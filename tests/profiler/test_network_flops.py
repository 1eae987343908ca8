"""paddle.flops leaves the network unchanged, and reports what it cannot count."""

import pytest

import minipaddle as paddle
from minipaddle import nn
from minipaddle.profiler.network_flops import COUNTS


class Stops(nn.Layer):
    """A network whose second layer is never reached."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(4, 4), nn.Dropout()
        self.first.total_ops = "mine"
        self.second.eval()

    def forward(self, x):
        self.second(self.first(x))
        raise ArithmeticError("stopped")


def test_a_network_is_left_as_it_was_even_after_an_error(capsys):
    net = Stops()
    before = [(layer.training, dict(layer._after)) for layer in net.sublayers(include_self=True)]
    with pytest.raises(ArithmeticError):
        paddle.flops(net, [1, 4])
    after = [(layer.training, dict(layer._after)) for layer in net.sublayers(include_self=True)]
    assert after == before
    assert net.first.total_ops == "mine"
    assert "total_ops" not in net.second.__dict__
    assert list(net.named_buffers()) == []
    assert "Total" not in capsys.readouterr().out


def test_an_object_that_is_no_network_gives_minus_one_and_a_warning():
    with pytest.warns(UserWarning, match=r"must be an instance of paddle\.nn\.Layer"):
        assert paddle.flops("net", [1, 4]) == -1


def test_a_subclass_counts_by_a_function_of_its_own(capsys):
    class Own(nn.Linear):
        pass

    def count(layer, inputs, output):
        layer.total_ops += paddle.to_tensor([inputs[0].shape[0] * 100])

    net = nn.Sequential(Own(4, 4))
    assert paddle.flops(net, [2, 4]) == 0
    assert paddle.flops(net, [2, 4], {Own: count}) == 200
    said = capsys.readouterr().out
    assert "Cannot find suitable count function for" in said
    assert "Customize Function has been applied to" in said
    assert [*net.named_buffers()] == []


def test_every_rule_belongs_to_an_existing_layer():
    assert all(issubclass(kind, nn.Layer) for kind in COUNTS)
