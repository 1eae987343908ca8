"""Generators of names belong to a block or thread; states of optimizers have names."""

from concurrent.futures import ThreadPoolExecutor

import pytest

import minipaddle as paddle
from minipaddle.engine import naming
from tests.contract.refusal import refuses
from tests.static.world import fresh


def test_a_block_may_have_its_own_generator_of_names() -> None:
    naming.unique("fc")
    own = naming.UniqueNameGenerator("A_")
    own("fc")
    twin = own.clone()
    with naming.guard(own):
        assert naming.unique("fc") == "A_fc_1"
        assert naming.generator() is own
    assert naming.unique("fc") == "fc_1"
    assert (own("fc"), twin("fc")) == ("A_fc_2", "A_fc_1")


def test_a_generator_of_names_belongs_to_its_thread() -> None:
    names = paddle.utils.unique_name
    names.switch()
    try:
        names.generate("k")
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(names.generate, "k").result() == "k_0"
            pool.submit(names.switch).result()
        assert names.generate("k") == "k_1"
    finally:
        naming.reset()


@pytest.mark.parametrize("function", ["generate", "generate_with_ignorable_key"])
def test_a_key_must_be_text(function: str) -> None:
    with refuses(TypeError, f"unique_name.{function}()", "key, a str", "key=3"):
        getattr(paddle.utils.unique_name, function)(3)
    assert naming.unique("fc") == "fc_0"


def test_guard_and_switch_check_their_arguments() -> None:
    names = paddle.utils.unique_name
    with refuses(TypeError, "guard()", "str or bytes", "new_generator=3"):
        names.guard(3).__enter__()
    with refuses(TypeError, "switch()", "earlier", "new_generator='A'"):
        names.switch("A")
    assert names.generate("fc") == "fc_0"


def test_the_state_of_each_optimizer_has_its_own_name() -> None:
    """An optimizer that minimizes twice reuses its names; another one gets new numbers."""
    static = paddle.static
    with fresh():
        loss = static.nn.fc(static.data("x", [2, 3]), 1, bias_attr=False).mean()
        one, two = (paddle.optimizer.Momentum(0.1) for _ in "ab")
        for optimizer in (one, one, two):
            optimizer.minimize(loss)
        names = [v.name for v in static.default_main_program().list_vars() if "velocity" in v.name]
    assert names == ["fc_0.w_0_velocity_0", "fc_0.w_0_velocity_1"]
