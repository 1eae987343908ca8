"""Layers, losses, initializers and gradient clipping: every name imported here is public."""

# ruff: noqa: F401
# mypy: implicit-reexport

from __future__ import annotations

from ..ops.boundary import public_names as _public_names
from ..ops.boundary import publish as _publish
from ..paddle_names import absent
from ..parameters.initializers import ParamAttr
from . import clip, functional, initializer, loss, utils
from .activation import (
    CELU,
    ELU,
    GELU,
    GLU,
    SELU,
    Hardshrink,
    Hardsigmoid,
    Hardswish,
    Hardtanh,
    LeakyReLU,
    LogSigmoid,
    LogSoftmax,
    Maxout,
    Mish,
    PReLU,
    ReLU,
    ReLU6,
    RReLU,
    Sigmoid,
    SiLU,
    Silu,
    Softmax,
    Softmax2D,
    Softplus,
    Softshrink,
    Softsign,
    Swish,
    Tanh,
    Tanhshrink,
    ThresholdedReLU,
)
from .attention import MultiHeadAttention
from .cells import GRUCell, LSTMCell, RNNCellBase, SimpleRNNCell
from .clip import ClipGradByGlobalNorm, ClipGradByNorm, ClipGradByValue
from .common import (
    AlphaDropout,
    Bilinear,
    CosineSimilarity,
    Dropout,
    Dropout2D,
    Dropout3D,
    Embedding,
    FeatureAlphaDropout,
    Flatten,
    Identity,
    Linear,
    Pad1D,
    Pad2D,
    Pad3D,
    PairwiseDistance,
    Unflatten,
    ZeroPad1D,
    ZeroPad2D,
    ZeroPad3D,
)
from .container import LayerDict, LayerList, Sequential
from .conv import Conv1D, Conv1DTranspose, Conv2D, Conv2DTranspose, Conv3D, Conv3DTranspose
from .layer import Layer
from .loss import (
    BCELoss,
    BCEWithLogitsLoss,
    CosineEmbeddingLoss,
    CrossEntropyLoss,
    CTCLoss,
    GaussianNLLLoss,
    HingeEmbeddingLoss,
    KLDivLoss,
    L1Loss,
    MarginRankingLoss,
    MSELoss,
    MultiLabelSoftMarginLoss,
    MultiMarginLoss,
    NLLLoss,
    PoissonNLLLoss,
    SmoothL1Loss,
    SoftMarginLoss,
    TripletMarginLoss,
    TripletMarginWithDistanceLoss,
)
from .norm import (
    BatchNorm,
    BatchNorm1D,
    BatchNorm2D,
    BatchNorm3D,
    GroupNorm,
    InstanceNorm1D,
    InstanceNorm2D,
    InstanceNorm3D,
    LayerNorm,
    SpectralNorm,
)
from .parameters import ParameterDict, ParameterList, create_parameter
from .pooling import (
    AdaptiveAvgPool1D,
    AdaptiveAvgPool2D,
    AdaptiveAvgPool3D,
    AdaptiveMaxPool1D,
    AdaptiveMaxPool2D,
    AdaptiveMaxPool3D,
    AvgPool1D,
    AvgPool2D,
    AvgPool3D,
    MaxPool1D,
    MaxPool2D,
    MaxPool3D,
    MaxUnPool1D,
    MaxUnPool2D,
    MaxUnPool3D,
)
from .rnn import GRU, LSTM, RNN, BiRNN, SimpleRNN
from .transformer import (
    Transformer,
    TransformerDecoder,
    TransformerDecoderLayer,
    TransformerEncoder,
    TransformerEncoderLayer,
)
from .vision import (
    ChannelShuffle,
    Fold,
    PixelShuffle,
    PixelUnshuffle,
    Unfold,
    Upsample,
    UpsamplingBilinear2D,
    UpsamplingNearest2D,
)

__all__ = list(_public_names(globals(), "clip", "functional", "initializer", "loss", "utils"))

__getattr__ = absent.names(__name__)

_publish(globals(), __all__)
