"""Modules inside Paddle's packages that programs import, though Paddle documents no name of them.

Each has what the public modules beside it have: `paddle.nn.layer.loss.CrossEntropyLoss` is
`paddle.nn.CrossEntropyLoss`. `absent` finds these names, and makes the modules when imported.
"""

from __future__ import annotations

_ALL = "paddle paddle.static paddle.base paddle.device paddle.nn paddle.random paddle.utils"
_TENSOR = "array attribute creation linalg logic manipulation math ops random search stat"
_LAYERS = "activation common container conv distance layers loss norm pooling rnn transformer"
_LAYERS += " vision"
_BASE = "backward compiler core data_feeder dygraph executor framework initializer io layers"
_BASE += " param_attr"
_FUNCTIONS = "activation common conv distance extension input loss norm pooling vision"
_OPTIMIZERS = "adadelta adagrad adam adamax adamw asgd lamb momentum nadam optimizer radam rmsprop"
_OPTIMIZERS += " rprop sgd"
_FAMILIES = "bernoulli beta categorical dirichlet distribution exponential exponential_family"
_FAMILIES += " independent laplace multinomial normal transformed_distribution uniform"
_INITIALIZERS = "assign bilinear constant dirac initializer kaiming normal orthogonal uniform"
_INITIALIZERS += " xavier"
# (package, its inner modules): the public modules that have their names
_ROWS = {
    ("paddle", "framework"): _ALL,
    ("paddle", "base"): "paddle paddle.static paddle.utils",
    ("paddle", "tensor"): "paddle paddle.Tensor",
    ("paddle", "hapi"): "paddle",
    ("paddle.framework", "core dtype framework io random"): _ALL,
    ("paddle.base", _BASE): _ALL,
    ("paddle.base", "unique_name"): "paddle.utils.unique_name",
    ("paddle.base.dygraph", "base"): "paddle.base.dygraph",
    ("paddle.tensor", _TENSOR): "paddle paddle.Tensor",
    ("paddle.nn", "clip layer"): "paddle.nn",
    ("paddle.nn.layer", _LAYERS): "paddle.nn",
    ("paddle.nn.functional", _FUNCTIONS): "paddle.nn.functional",
    ("paddle.nn.initializer", _INITIALIZERS): "paddle.nn.initializer",
    ("paddle.optimizer", _OPTIMIZERS): "paddle.optimizer",
    ("paddle.distribution", _FAMILIES): "paddle.distribution",
    ("paddle.jit", "api"): "paddle.jit",
    ("paddle.static.nn", "common control_flow"): "paddle.static.nn",
    ("paddle.amp", "grad_scaler"): "paddle.amp",
    ("paddle.io", "dataloader reader"): "paddle.io",
    ("paddle.io.dataloader", "batch_sampler dataset sampler"): "paddle.io",
    ("paddle.metric", "metrics"): "paddle.metric",
    ("paddle.static", "input io"): "paddle.static",
    ("paddle.autograd", "backward_mode py_layer"): "paddle.autograd",
    ("paddle.text", "datasets"): "paddle.text",
    ("paddle.hapi", "callbacks dynamic_flops model_summary"): "paddle paddle.callbacks",
}
MODULES = {
    f"{package}.{name}": tuple(places.split())
    for (package, names), places in _ROWS.items()
    for name in names.split()
}
PACKAGES = {name.rpartition(".")[0] for name in MODULES}
