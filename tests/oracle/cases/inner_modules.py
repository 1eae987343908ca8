"""Names in Paddle's inner modules, which are those of its public modules."""

import importlib

from ..harness import case
from ._texts import texts

NAMES = {
    "framework": "ParamAttr CPUPlace get_default_dtype load no_grad save seed set_flags",
    "framework.random": "get_rng_state seed set_rng_state",
    "framework.io": "load save",
    "base": "Program ParamAttr Executor CPUPlace append_backward set_flags get_flags",
    "base.core": "CPUPlace CUDAPlace",
    "base.framework": "Variable in_dygraph_mode",
    "base.executor": "Executor global_scope scope_guard",
    "base.param_attr": "ParamAttr",
    "base.dygraph": "grad",
    "tensor": "mm flatten transpose add",
    "tensor.math": "add",
    "tensor.creation": "zeros full arange",
    "tensor.manipulation": "concat reshape",
    "nn.layer": "Linear Layer ReLU",
    "nn.layer.layers": "Layer",
    "nn.layer.loss": "CrossEntropyLoss MSELoss",
    "nn.layer.common": "Linear Dropout Embedding",
    "nn.layer.conv": "Conv2D",
    "nn.layer.norm": "BatchNorm2D LayerNorm",
    "nn.layer.pooling": "MaxPool2D",
    "nn.layer.activation": "ReLU Softmax",
    "nn.functional.common": "cosine_similarity",
    "nn.functional.loss": "mse_loss",
    "nn.functional.activation": "relu",
    "nn.initializer.normal": "Normal",
    "optimizer.adam": "Adam",
    "optimizer.optimizer": "Optimizer",
    "io.dataloader": "Dataset BatchSampler",
    "io.dataloader.dataset": "Dataset TensorDataset",
    "io.reader": "DataLoader",
    "metric.metrics": "Accuracy Metric",
    "static.input": "InputSpec data",
    "autograd.py_layer": "PyLayer PyLayerContext",
    "text.datasets": "Imdb UCIHousing",
    "hapi": "Model summary flops",
    "hapi.model": "Model",
    "hapi.callbacks": "Callback EarlyStopping",
}
PUBLIC = ("", ".static", ".base", ".nn", ".nn.functional", ".nn.initializer", ".optimizer", ".io")
PUBLIC += (".metric", ".autograd", ".text", ".callbacks", ".random")


@case
def names_are_the_public_ones(paddle, show):
    """Whether a public module has the very object, and attributes lead to it too."""
    for module, names in NAMES.items():
        inner = importlib.import_module(f"{paddle.__name__}.{module}")
        walked = paddle
        for step in module.split("."):
            walked = getattr(walked, step)
        for name in names.split():
            found = getattr(inner, name)
            homes = [importlib.import_module(f"{paddle.__name__}{place}") for place in PUBLIC]
            same = any(getattr(home, name, None) is found for home in homes)
            show(f"{module}.{name}", [same, getattr(walked, name) is found])


@case
def modes_inside_guards(paddle, show):
    guard = paddle.base.dygraph.guard
    paddle.enable_static()
    try:
        with guard():
            show("inside", paddle.in_dynamic_mode())
            with guard(paddle.CPUPlace()):
                show("twice", paddle.in_dynamic_mode())
        show("after", paddle.in_dynamic_mode())
    finally:
        paddle.disable_static()
    with guard():
        show("dynamic", [paddle.in_dynamic_mode(), paddle.base.dygraph.enabled()])
    show("dynamic after", paddle.in_dynamic_mode())


TABLE = texts("inner_modules", globals())
