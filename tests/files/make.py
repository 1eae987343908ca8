"""Small files written by real Paddle, for the tests of `paddle.load`.

Call it with an interpreter that has Paddle: `python tests/files/make.py`. It writes into the folder
`paddle` beside it, and `loaded.json` with what real Paddle itself reads from them.
"""

import json
from collections import OrderedDict
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent / "paddle"


def write(paddle) -> None:
    paddle.seed(7)
    net = paddle.nn.Sequential(paddle.nn.Linear(3, 2), paddle.nn.ReLU(), paddle.nn.Linear(2, 1))
    rate = paddle.optimizer.lr.StepDecay(0.1, 2)
    adam = paddle.optimizer.Adam(rate, parameters=net.parameters())
    for _ in range(3):
        net(paddle.arange(6.0).reshape([2, 3])).square().mean().backward()
        adam.step()
        adam.clear_grad()
        rate.step()
    tensor = paddle.to_tensor([[1.5, -2.0]])
    values = {
        "net.pdparams": net.state_dict(),
        "adam.pdopt": adam.state_dict(),
        "one.pdtensor": tensor,
        "array.pd": np.arange(4.0).reshape(2, 2),
        "list.pd": [tensor, paddle.to_tensor([True, False]), paddle.to_tensor(3)],
        "bfloat16.pd": {"half": tensor.astype("bfloat16")},
        "checkpoint.pd": {
            "net": net.state_dict(),
            "epoch": 3,
            "best": 0.25,
            "name": "a net",
            "nothing": None,
            "pair": (tensor, [1, 2.5]),
            "array": np.array([[1, 2]], "int32"),
            "scalar": np.float32(0.5),
            "z": 1 + 2j,
            "order": OrderedDict(b=paddle.to_tensor([2], dtype="int8"), a=True),
        },
    }
    for name, value in values.items():
        paddle.save(value, str(HERE / name))
    paddle.save(net.state_dict(), str(HERE / "protocol2.pdparams"), protocol=2)
    read = {
        path.name: shown(paddle.load(str(path)))
        for path in sorted(HERE.iterdir())
        if path.suffix != ".json"
    }
    text = json.dumps(read, indent=1)
    (HERE / "loaded.json").write_text(text + "\n", encoding="utf-8")


def shown(value):
    """Values in a form that JSON has: what they are, and the bits of the numbers."""
    if hasattr(value, "stop_gradient"):
        array = value.astype("float32").numpy() if "bfloat16" in str(value.dtype) else value.numpy()
        return {"tensor": value.name, "stop": value.stop_gradient, **numbers(array)}
    if isinstance(value, np.ndarray):
        return {"array": True, **numbers(value)}
    if isinstance(value, dict):
        return {"dict": [[key, shown(inner)] for key, inner in value.items()]}
    if isinstance(value, (list, tuple)):
        return {type(value).__name__: [shown(inner) for inner in value]}
    return f"{type(value).__name__} {value}"


def numbers(array):
    return {
        "dtype": array.dtype.name,
        "shape": list(array.shape),
        "bytes": np.ascontiguousarray(array).tobytes().hex(),
    }


if __name__ == "__main__":
    import paddle

    HERE.mkdir(exist_ok=True)
    write(paddle)
