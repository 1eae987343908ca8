"""Programs in files: jit.save and load, save_inference_model and load_inference_model."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle.jit.running import Runner
from minipaddle.jit.tracing import Traced, trace
from minipaddle.static.inference_model import Model, program_as_json, program_from_json
from tests.contract.refusal import refused
from tests.each import each
from tests.ops.drawing import call, draw, flat, sampled, tensors_of

from .test_to_static import Net, is_close

SAMPLES = [
    pytest.param(op, sample, id=name)
    for op, sample, name in sampled()
    if op.name != "copy_to"  # its place is of this machine
]
spec = paddle.static.InputSpec([None, 3], "float32", "x")


@pytest.mark.slow
@each("op, sample", SAMPLES)
def test_every_op_comes_back_from_json(op: Any, sample: Any) -> None:
    arrays = draw(op, sample)
    tensors = tensors_of(arrays)
    traced = trace(lambda *given: call(op, list(given), sample), tuple(tensors), {})
    names = [out.name for out in traced.outputs]
    feeds = [variable.name for variable in traced.inputs]
    text = json.dumps(program_as_json(Model(traced.program, feeds, names, {})))
    program = program_from_json(json.loads(text))
    block = program.global_block()
    inputs, outputs = ([block.var(name) for name in row] for row in (feeds, names))
    runner = Runner(Traced(program, inputs, [], outputs, []), op.name)
    expected = call(op, tensors, sample)
    for out, value in zip(runner(flat(tensors)), expected, strict=True):
        is_close(out.numpy(), value.numpy())


def test_a_loaded_layer_computes_the_same_and_trains_on(tmp_path: Path) -> None:
    net = Net()
    net(paddle.randn([5, 3]))  # running statistics other than at the start
    paddle.jit.save(net, tmp_path / "net", [spec])
    assert sorted(file.name for file in tmp_path.iterdir()) == ["net.json", "net.pdiparams"]
    loaded = paddle.jit.load(tmp_path / "net")
    net.eval()
    x = paddle.randn([4, 3])
    np.testing.assert_array_equal(loaded(x).numpy(), net(x).numpy())
    trained = sorted(p.name for p in net.parameters() if not p.stop_gradient)
    assert [p.name for p in loaded.parameters()] == trained
    assert not loaded.training
    refused(loaded.program, ValueError, "backward")
    optimizer = paddle.optimizer.SGD(0.1, parameters=loaded.parameters())
    losses = []
    for _ in range(3):
        loss = paddle.square(loaded(x)).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(loss.item())
    assert losses[0] > losses[1] > losses[2]


def test_a_function_of_to_static_is_saved_as_it_was_called(tmp_path: Path) -> None:
    weight = paddle.to_tensor([[1.0, 2.0]])
    function = paddle.jit.to_static(lambda x, power: (x @ weight.T) ** power)
    with pytest.raises(ValueError, match="0 Programs"):
        paddle.jit.save(function, tmp_path / "f")
    x = paddle.to_tensor([[3.0, 4.0]])
    function(x, 2)
    paddle.jit.save(function, tmp_path / "f")
    assert paddle.jit.load(tmp_path / "f")(x).tolist() == [[121.0]]
    with pytest.raises(ValueError, match="takes 1 input"):
        paddle.jit.load(tmp_path / "f")(x, x)


def test_the_executor_runs_a_loaded_program(tmp_path: Path) -> None:
    x = paddle.ones([2, 3])
    net = Net()
    paddle.jit.save(net, tmp_path / "net", [spec])
    net.eval()
    paddle.enable_static()
    executor = paddle.static.Executor()
    program, feeds, fetches = paddle.static.load_inference_model(tmp_path / "net", executor)
    (result,) = executor.run(program, dict(zip(feeds, [x.numpy()], strict=True)), fetches)
    paddle.disable_static()
    np.testing.assert_array_equal(result, net(x).numpy())


def test_only_what_the_results_need_is_saved(tmp_path: Path) -> None:
    paddle.enable_static()
    main, startup = paddle.static.Program(), paddle.static.Program()
    with paddle.static.program_guard(main, startup):
        data = paddle.static.data("data", [None, 2])
        label = paddle.static.data("label", [None, 1])
        guess = paddle.static.nn.fc(paddle.nn.functional.dropout(data, 0.5), 1)
        loss = paddle.mean(paddle.square(guess - label))
        paddle.optimizer.SGD(0.1).minimize(loss)
    executor = paddle.static.Executor()
    executor.run(startup)
    paddle.static.save_inference_model(tmp_path / "net", data, guess, executor, program=main)
    program, feeds, (fetch,) = paddle.static.load_inference_model(tmp_path / "net", executor)
    array = np.float32([[1.0, 2.0]])
    (loaded,) = executor.run(program, {feeds[0]: array}, [fetch])
    (expected,) = executor.run(
        main.clone(for_test=True), {"data": array, "label": [[0.0]]}, [guess]
    )
    paddle.disable_static()
    assert feeds == ["data"]
    assert [op.type for op in program.global_block().ops][-1] == "elementwise_add"
    np.testing.assert_array_equal(loaded, expected)


def test_a_gradient_cannot_be_saved(tmp_path: Path) -> None:
    slope = paddle.jit.to_static(lambda x: paddle.grad(paddle.tanh(x), [x])[0], full_graph=True)
    x = paddle.to_tensor([0.5], stop_gradient=False)
    assert slope(x).shape == [1]
    refused(paddle.jit.save, ValueError, slope, tmp_path / "slope")


def test_a_py_func_cannot_be_saved(tmp_path: Path) -> None:
    paddle.enable_static()
    with paddle.static.program_guard(paddle.static.Program()):
        x = paddle.static.data("x", [2])
        y = x.block.create_var(name="y", shape=[2], dtype="float32")
        paddle.static.py_func(np.square, x, y)
        with pytest.raises(ValueError, match="py_func"):
            paddle.static.save_inference_model(tmp_path / "f", x, y, paddle.static.Executor())
    paddle.disable_static()
    assert not list(tmp_path.iterdir())


DAMAGES = {
    "no JSON": lambda text: text[:-20],
    "another format": lambda text: text.replace("program 1", "program 9"),
    "an unknown op": lambda text: text.replace('"op": "matmul"', '"op": "os.system"'),
    "a missing variable": lambda text: text.replace('"linear_0.w_0"', '"nobody"', 1),
    "an unknown dtype": lambda text: text.replace("float32", "float31"),
    "a wrong shape": lambda text: text.replace("-1", "-7", 1),
}


@each("damage", list(DAMAGES))
def test_a_damaged_file_is_refused(damage: str, tmp_path: Path) -> None:
    paddle.jit.save(paddle.nn.Linear(3, 2), tmp_path / "net", [spec])
    file = tmp_path / "net.json"
    before = file.read_text(encoding="utf-8")
    file.write_text(DAMAGES[damage](before), encoding="utf-8")
    assert file.read_text(encoding="utf-8") != before
    with pytest.raises(ValueError, match=r"net\.json"):
        paddle.jit.load(tmp_path / "net")
