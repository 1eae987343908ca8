"""Networks: layers, their functions, losses and initializers."""

from __future__ import annotations

from .. import _absent
from . import clip, functional, initializer, loss, utils
from .activation import LogSoftmax, ReLU, Sigmoid, Softmax, Tanh
from .clip import ClipGradByGlobalNorm, ClipGradByNorm, ClipGradByValue
from .common import Dropout, Embedding, Flatten, Identity, Linear
from .container import LayerList, Sequential
from .conv import Conv1D, Conv1DTranspose, Conv2D, Conv2DTranspose
from .create import create_parameter
from .layer import Layer
from .loss import CrossEntropyLoss, L1Loss, MSELoss, NLLLoss
from .norm import (
    BatchNorm1D,
    BatchNorm2D,
    BatchNorm3D,
    GroupNorm,
    InstanceNorm1D,
    InstanceNorm2D,
    LayerNorm,
)
from .pad import CosineSimilarity, Dropout2D, Pad1D, Pad2D, ZeroPad2D
from .param_attr import ParamAttr
from .pooling import (
    AdaptiveAvgPool1D,
    AdaptiveAvgPool2D,
    AdaptiveMaxPool1D,
    AdaptiveMaxPool2D,
    AvgPool1D,
    AvgPool2D,
    MaxPool1D,
    MaxPool2D,
)
from .transformer import MultiHeadAttention, TransformerEncoder, TransformerEncoderLayer

__all__ = [
    "AdaptiveAvgPool1D",
    "AdaptiveAvgPool2D",
    "AdaptiveMaxPool1D",
    "AdaptiveMaxPool2D",
    "AvgPool1D",
    "AvgPool2D",
    "BatchNorm1D",
    "BatchNorm2D",
    "BatchNorm3D",
    "ClipGradByGlobalNorm",
    "ClipGradByNorm",
    "ClipGradByValue",
    "Conv1D",
    "Conv1DTranspose",
    "Conv2D",
    "Conv2DTranspose",
    "CosineSimilarity",
    "CrossEntropyLoss",
    "Dropout",
    "Dropout2D",
    "Embedding",
    "Flatten",
    "GroupNorm",
    "Identity",
    "InstanceNorm1D",
    "InstanceNorm2D",
    "L1Loss",
    "Layer",
    "LayerList",
    "LayerNorm",
    "Linear",
    "LogSoftmax",
    "MSELoss",
    "MaxPool1D",
    "MaxPool2D",
    "MultiHeadAttention",
    "NLLLoss",
    "Pad1D",
    "Pad2D",
    "ParamAttr",
    "ReLU",
    "Sequential",
    "Sigmoid",
    "Softmax",
    "Tanh",
    "TransformerEncoder",
    "TransformerEncoderLayer",
    "ZeroPad2D",
    "clip",
    "create_parameter",
    "functional",
    "initializer",
    "loss",
    "utils",
]

__getattr__ = _absent.names(__name__)
