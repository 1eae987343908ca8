"""Networks: layers, their functions, losses and initializers."""

from __future__ import annotations

from .. import _absent
from . import functional, initializer, loss
from .activation import LogSoftmax, ReLU, Sigmoid, Softmax, Tanh
from .common import Dropout, Embedding, Flatten, Identity, Linear
from .container import LayerList, Sequential
from .create import create_parameter
from .layer import Layer
from .loss import CrossEntropyLoss, L1Loss, MSELoss, NLLLoss
from .param_attr import ParamAttr

__all__ = [
    "CrossEntropyLoss",
    "Dropout",
    "Embedding",
    "Flatten",
    "Identity",
    "L1Loss",
    "Layer",
    "LayerList",
    "Linear",
    "LogSoftmax",
    "MSELoss",
    "NLLLoss",
    "ParamAttr",
    "ReLU",
    "Sequential",
    "Sigmoid",
    "Softmax",
    "Tanh",
    "create_parameter",
    "functional",
    "initializer",
    "loss",
]

__getattr__ = _absent.names(__name__)
