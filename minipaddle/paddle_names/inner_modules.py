"""Modules inside Paddle's packages that programs import, though Paddle documents no name of them.

Each has what the public modules beside it have: `paddle.nn.layer.loss.CrossEntropyLoss` is
`paddle.nn.CrossEntropyLoss`. `absent` finds these names, and makes the modules when imported.
"""

from __future__ import annotations

_ALL = "paddle paddle.static paddle.base paddle.device paddle.nn paddle.random"
_TENSOR = "array attribute creation linalg logic manipulation math ops random search stat"
_LAYERS = "activation common container conv distance layers loss norm pooling rnn transformer"
_LAYERS += " vision"
_BASE = "core data_feeder dygraph executor framework initializer io layers param_attr"
# (package, its inner modules): the public modules that have their names
_ROWS = {
    ("paddle", "framework"): _ALL,
    ("paddle", "base"): "paddle paddle.static",
    ("paddle", "tensor"): "paddle paddle.Tensor",
    ("paddle", "hapi"): "paddle",
    ("paddle.framework", "core dtype framework io random"): _ALL,
    ("paddle.base", _BASE): _ALL,
    ("paddle.base.dygraph", "base"): "paddle.base.dygraph",
    ("paddle.tensor", _TENSOR): "paddle paddle.Tensor",
    ("paddle.nn", "clip layer"): "paddle.nn",
    ("paddle.nn.layer", _LAYERS): "paddle.nn",
    ("paddle.nn.functional", "activation common conv loss norm pooling"): "paddle.nn.functional",
    ("paddle.nn.initializer", "constant kaiming normal uniform xavier"): "paddle.nn.initializer",
    ("paddle.optimizer", "adam adamw momentum optimizer sgd"): "paddle.optimizer",
    ("paddle.io", "dataloader reader"): "paddle.io",
    ("paddle.io.dataloader", "batch_sampler dataset sampler"): "paddle.io",
    ("paddle.metric", "metrics"): "paddle.metric",
    ("paddle.static", "input io"): "paddle.static",
    ("paddle.autograd", "py_layer"): "paddle.autograd",
    ("paddle.text", "datasets"): "paddle.text",
    ("paddle.hapi", "callbacks dynamic_flops model_summary"): "paddle paddle.callbacks",
}
MODULES = {
    f"{package}.{name}": tuple(places.split())
    for (package, names), places in _ROWS.items()
    for name in names.split()
}
PACKAGES = {name.rpartition(".")[0] for name in MODULES}
