"""The tape and the Program of one model: matched boxes, and one scrubber for both."""

import re

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle.engine.errors import InvalidArgument
from tests.static.world import fresh

from . import programs
from .pages import payload_in, script_in

WEIGHT = np.array([[1.0, 0.5], [2.0, -1.0], [-1.0, 0.3]], "float32")
ROWS = np.array(programs.ROWS, "float32")


def parameter():
    start = paddle.nn.initializer.Assign(WEIGHT)
    return paddle.create_parameter([3, 2], "float32", default_initializer=start)


def tanh(x):
    return np.tanh(np.asarray(x))


def tanh_grad(y, dy):
    return np.asarray(dy) * (1 - np.square(np.asarray(y)))


def eager():
    x, w = paddle.to_tensor(ROWS), parameter()
    sgd = paddle.optimizer.SGD(0.1, parameters=[w])
    with viz.record() as trace:
        y = programs.cus_tanh.apply(paddle.matmul(x, w))
        loss = (y * y).mean()
        loss.backward()
        sgd.step()
    return trace


def program(ran=True, more=False):
    with fresh() as (main, startup), viz.record() as trace:
        x = paddle.static.data("x", [2, 3], "float32")
        h = paddle.matmul(x, parameter())
        if more:
            h = paddle.exp(h)
        y = main.current_block().create_var(name="y", shape=[2, 2], dtype="float32")
        paddle.static.py_func(tanh, h, y, tanh_grad, skip_vars_in_backward_input=h)
        loss = paddle.mean(y * y)
        paddle.optimizer.SGD(0.1).minimize(loss)
        if ran:
            executor = paddle.static.Executor()
            executor.run(startup)
            executor.run(main, feed={"x": ROWS}, fetch_list=[loss])
    return trace


@pytest.fixture(scope="module")
def twin():
    return viz.twin(eager(), program())


def table(twin):
    return [(m.left and str(m.left.label), m.right and str(m.right.label)) for m in twin.matches]


def test_every_box_finds_its_partner(twin):
    assert table(twin) == [
        ("@", "matmul_v2"),
        ("cus_tanh", "py_func: tanh"),
        ("×", "elementwise_mul"),
        ("mean", "reduce_mean"),
        ("1", "fill_constant"),
        ("mean backward", "reduce_mean_grad"),
        ("multiply backward", "elementwise_mul_grad"),
        ("+=", "+="),
        ("cus_tanh.backward", "py_func: tanh_grad"),
        ("matmul backward", "matmul_v2_grad"),
        ("SGD: w", "sgd"),
    ]


def test_a_step_of_only_one_side_is_shown_alone():
    found = viz.twin(eager(), program(more=True))
    assert (None, "exp") in table(found)
    assert (None, "exp_grad") in table(found)
    assert found.summary("en") == "11 boxes match. Only in the Program: exp, exp_grad."


def test_the_steps_of_both_go_together(twin):
    together = [
        (twin.left.steps[a].text.en, twin.right.steps[b].text.en)
        for a, b in twin.steps
        if a is not None and b is not None
    ]
    words = [(left.split()[0], right.split()[0]) for left, right in together]
    assert words[0][1] == "matmul_v2"
    assert ("cus_tanh.forward", "py_func") in words
    assert len(together) >= 9
    for side, story in enumerate((twin.left, twin.right)):
        order = [pair[side] for pair in twin.steps if pair[side] is not None]
        assert order == list(range(len(story.steps)))


def test_the_table_of_boxes_has_two_languages(twin):
    text = twin.text()
    assert re.search(r"^cus_tanh +\[2, 2\] float32 +py_func: tanh ", text, re.MULTILINE)
    assert text.endswith("11 boxes match.\n")
    assert "-- 反向 --" in twin.text("zh")
    assert repr(twin) == "<Twin: 11 of 11 boxes match>"


def test_the_page_is_one_module_and_holds_both_payloads(twin, tmp_path):
    page = twin.save(tmp_path / "twin.html").read_text(encoding="utf-8")
    assert page == twin.html()
    data = payload_in(page)
    assert data["left"]["chapters"]
    assert data["right"]["chapters"]
    assert ["op1", "p2.op0"] in data["matches"]
    assert script_in(page).endswith("\n$twin.mountTwin(host, await payload, options);\n")
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")


def test_two_traces_of_one_kind_are_an_error():
    with pytest.raises(InvalidArgument, match="needs an eager trace"):
        viz.twin(eager(), eager())
