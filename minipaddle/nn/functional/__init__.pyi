# Written by docs/make_stubs.py; do not edit.

from collections.abc import Callable, Sequence
from typing import Any, overload

from minipaddle import Tensor, _AnyTensor, _DTypeLike, _Shape

@overload
def adaptive_avg_pool1d(
    x: _AnyTensor, output_size: int | Sequence[int], name: str | None = None
) -> Tensor:
    """The mean of each of output_size windows that cover the line evenly."""

@overload
def adaptive_avg_pool1d(
    input: _AnyTensor, output_size: int | Sequence[int], name: str | None = None
) -> Tensor:
    """The mean of each of output_size windows that cover the line evenly."""

@overload
def adaptive_avg_pool2d(
    x: _AnyTensor,
    output_size: int | Sequence[int],
    data_format: str = "NCHW",
    name: str | None = None,
) -> Tensor:
    """The mean of each of output_size windows that cover the image evenly; None keeps an axis."""

@overload
def adaptive_avg_pool2d(
    input: _AnyTensor,
    output_size: int | Sequence[int],
    data_format: str = "NCHW",
    name: str | None = None,
) -> Tensor:
    """The mean of each of output_size windows that cover the image evenly; None keeps an axis."""

@overload
def adaptive_max_pool1d(
    x: _AnyTensor,
    output_size: int | Sequence[int],
    return_mask: bool = False,
    name: str | None = None,
) -> Any:
    """The largest number of each of output_size windows that cover the line evenly."""

@overload
def adaptive_max_pool1d(
    input: _AnyTensor,
    output_size: int | Sequence[int],
    return_indices: bool = False,
    name: str | None = None,
) -> Any:
    """The largest number of each of output_size windows that cover the line evenly."""

@overload
def adaptive_max_pool2d(
    x: _AnyTensor,
    output_size: int | Sequence[int],
    return_mask: bool = False,
    name: str | None = None,
) -> Any:
    """The largest number of each of output_size windows that cover the image evenly."""

@overload
def adaptive_max_pool2d(
    input: _AnyTensor,
    output_size: int | Sequence[int],
    return_indices: bool = False,
    name: str | None = None,
) -> Any:
    """The largest number of each of output_size windows that cover the image evenly."""

def alpha_dropout(
    x: _AnyTensor, p: float = 0.5, training: bool = True, name: str | None = None
) -> Tensor:
    """Dropout that keeps mean 0 and variance 1: what is dropped goes to where selu ends."""

def avg_pool1d(
    x: _AnyTensor,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None = None,
    padding: int | Sequence[int] = 0,
    exclusive: bool = True,
    ceil_mode: bool = False,
    name: str | None = None,
) -> Tensor:
    """The mean of each window of lines [N, C, L]; see avg_pool2d."""

