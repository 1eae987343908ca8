"""Modules inside Paddle's packages that programs import, though Paddle documents no name of them.

Each has what the public modules beside it have: `paddle.nn.layer.loss.CrossEntropyLoss` is
`paddle.nn.CrossEntropyLoss`. `absent` finds these names, and makes the modules when imported.
"""

from __future__ import annotations

_ALL = "paddle paddle.static paddle.base paddle.device paddle.nn paddle.random"
_ROWS = (
    # package, its inner modules, the public modules that have their names
    ("paddle", "framework", _ALL),
    ("paddle.framework", "core dtype framework io random", _ALL),
    (
        "paddle.base",
        "backward compiler core data_feeder executor framework initializer io layers param_attr",
        _ALL,
    ),
    ("paddle.base.dygraph", "base", "paddle.base.dygraph"),
    ("paddle.base", "dygraph", _ALL),
    (
        "paddle.tensor",
        "array attribute creation linalg logic manipulation math ops random search stat",
        "paddle paddle.Tensor",
    ),
    ("paddle", "tensor", "paddle paddle.Tensor"),
    (
        "paddle.nn.layer",
        "activation common container conv distance layers loss norm pooling rnn transformer vision",
        "paddle.nn",
    ),
    ("paddle.nn", "layer", "paddle.nn"),
    ("paddle.nn", "clip", "paddle.nn"),
    (
        "paddle.nn.functional",
        "activation common conv distance extension input loss norm pooling vision",
        "paddle.nn.functional",
    ),
    (
        "paddle.nn.initializer",
        "assign constant dirac initializer kaiming normal orthogonal uniform xavier",
        "paddle.nn.initializer",
    ),
    (
        "paddle.optimizer",
        "adadelta adagrad adam adamax adamw lamb momentum optimizer rmsprop sgd",
        "paddle.optimizer",
    ),
    ("paddle.io", "dataloader reader", "paddle.io"),
    (
        "paddle.io.dataloader",
        "batch_sampler collate dataset sampler worker",
        "paddle.io",
    ),
    ("paddle.metric", "metrics", "paddle.metric"),
    ("paddle.static", "input io", "paddle.static"),
    ("paddle.static.nn", "common control_flow", "paddle.static.nn"),
    ("paddle.autograd", "autograd backward_mode py_layer", "paddle.autograd"),
    ("paddle.text", "datasets", "paddle.text"),
    ("paddle", "hapi", "paddle"),
    ("paddle.hapi", "callbacks dynamic_flops model_summary", "paddle paddle.callbacks"),
)
MODULES = {
    f"{package}.{name}": tuple(places.split())
    for package, names, places in _ROWS
    for name in names.split()
}
PACKAGES = {name.rpartition(".")[0] for name in MODULES}
