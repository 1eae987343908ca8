"""Layers without parameters as functions: every name imported here is in `paddle.nn.functional`."""

# ruff: noqa: F401

from __future__ import annotations

from ...ops import catalog as _catalog
from ...ops.boundary import accept_names as _accept_names
from ...ops.reference import describe as _describe
from ...paddle_names import absent
from .activation import (
    elu_,
    glu,
    gumbel_softmax,
    hardtanh_,
    leaky_relu_,
    log_softmax,
    maxout,
    prelu,
    relu_,
    rrelu,
    silu,
    softmax,
    softmax_,
    swiglu,
    tanh_,
    thresholded_relu_,
)
from .attention import scaled_dot_product_attention
from .common import (
    alpha_dropout,
    bilinear,
    dropout,
    dropout1d,
    dropout2d,
    dropout3d,
    embedding,
    feature_alpha_dropout,
    linear,
    one_hot,
    pad,
    zeropad2d,
)
from .conv import conv1d, conv1d_transpose, conv2d, conv2d_transpose, conv3d, conv3d_transpose
from .ctc import ctc_loss
from .distances import (
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    gaussian_nll_loss,
    kl_div,
    l1_loss,
    log_loss,
    mse_loss,
    poisson_nll_loss,
    sigmoid_focal_loss,
    smooth_l1_loss,
    square_error_cost,
)
from .loss import cross_entropy, nll_loss, softmax_with_cross_entropy
from .margins import (
    cosine_embedding_loss,
    cosine_similarity,
    dice_loss,
    hinge_embedding_loss,
    label_smooth,
    margin_ranking_loss,
    multi_label_soft_margin_loss,
    multi_margin_loss,
    npair_loss,
    pairwise_distance,
    sequence_mask,
    soft_margin_loss,
    triplet_margin_loss,
    triplet_margin_with_distance_loss,
)
from .norm import batch_norm, group_norm, instance_norm, layer_norm, normalize
from .pooling import (
    adaptive_avg_pool1d,
    adaptive_avg_pool2d,
    adaptive_avg_pool3d,
    adaptive_max_pool1d,
    adaptive_max_pool2d,
    adaptive_max_pool3d,
    avg_pool1d,
    avg_pool2d,
    avg_pool3d,
    max_pool1d,
    max_pool2d,
    max_pool3d,
    max_unpool1d,
    max_unpool2d,
    max_unpool3d,
)
from .vision import (
    channel_shuffle,
    fold,
    interpolate,
    pixel_shuffle,
    pixel_unshuffle,
    temporal_shift,
    unfold,
    upsample,
)

for _name, _entry in _catalog.table("functional").items():
    globals()[_name] = _entry.function_named(_name)

__all__ = [name for name, value in globals().items() if callable(value) and name[0] != "_"]

for _name in __all__:
    _function = globals()[_name]
    if not hasattr(_function, "op"):  # the public function accepts other argument names
        _describe(_function, "paddle.nn.functional")
        globals()[_name] = _accept_names(_function, (_name,))


__getattr__ = absent.names(__name__)