def avg_pool2d(
    x: _AnyTensor,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None = None,
    padding: int | Sequence[int] = 0,
    ceil_mode: bool = False,
    exclusive: bool = True,
    divisor_override: float | None = None,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Tensor:
    """The mean of each window of images; `exclusive`: of those numbers that are not padding."""

def batch_norm(
    x: _AnyTensor,
    running_mean: _AnyTensor,
    running_var: _AnyTensor,
    weight: _AnyTensor | None = None,
    bias: _AnyTensor | None = None,
    training: bool = False,
    momentum: float = 0.9,
    epsilon: float = 1e-05,
    data_format: str = "NCHW",
    use_global_stats: bool | None = None,
    name: str | None = None,
) -> Tensor:
    """x with mean 0 and variance 1 in each channel, scaled by weight and shifted by bias."""

def bilinear(
    x1: _AnyTensor,
    x2: _AnyTensor,
    weight: _AnyTensor,
    bias: _AnyTensor | None = None,
    name: str | None = None,
) -> Tensor:
    """x1 · weight[k] · x2 for each k, plus a bias; weight [out, in1, in2], bias [1, out]."""

def binary_cross_entropy(
    input: _AnyTensor,
    label: _AnyTensor,
    weight: _AnyTensor | None = None,
    reduction: str = "mean",
    name: str | None = None,
) -> Tensor:
    """How surprised probabilities are by labels between 0 and 1; `weight` multiplies each loss."""

def binary_cross_entropy_with_logits(
    logit: _AnyTensor,
    label: _AnyTensor,
    weight: _AnyTensor | None = None,
    reduction: str = "mean",
    pos_weight: _AnyTensor | None = None,
    name: str | None = None,
) -> Tensor:
    """Binary cross entropy of sigmoid(logit), exact also where sigmoid is 0 or 1."""

def celu(
    x: _AnyTensor, alpha: float = 1.0, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """elu with a slope of 1 at 0 for every alpha."""

@overload
def conv1d(
    x: _AnyTensor,
    weight: _AnyTensor,
    bias: _AnyTensor | None = None,
    stride: int | Sequence[int] = 1,
    padding: int | Sequence[int] = 0,
    dilation: int | Sequence[int] = 1,
    groups: int = 1,
    data_format: str = "NCL",
    name: str | None = None,
) -> Tensor:
    """Slide filters over lines: x [N, C, L], weight [out, C / groups, length]."""

@overload
def conv1d(
    input: _AnyTensor,
    weight: _AnyTensor,
    bias: _AnyTensor | None = None,
    stride: int | Sequence[int] = 1,
    padding: int | Sequence[int] = 0,
    dilation: int | Sequence[int] = 1,
    groups: int = 1,
    data_format: str = "NCL",
    name: str | None = None,
) -> Tensor:
    """Slide filters over lines: x [N, C, L], weight [out, C / groups, length]."""

def conv1d_transpose(
    x: _AnyTensor,
    weight: _AnyTensor,
    bias: _AnyTensor | None = None,
    stride: int | Sequence[int] = 1,
    padding: int | Sequence[int] = 0,
    output_padding: int | Sequence[int] = 0,
    groups: int = 1,
    dilation: int | Sequence[int] = 1,
    output_size: int | Sequence[int] | None = None,
    data_format: str = "NCL",
    name: str | None = None,
) -> Tensor:
    """The transpose of conv1d: x [N, C, L] and weight [C, out / groups, length]."""

@overload
def conv2d(
    x: _AnyTensor,
    weight: _AnyTensor,
    bias: _AnyTensor | None = None,
    stride: int | Sequence[int] = 1,
    padding: int | Sequence[int] = 0,
    dilation: int | Sequence[int] = 1,
    groups: int = 1,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Tensor:
    """Slide filters over images: x [N, C, H, W], weight [out, C / groups, height, width]."""

@overload
def conv2d(
    input: _AnyTensor,
    weight: _AnyTensor,
    bias: _AnyTensor | None = None,
    stride: int | Sequence[int] = 1,
    padding: int | Sequence[int] = 0,
    dilation: int | Sequence[int] = 1,
    groups: int = 1,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Tensor:
    """Slide filters over images: x [N, C, H, W], weight [out, C / groups, height, width]."""

def conv2d_transpose(
    x: _AnyTensor,
    weight: _AnyTensor,
    bias: _AnyTensor | None = None,
    stride: int | Sequence[int] = 1,
    padding: int | Sequence[int] = 0,
    output_padding: int | Sequence[int] = 0,
    dilation: int | Sequence[int] = 1,
    groups: int = 1,
    output_size: int | Sequence[int] | None = None,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Tensor:
    """The transpose of conv2d: x [N, C, H, W] and weight [C, out / groups, height, width]."""

def cosine_embedding_loss(
    input1: _AnyTensor,
    input2: _AnyTensor,
    label: _AnyTensor,
    margin: float = 0,
    reduction: str = "mean",
    name: str | None = None,
) -> Tensor:
    """1 - the cosine of two rows where the label is 1, max(0, cosine - margin) where it is -1."""

@overload
def cosine_similarity(x1: _AnyTensor, x2: _AnyTensor, axis: int = 1, eps: float = 1e-08) -> Tensor:
    """The cosine of the angle between x1 and x2 along an axis."""

@overload
def cosine_similarity(x1: _AnyTensor, x2: _AnyTensor, dim: int = 1, eps: float = 1e-08) -> Tensor:
    """The cosine of the angle between x1 and x2 along an axis."""

@overload
def cross_entropy(
    input: _AnyTensor,
    label: _AnyTensor,
    weight: _AnyTensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    soft_label: bool = False,
    axis: int = -1,
    use_softmax: bool = True,
    label_smoothing: float = 0.0,
    name: str | None = None,
) -> Tensor:
    """How surprised softmax(input) is by the label, in nats."""

@overload
def cross_entropy(
    input: _AnyTensor,
    target: _AnyTensor,
    weight: _AnyTensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    soft_label: bool = False,
    axis: int = -1,
    use_softmax: bool = True,
    label_smoothing: float = 0.0,
    name: str | None = None,
) -> Tensor:
    """How surprised softmax(input) is by the label, in nats."""

def dice_loss(
    input: _AnyTensor, label: _AnyTensor, epsilon: float = 1e-05, name: str | None = None
) -> Tensor:
    """1 - twice the overlap of probabilities [N, ..., C] and classes [N, ..., 1], over their sum."""

@overload
def dropout(
    x: _AnyTensor,
    p: float = 0.5,
    axis: int | Sequence[int] | None = None,
    training: bool = True,
    inplace: bool = False,
    mode: str = ...,
    name: str | None = None,
) -> Tensor:
    """x with each element dropped (set to 0) with probability p, and the others scaled up."""

@overload
def dropout(
    input: _AnyTensor,
    p: float = 0.5,
    axis: int | Sequence[int] | None = None,
    training: bool = True,
    inplace: bool = False,
    mode: str = ...,
    name: str | None = None,
) -> Tensor:
    """x with each element dropped (set to 0) with probability p, and the others scaled up."""

def dropout1d(
    input: _AnyTensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """Drop whole channels of input [N, C, L], the same ones in each sample, or of [C, L]."""

def dropout2d(
    x: _AnyTensor,
    p: float = 0.5,
    training: bool = True,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Tensor:
    """Drop whole channels of x [N, C, H, W], or [N, H, W, C] with "NHWC"."""

def dropout3d(
    x: _AnyTensor,
    p: float = 0.5,
    training: bool = True,
    data_format: str = "NCDHW",
    name: str | None = None,
) -> Tensor:
    """Drop whole channels of x [N, C, D, H, W], or [N, D, H, W, C] with "NDHWC"."""

def elu(
    x: _AnyTensor, alpha: float = 1.0, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Positive elements as they are, the others on an exponential that ends at -alpha."""

def elu_(x: _AnyTensor, alpha: float = 1.0, name: str | None = None) -> Tensor:
    """`elu`, x itself takes the result."""

@overload
def embedding(
    x: _AnyTensor,
    weight: _AnyTensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    sparse: bool = False,
    scale_grad_by_freq: bool = False,
    name: str | None = None,
) -> Tensor:
    """The row of `weight` for each number in x; the row `padding_idx` reads as zeros."""

@overload
def embedding(
    input: _AnyTensor,
    weight: _AnyTensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    sparse: bool = False,
    scale_grad_by_freq: bool = False,
    name: str | None = None,
) -> Tensor:
    """The row of `weight` for each number in x; the row `padding_idx` reads as zeros."""

def feature_alpha_dropout(
    x: _AnyTensor, p: float = 0.5, training: bool = True, name: str | None = None
) -> Tensor:
    """`alpha_dropout` of whole channels of x [N, C, ...]."""

def gaussian_nll_loss(
    input: _AnyTensor,
    label: _AnyTensor,
    variance: _AnyTensor,
    full: bool = False,
    epsilon: float = 1e-06,
    reduction: str = "mean",
    name: str | None = None,
) -> Tensor:
    """Minus the log-density of labels, normal with mean `input` and this variance (at least epsilon); `full` adds the constant part."""

@overload
def gelu(
    x: _AnyTensor, approximate: bool = False, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """x times the share of a normal distribution below x; approximately by a tanh."""

@overload
def gelu(
    input: _AnyTensor,
    approximate: bool = False,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """x times the share of a normal distribution below x; approximately by a tanh."""

@overload
def glu(x: _AnyTensor, axis: int = -1, name: str | None = None) -> Tensor:
    """The first half of x along `axis`, times sigmoid of the second."""

@overload
def glu(input: _AnyTensor, dim: int = -1, name: str | None = None) -> Tensor:
    """The first half of x along `axis`, times sigmoid of the second."""

@overload
def group_norm(
    x: _AnyTensor,
    num_groups: int,
    epsilon: float = 1e-05,
    weight: _AnyTensor | None = None,
    bias: _AnyTensor | None = None,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Tensor:
    """x with mean 0 and variance 1 over each of num_groups groups of channels of each sample."""

@overload
def group_norm(
    input: _AnyTensor,
    num_groups: int,
    eps: float = 1e-05,
    weight: _AnyTensor | None = None,
    bias: _AnyTensor | None = None,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Tensor:
    """x with mean 0 and variance 1 over each of num_groups groups of channels of each sample."""

def gumbel_softmax(
    x: _AnyTensor,
    temperature: float = 1.0,
    hard: bool = False,
    axis: int = -1,
    name: str | None = None,
) -> Tensor:
    """softmax((x + noise) / temperature) with Gumbel noise: a soft choice in the ratios of exp(x)."""

@overload
def hardshrink(
    x: _AnyTensor, threshold: float = 0.5, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Replace the elements between -threshold and threshold by 0."""

@overload
def hardshrink(
    input: _AnyTensor, lambd: float = 0.5, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Replace the elements between -threshold and threshold by 0."""

def hardsigmoid(
    x: _AnyTensor,
    slope: float = 0.1666667,
    offset: float = 0.5,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """A line through (0, offset), limited to [0, 1]."""

def hardswish(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """0 below -3, x above 3, a parabola between."""

def hardtanh(
    x: _AnyTensor,
    min: float = -1.0,
    max: float = 1.0,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Every element limited to [min, max]."""

def hardtanh_(
    x: _AnyTensor, min: float = -1.0, max: float = 1.0, name: str | None = None
) -> Tensor:
    """`hardtanh`, x itself takes the result."""

def hinge_embedding_loss(
    input: _AnyTensor,
    label: _AnyTensor,
    margin: float = 1.0,
    reduction: str = "mean",
    name: str | None = None,
) -> Tensor:
    """A distance as it is where the label is 1, max(0, margin - distance) where it is -1."""

def instance_norm(
    x: _AnyTensor,
    running_mean: _AnyTensor | None = None,
    running_var: _AnyTensor | None = None,
    weight: _AnyTensor | None = None,
    bias: _AnyTensor | None = None,
    use_input_stats: bool = True,
    momentum: float = 0.9,
    eps: float = 1e-05,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Tensor:
    """x with mean 0 and variance 1 in each channel of each sample."""

def kl_div(
    input: _AnyTensor,
    label: _AnyTensor,
    reduction: str = "mean",
    log_target: bool = False,
    name: str | None = None,
) -> Tensor:
    """How far log-probabilities are from a distribution: label · (ln label - input)."""

def l1_loss(
    input: _AnyTensor, label: _AnyTensor, reduction: str = "mean", name: str | None = None
) -> Tensor:
    """The absolute differences, their mean, or their sum."""

def label_smooth(
    label: _AnyTensor,
    prior_dist: _AnyTensor | None = None,
    epsilon: float = 0.1,
    name: str | None = None,
) -> Tensor:
    """(1 − epsilon) · label + epsilon · prior_dist; the prior is 1 / classes if None."""

@overload
def layer_norm(
    x: _AnyTensor,
    normalized_shape: _Shape,
    weight: _AnyTensor | None = None,
    bias: _AnyTensor | None = None,
    epsilon: float = 1e-05,
    name: str | None = None,
) -> Tensor:
    """x with mean 0 and variance 1 over its last axes, which are of normalized_shape."""

@overload
def layer_norm(
    input: _AnyTensor,
    normalized_shape: _Shape,
    weight: _AnyTensor | None = None,
    bias: _AnyTensor | None = None,
    eps: float = 1e-05,
    name: str | None = None,
) -> Tensor:
    """x with mean 0 and variance 1 over its last axes, which are of normalized_shape."""

def leaky_relu(
    x: _AnyTensor,
    negative_slope: float = 0.01,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Keep positive elements, make the negative ones small."""

def leaky_relu_(x: _AnyTensor, negative_slope: float = 0.01, name: str | None = None) -> Tensor:
    """`leaky_relu`, x itself takes the result."""

def linear(
    x: _AnyTensor, weight: _AnyTensor, bias: _AnyTensor | None = None, name: str | None = None
) -> Tensor:
    """x @ weight + bias, with a weight of shape [in, out]."""

def log_loss(
    input: _AnyTensor, label: _AnyTensor, epsilon: float = 0.0001, name: str | None = None
) -> Tensor:
    """Binary cross entropy of a column of probabilities, with epsilon against infinities."""

@overload
def log_sigmoid(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of sigmoid, without overflow."""

@overload
def log_sigmoid(input: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of sigmoid, without overflow."""

def log_softmax(
    x: _AnyTensor, axis: int = -1, dtype: _DTypeLike | None = None, name: str | None = None
) -> Tensor:
    """The logarithm of softmax along `axis`, without overflow; first cast to `dtype`."""

@overload
def logsigmoid(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of sigmoid, without overflow."""

@overload
def logsigmoid(input: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of sigmoid, without overflow."""

def margin_ranking_loss(
    input: _AnyTensor,
    other: _AnyTensor,
    label: _AnyTensor,
    margin: float = 0.0,
    reduction: str = "mean",
    name: str | None = None,
) -> Tensor:
    """max(0, -label · (input - other) + margin): label 1 wants input to be the larger one."""

def max_pool1d(
    x: _AnyTensor,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None = None,
    padding: int | Sequence[int] = 0,
    return_mask: bool = False,
    ceil_mode: bool = False,
    name: str | None = None,
) -> Any:
    """The largest number of each window of lines [N, C, L]; see max_pool2d."""

def max_pool2d(
    x: _AnyTensor,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None = None,
    padding: int | Sequence[int] = 0,
    return_mask: bool = False,
    ceil_mode: bool = False,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Any:
    """The largest number of each window of images; the gradient goes to the first of equal ones."""

def maxout(x: _AnyTensor, groups: int, axis: int = 1, name: str | None = None) -> Tensor:
    """The largest of each `groups` neighbouring channels, for x of four axes."""

def mish(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """x · tanh(softplus(x))."""

def mse_loss(
    input: _AnyTensor, label: _AnyTensor, reduction: str = "mean", name: str | None = None
) -> Tensor:
    """The squared differences, their mean, or their sum."""

def multi_label_soft_margin_loss(
    input: _AnyTensor,
    label: _AnyTensor,
    weight: _AnyTensor | None = None,
    reduction: str = "mean",
    name: str | None = None,
) -> Tensor:
    """Binary cross entropy of sigmoid(input), the mean over the classes of each row."""

def multi_margin_loss(
    input: _AnyTensor,
    label: _AnyTensor,
    p: int = 1,
    margin: float = 1.0,
    weight: _AnyTensor | None = None,
    reduction: str = "mean",
    name: str | None = None,
) -> Tensor:
    """By how much the scores of wrong classes come within `margin` of the right one's."""

def nll_loss(
    input: _AnyTensor,
    label: _AnyTensor,
    weight: _AnyTensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    name: str | None = None,
) -> Tensor:
    """Minus the log-probability of each row's label: cross entropy after log_softmax."""

@overload
def normalize(
    x: _AnyTensor,
    p: float = 2,
    axis: int = 1,
    epsilon: float = 1e-12,
    out: Tensor | None = None,
    name: str | None = None,
) -> Tensor:
    """x divided by its p-norm along an axis, so that the norm is 1; norms below epsilon count as epsilon."""

@overload
def normalize(
    input: _AnyTensor,
    p: float = 2,
    dim: int = 1,
    eps: float = 1e-12,
    out: Tensor | None = None,
    name: str | None = None,
) -> Tensor:
    """x divided by its p-norm along an axis, so that the norm is 1; norms below epsilon count as epsilon."""

def npair_loss(
    anchor: _AnyTensor, positive: _AnyTensor, labels: _AnyTensor, l2_reg: float = 0.002
) -> Tensor:
    """Cross entropy of the similarities anchor @ positiveᵀ against equal labels, plus a penalty on long rows."""

@overload
def one_hot(x: _AnyTensor, num_classes: float | Tensor = -1, name: str | None = None) -> Tensor:
    """A row of zeros with a 1 at the class, for each class number; float32."""

@overload
def one_hot(input: _AnyTensor, num_classes: float | Tensor = -1, name: str | None = None) -> Tensor:
    """A row of zeros with a 1 at the class, for each class number; float32."""

@overload
def pad(
    x: _AnyTensor,
    pad: int | Sequence[int] | Tensor,
    mode: str = ...,
    value: float = 0.0,
    data_format: str | None = None,
    pad_from_left_axis: bool = True,
    name: str | None = None,
) -> Tensor:
    """x with elements before and after it, two numbers of `pad` for each axis."""

@overload
def pad(
    input: _AnyTensor,
    pad: int | Sequence[int] | Tensor,
    mode: str = ...,
    value: float = 0.0,
    data_format: str | None = None,
    pad_from_left_axis: bool = True,
    name: str | None = None,
) -> Tensor:
    """x with elements before and after it, two numbers of `pad` for each axis."""

@overload
def pairwise_distance(
    x: _AnyTensor,
    y: _AnyTensor,
    p: float = 2.0,
    epsilon: float = 1e-06,
    keepdim: bool = False,
    name: str | None = None,
) -> Tensor:
    """The p-norm of x - y + epsilon along the last axis."""

@overload
def pairwise_distance(
    x1: _AnyTensor,
    x2: _AnyTensor,
    p: float = 2.0,
    eps: float = 1e-06,
    keepdim: bool = False,
    name: str | None = None,
) -> Tensor:
    """The p-norm of x - y + epsilon along the last axis."""

def poisson_nll_loss(
    input: _AnyTensor,
    label: _AnyTensor,
    log_input: bool = True,
    full: bool = False,
    epsilon: float = 1e-08,
    reduction: str = "mean",
    name: str | None = None,
) -> Tensor:
    """Minus the log-probability of counts, whose mean (or its logarithm) is `input`."""

def prelu(
    x: _AnyTensor, weight: _AnyTensor, data_format: str = "NCHW", name: str | None = None
) -> Tensor:
    """x where it is positive, elsewhere x times a learned slope: one, or one per channel."""

def relu(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """Keep positive elements, replace the others by 0."""

def relu6(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """Every element limited to [0, 6]."""

def relu_(x: _AnyTensor, name: str | None = None) -> Tensor:
    """`relu`, x itself takes the result."""

def rrelu(
    x: _AnyTensor,
    lower: float = 0.125,
    upper: float = ...,
    training: bool = True,
    name: str | None = None,
) -> Tensor:
    """x, the negative elements times random slopes of [lower, upper); in use, times their mean."""

def scaled_dot_product_attention(
    query: _AnyTensor,
    key: _AnyTensor,
    value: _AnyTensor,
    attn_mask: _AnyTensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    training: bool = True,
    backend: str | None = None,
    scale: float | None = None,
    enable_gqa: bool = True,
    name: str | None = None,
) -> Tensor:
    """softmax(q kᵀ · scale + mask) v for each head; tensors are [batch, length, heads, size]."""

def selu(
    x: _AnyTensor,
    scale: float = ...,
    alpha: float = ...,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Scaled elu: it keeps values near mean 0 and variance 1 from layer to layer."""

def sequence_mask(
    x: _AnyTensor,
    maxlen: float | Tensor | None = None,
    dtype: _DTypeLike = "int64",
    name: str | None = None,
) -> Tensor:
    """For each length in x a row of ones of that length, then zeros up to maxlen."""

@overload
def sigmoid(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """Squash every element into (0, 1)."""

@overload
def sigmoid(input: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """Squash every element into (0, 1)."""

def sigmoid_focal_loss(
    logit: _AnyTensor,
    label: _AnyTensor,
    normalizer: _AnyTensor | None = None,
    alpha: float = 0.25,
    gamma: float = 2.0,
    reduction: str = "sum",
    name: str | None = None,
) -> Tensor:
    """Binary cross entropy in which what is right already counts less, by the power gamma."""

@overload
def silu(x: _AnyTensor, inplace: bool = False, name: str | None = None) -> Tensor:
    """x · sigmoid(x); `inplace`: x itself takes the result."""

@overload
def silu(input: _AnyTensor, inplace: bool = False, name: str | None = None) -> Tensor:
    """x · sigmoid(x); `inplace`: x itself takes the result."""

def smooth_l1_loss(
    input: _AnyTensor,
    label: _AnyTensor,
    reduction: str = "mean",
    delta: float = 1.0,
    is_huber: bool = True,
    name: str | None = None,
) -> Tensor:
    """Half the squared differences, but delta · (|d| - delta / 2) where one is larger than delta."""

def soft_margin_loss(
    input: _AnyTensor, label: _AnyTensor, reduction: str = "mean", name: str | None = None
) -> Tensor:
    """ln(1 + exp(-label · input)) for labels of 1 and -1."""

@overload
def softmax(
    x: _AnyTensor,
    axis: int = -1,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Positive numbers that sum to 1 along `axis`, in the ratios of exp(x); first cast to `dtype`."""

@overload
def softmax(
    input: _AnyTensor,
    dim: int = -1,
    dtype: _DTypeLike | None = None,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Positive numbers that sum to 1 along `axis`, in the ratios of exp(x); first cast to `dtype`."""

def softmax_(
    x: _AnyTensor, axis: int = -1, dtype: _DTypeLike | None = None, name: str | None = None
) -> Tensor:
    """`softmax`, x itself takes the result."""

def softmax_with_cross_entropy(
    logits: _AnyTensor,
    label: _AnyTensor,
    soft_label: bool = False,
    ignore_index: int = -100,
    numeric_stable_mode: bool = True,
    return_softmax: bool = False,
    axis: int = -1,
) -> Tensor:
    """The cross entropy of every row, the axis of the classes kept with size 1; no reduction."""

@overload
def softplus(
    x: _AnyTensor,
    beta: float = 1,
    threshold: float = 20,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """A smooth relu."""

@overload
def softplus(
    input: _AnyTensor,
    beta: float = 1,
    threshold: float = 20,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """A smooth relu."""

@overload
def softshrink(
    x: _AnyTensor, threshold: float = 0.5, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Move every element towards 0 by a threshold; those within it become 0."""

@overload
def softshrink(
    input: _AnyTensor, lambd: float = 0.5, name: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Move every element towards 0 by a threshold; those within it become 0."""

def softsign(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """Squash every element into (-1, 1), slower than tanh."""

def square_error_cost(input: _AnyTensor, label: _AnyTensor) -> Tensor:
    """The squared differences."""

def swiglu(x: _AnyTensor, y: _AnyTensor | None = None, name: str | None = None) -> Tensor:
    """silu(x) · y; without y the two halves of x along the last axis."""

def swish(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """x · sigmoid(x), the other name of silu."""

@overload
def tanh(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """Squash every element into (-1, 1)."""

@overload
def tanh(input: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """Squash every element into (-1, 1)."""

def tanh_(x: _AnyTensor, name: str | None = None) -> Tensor:
    """`tanh`, x itself takes the result."""

def tanhshrink(x: _AnyTensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """What tanh takes off x."""

def thresholded_relu(
    x: _AnyTensor,
    threshold: float = 1.0,
    value: float = 0.0,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Keep the elements above a threshold, replace the others by one number."""

def thresholded_relu_(
    x: _AnyTensor, threshold: float = 1.0, value: float = 0.0, name: str | None = None
) -> Tensor:
    """`thresholded_relu`, x itself takes the result."""

def triplet_margin_loss(
    input: _AnyTensor,
    positive: _AnyTensor,
    negative: _AnyTensor,
    margin: float = 1.0,
    p: float = 2,
    epsilon: float = 1e-06,
    swap: bool = False,
    reduction: str = "mean",
    name: str | None = None,
) -> Tensor:
    """max(0, distance to positive - distance to negative + margin), by the p-norm."""

def triplet_margin_with_distance_loss(
    input: _AnyTensor,
    positive: _AnyTensor,
    negative: _AnyTensor,
    distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
    name: str | None = None,
) -> Tensor:
    """`triplet_margin_loss` with a distance of your own: a function of two tensors."""

def zeropad2d(
    x: _AnyTensor, padding: int | Sequence[int], data_format: str = "NCHW", name: str | None = None
) -> Tensor:
    """Images with zeros around them: [left, right, top, bottom]."""
