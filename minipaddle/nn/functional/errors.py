"""Errors of the functions: each function makes one, and the caller raises it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...engine.errors import (
    CheckFailed,
    InvalidArgument,
    InvalidType,
    MinipaddleError,
    PreconditionNotMet,
    Unimplemented,
)
from ...errors import join_choices, unknown_choice, wrong_type


def describe_shape(x: Any) -> str:
    """Return what an error says of a tensor: `x of shape [2, 3]`."""
    return f"x of shape {list(x.shape)}"


def describe_shapes(*tensors: Any) -> str:
    """Return the shapes of several tensors."""
    return ", ".join(str(list(x.shape)) for x in tensors)


# ----- choices -----------------------------------------------------------------------------------


def unknown_layout(op: str, layout: object, layouts: Iterable[str]) -> MinipaddleError:
    what = f"{op}(): data_format must be one of {', '.join(map(repr, layouts))}."
    return unknown_choice(what, layout, layouts, "leave it out if the channels are axis 1")


def layout_of_padding(rank: int, layout: str, layouts: Sequence[str]) -> MinipaddleError:
    what = f"pad(): input tensor dimension is {rank}, its data format should be in {layouts} "
    what += f"but got {layout}"
    fix = f"leave it out for '{layouts[0]}'"
    return unknown_choice(what, layout, layouts, fix, CheckFailed)


def unknown_padding_mode(mode: object, modes: Sequence[str]) -> MinipaddleError:
    what = f"pad(): mode should be one of {', '.join(modes)}, but got {mode}."
    return unknown_choice(what, mode, modes, "leave it out for 'constant'", CheckFailed)


def unknown_dropout_mode(op: str, mode: object, modes: Sequence[str]) -> MinipaddleError:
    what = f"{op}: mode argument should be {join_choices(sorted(modes))}."
    return unknown_choice(what, mode, modes, "leave it out for 'upscale_in_train'")


def unknown_reduction(op: str, reduction: object, known: Sequence[str]) -> MinipaddleError:
    what = f"The value of 'reduction' in {op} should be {join_choices(known)}, but received "
    what += f"{reduction}, which is not allowed."
    return unknown_choice(what, reduction, known, "leave it out for 'mean'")


# ----- activations -------------------------------------------------------------------------------


def slopes_not_in_row(weight: Any) -> CheckFailed:
    return CheckFailed(
        "prelu(): The dim count of weight shape should be 0 or 1.",
        expected="one slope, or one per channel",
        received=f"a weight of shape {list(weight.shape)}",
        fix="reshape it to [1] or [channels]",
    )


def number_of_slopes(weight: Any, x: Any, layout: str, channel: int) -> CheckFailed:
    return CheckFailed(
        "prelu(): The weight size should be equal to x input channel, and x have 2 axes or "
        "more, when weight shape is not [1].",
        expected=f"{x.shape[channel]} slopes" if len(x.shape) > 1 else "x [N, C, ...]",
        received=f"weight {list(weight.shape)} for x {list(x.shape)}, {layout}",
        fix="give one slope for all, shape [1], or one per channel",
    )


def slopes_not_float(lower: object, upper: object) -> InvalidType:
    return InvalidType(
        "rrelu(): The lower and upper values must be float type.",
        expected="two floats",
        received=f"lower {lower!r:.40}, upper {upper!r:.40}",
        fix="write 0.0 rather than 0",
    )


def limits_of_slopes(lower: float, upper: float) -> InvalidArgument:
    return InvalidArgument(
        "rrelu(): the limits of the slopes do not fit.",
        expected="0 <= lower <= upper <= 1",
        received=f"lower {lower}, upper {upper}",
        fix="leave them out for 1/8 and 1/3",
    )


def temperature_not_positive(temperature: float) -> InvalidArgument:
    return InvalidArgument(
        "gumbel_softmax(): The temperature must be greater than 0.",
        expected="temperature > 0",
        received=temperature,
        fix="a small one, such as 0.1, comes near to a hard choice",
    )


def no_two_halves(op: str, x: Any, axis: int) -> InvalidArgument:
    return InvalidArgument(
        f"{op}(): x does not fall into two halves of one size.",
        expected=f"an even size along axis {axis}",
        received=describe_shape(x),
        fix="the layer before must give twice as many numbers as you want",
    )


def no_groups_of_channels(x: Any, groups: int, axis: int) -> InvalidArgument:
    return InvalidArgument(
        "maxout(): the channels do not fall into groups.",
        expected="x of 4 axes, channels along axis 1, 3 or -1, groups > 1 that divides them",
        received=f"{describe_shape(x)}, groups {groups}, axis {axis}",
        fix="give the layer before a multiple of `groups` channels",
    )


# ----- attention ---------------------------------------------------------------------------------


def rank_of_queries(query: Any, key: Any, value: Any) -> InvalidArgument:
    return InvalidArgument(
        "scaled_dot_product_attention(): query, key and value must be 4-D.",
        expected="[batch, length, heads, size], or all three without a batch",
        received=describe_shapes(query, key, value),
        fix="add an axis for the heads: paddle.unsqueeze(x, 2)",
    )


def number_of_heads(query: Any, key: Any, value: Any) -> CheckFailed:
    heads, of_key, of_value = (x.shape[2] for x in (query, key, value))
    return CheckFailed(
        f"scaled_dot_product_attention(): the {heads} heads of query do not fit the {of_key} of "
        f"key and the {of_value} of value.",
        expected="one number of heads, or with enable_gqa a divisor of it for key and value",
        received=describe_shapes(query, key, value),
        fix="give all three the same number of heads",
    )


# ----- dropout -----------------------------------------------------------------------------------


def probability_no_number(op: str, p: object) -> MinipaddleError:
    fix = "give the probability of dropping an element, for example 0.5"
    what = f"{op}: p argument should be a number."
    return wrong_type(what, p, expected="a float between 0 and 1", fix=fix)


def no_probability(op: str, p: float) -> InvalidArgument:
    return InvalidArgument(
        f"{op}: p argument should between 0 and 1.",
        expected="0 <= p <= 1",
        received=f"p={p}",
        fix="give the probability of dropping an element, not a percentage",
    )


def no_such_axis(x: Any, axis: object) -> InvalidArgument:
    rank = len(x.shape)
    return InvalidArgument(
        "dropout: axis names a dimension that x does not have.",
        expected=f"values from {-rank} to {rank - 1} for {describe_shape(x)}",
        received=f"axis={axis}",
        fix="count dimensions from 0",
    )


def rank_of_lines(x: Any) -> PreconditionNotMet:
    return PreconditionNotMet(
        f"dropout1d expects 2D or 3D input, got {len(x.shape)}D.",
        expected="[N, C, L] or [C, L]",
        received=f"shape {list(x.shape)}",
        fix="dropout2d is for images, dropout for other shapes",
    )


def number_of_axes(op: str, x: Any, wanted: str) -> InvalidArgument:
    return InvalidArgument(
        f"{op}(): x must have {wanted}.",
        expected=wanted,
        received=describe_shape(x),
        fix="reshape x, or use dropout with axis=",
    )


# ----- embedding and classes ---------------------------------------------------------------------


def rows_not_integers(x: Any, dtype: str) -> Unimplemented:
    return Unimplemented(
        f"embedding input only support int32 and int64, but get {dtype}.",
        expected="numbers of rows, int32 or int64",
        received=f"x of {dtype}, shape {list(x.shape)}",
        fix="x.astype('int64')",
    )


def scaled_by_frequency() -> Unimplemented:
    return Unimplemented(
        "embedding(): scale_grad_by_freq is not here yet.",
        expected="scale_grad_by_freq=False",
        received="True",
        fix="divide weight.grad by how often each row was read, before the step",
    )


def max_norm_in_program(max_norm: float) -> Unimplemented:
    return Unimplemented(
        "embedding(): a Program cannot shorten the rows of its table.",
        expected="max_norm=None in static mode",
        received=f"max_norm={max_norm}",
        fix="leave max_norm out, or divide what is read by its norm",
    )


def no_row_to_pad(padding_idx: int, rows: int) -> InvalidArgument:
    return InvalidArgument(
        f"padding_idx must be within [-{rows}, {rows}).",
        expected=f"a row of the table, {-rows} to {rows - 1}",
        received=f"padding_idx={padding_idx}",
        fix="name an existing row, or None for no padding",
    )


def classes_in_program() -> InvalidArgument:
    return InvalidArgument(
        "one_hot(): a Program must know the number of classes.",
        expected="num_classes >= 1 in static mode",
        received="num_classes -1, with values that only a run tells",
        fix="give num_classes",
    )


def length_in_program() -> Unimplemented:
    return Unimplemented(
        "sequence_mask(): a Program does not know the largest length.",
        expected="maxlen, an int",
        received="None",
        fix="give maxlen, and cut the batch to it",
    )


def no_share(epsilon: float) -> InvalidArgument:
    return InvalidArgument(
        "label_smooth(): The value of epsilon must be between 0 and 1.",
        expected="0 <= epsilon <= 1",
        received=f"epsilon={epsilon}",
        fix="give the share of the prior, such as 0.1",
    )


# ----- convolution and pooling -------------------------------------------------------------------


def groups_of_channels(op: str, x: Any, channels: int, groups: int) -> InvalidArgument:
    return InvalidArgument(
        f"{op}(): The channel of input must be divisible by groups.",
        expected=f"a divisor of {channels}, the number of x's channels",
        received=f"groups={groups} for {describe_shape(x)}",
        fix="leave groups out, or change the number of channels",
    )


def two_output_sizes(op: str, output_padding: object, output_size: object) -> InvalidArgument:
    return InvalidArgument(
        f"{op}(): output_padding option is mutually exclusive with output_size.",
        expected="one of the two",
        received=f"output_padding={output_padding}, output_size={output_size}",
        fix="leave output_padding out",
    )


def output_padding_too_large(
    op: str, padding: Iterable[int], stride: Iterable[int]
) -> InvalidArgument:
    return InvalidArgument(
        f"{op}(): output_padding must be less than the stride.",
        expected=f"less than {list(stride)}",
        received=f"{list(padding)}",
        fix="name a size that a convolution with this stride could have had",
    )


def no_such_output_size(
    op: str, size: Iterable[int], least: Iterable[int], stride: Iterable[int]
) -> InvalidArgument:
    ranges = (f"{m} to {m + s - 1}" for m, s in zip(least, stride, strict=True))
    return InvalidArgument(
        f"{op}(): no convolution with this stride has this output_size.",
        expected=" by ".join(ranges),
        received=f"output_size={list(size)}",
        fix="leave output_size out for the smallest",
    )


def valid_with_ceil_mode(op: str, ceil_mode: object) -> InvalidArgument:
    return InvalidArgument(
        f'{op}(): When Attr(padding) is "VALID", Attr(ceil_mode) must be False.',
        expected="ceil_mode=False",
        received=f"ceil_mode={ceil_mode}",
        fix="write padding=0 to have both",
    )


def no_output_size(op: str, axes: int) -> InvalidType:
    return InvalidType(
        f"{op}(): output_size is missing.",
        expected=f"an int, or {axes} of them, where None keeps an axis",
        received="None",
        fix=f"{op}(x, 1) makes one number of each channel",
    )


def mask_of_last_channels(layout: str) -> InvalidArgument:
    return InvalidArgument(
        "When setting return_mask to true, data_format must be set to NCHW in API:max_pool2d",
        expected="'NCHW'",
        received=repr(layout),
        fix="transpose x first",
    )


# ----- padding -----------------------------------------------------------------------------------


def rank_to_pad(x: Any) -> CheckFailed:
    return CheckFailed(
        f"pad(): input tensor dimension must be in [3, 4, 5] but got {len(x.shape)}",
        expected="[N, C, L], [N, C, H, W] or [N, C, D, H, W], channels first or last",
        received=describe_shape(x),
        fix="add axes for batch and channels with paddle.unsqueeze",
    )


def number_of_paddings(row: Sequence[int], wanted: int) -> InvalidArgument:
    return InvalidArgument(
        "pad(): the number of paddings is wrong.",
        expected=f"{wanted} numbers: two for each axis but batch and channels",
        received=f"{len(row)}: {row}",
        fix="begin with the last axis: [left, right, top, bottom]",
    )


def too_many_paddings(row: Sequence[int], x: Any) -> InvalidArgument:
    return InvalidArgument(
        "pad(): there are more paddings than axes.",
        expected=f"at most {2 * len(x.shape)} numbers for {describe_shape(x)}",
        received=f"{len(row)}",
        fix="give two numbers for each axis",
    )


def negative_padding(row: Sequence[int]) -> InvalidArgument:
    return InvalidArgument(
        "pad(): a padding is negative.",
        expected="numbers of at least 0",
        received=f"{row}",
        fix="drop elements with x[...]",
    )


# ----- norms -------------------------------------------------------------------------------------


def shape_to_normalize(x: Any, sizes: list[int]) -> InvalidArgument:
    inner = "".join(f", {n}" for n in sizes)
    return InvalidArgument(
        f"layer_norm(): Given normalized_shape is {sizes}, expected input with shape "
        f"[*{inner}], but got input shape {list(x.shape)}",
        expected=f"x whose last sizes are {sizes}",
        received=describe_shape(x),
        fix="name the sizes of the last axes of x",
    )


def nothing_apart(x: Any, sizes: list[int]) -> InvalidArgument:
    return InvalidArgument(
        "layer_norm(): one axis at least must stay apart.",
        expected="fewer axes in normalized_shape than x has",
        received=f"normalized_shape={sizes} for {describe_shape(x)}",
        fix="add an axis for the batch: paddle.unsqueeze(x, 0)",
    )


def epsilon_not_small(epsilon: float) -> InvalidArgument:
    return InvalidArgument(
        "layer_norm(): epsilon must be between 0.0 and 0.001.",
        expected="a small number, such as 1e-05",
        received=f"epsilon={epsilon}",
        fix="leave it out",
    )


def number_of_groups(x: Any, channels: int, groups: int) -> InvalidArgument:
    return InvalidArgument(
        "group_norm(): the number of channels must be divisible by num_groups.",
        expected=f"a divisor of {channels}",
        received=f"num_groups={groups} for {describe_shape(x)}",
        fix="choose another number of groups",
    )


# ----- losses ------------------------------------------------------------------------------------


def rank_of_label(op: str, input: Any, label: Any) -> InvalidArgument:
    return InvalidArgument(
        f"{op}: the label has neither the input's number of dimensions nor one less.",
        expected="input_dims - 1 = label_dims or input_dims == label_dims; input has shape "
        f"{list(input.shape)}",
        received=f"a label of shape {list(label.shape)}",
        fix="give one class number per row: shape [N] or [N, 1] for an input [N, C]",
    )


def number_of_class_weights(input: Any, weight: Any) -> InvalidArgument:
    classes, given = input.shape[-1], weight.shape[-1]
    return InvalidArgument(
        f"cross_entropy: input's class_dimension({classes}) must equal to weight's "
        f"class_dimension({given}) when weight is provided.",
        expected=f"{classes} class weights",
        received=f"{given}",
        fix="give one weight per class",
    )


def rank_of_normalizer(normalizer: Any) -> InvalidArgument:
    return InvalidArgument(
        "Expected zero or one dimension of normalizer in sigmoid_focal_loss.",
        expected="a tensor of one element",
        received=f"shape {list(normalizer.shape)}",
        fix="reshape it, for example the number of positive labels",
    )


def epsilon_not_positive(epsilon: float) -> InvalidArgument:
    return InvalidArgument(
        "The value of `epsilon` in poisson_nll_loss should be positive.",
        expected="epsilon > 0",
        received=epsilon,
        fix="leave it out for 1e-8",
    )


def shape_of_variance(given: list[int], wanted: list[int]) -> InvalidArgument:
    return InvalidArgument(
        "gaussian_nll_loss(): variance is of incorrect shape.",
        expected=f"{wanted}, {wanted[:-1]} or {[*wanted[:-1], 1]}",
        received=given,
        fix="give one variance per element, or one per row",
    )


def negative_variance(least: float) -> InvalidArgument:
    return InvalidArgument(
        "gaussian_nll_loss(): variance has negative entry/entries.",
        expected="numbers of 0 or more",
        received=least,
        fix="let the network give its logarithm, and take exp of that",
    )


def other_shape(op: str, argument: str, first: Any, other: Any) -> InvalidArgument:
    return InvalidArgument(
        f"{op}(): input's shape must equal to {argument}'s shape.",
        expected=f"{argument} of shape {list(first.shape)}",
        received=f"shape {list(other.shape)}",
        fix="reshape one of them: nothing is broadcast here",
    )


def rank_of_target(label: Any, input1: Any) -> InvalidArgument:
    return InvalidArgument(
        "cosine_embedding_loss(): 1D target tensor expected, with inputs of 1 or 2 axes.",
        expected="label [N], input1 and input2 [N, M], or [M] and one label",
        received=f"label {list(label.shape)}, input1 {list(input1.shape)}",
        fix="reshape the inputs to rows",
    )


def not_floating(argument: str, dtype: str) -> InvalidArgument:
    return InvalidArgument(
        "cosine_embedding_loss(): The data type must be 'float32' or 'float64'.",
        expected=f"{argument} of float32 or float64",
        received=dtype,
        fix=f"{argument}.astype('float32')",
    )


def negative_margin(op: str, margin: float) -> InvalidArgument:
    return InvalidArgument(
        f"{op}(): The margin between positive samples and negative samples should be "
        "greater than 0.",
        expected="margin >= 0",
        received=margin,
        fix="leave it out for 1.0",
    )


def negative_distance(least: float) -> InvalidArgument:
    return InvalidArgument(
        "The positive distance or negative distance should be greater than 0, The "
        "distance functions should be checked.",
        expected="distances of 0 or more",
        received=least,
        fix="give a function whose results are not negative",
    )


def rows_and_classes(input: Any, label: Any, weight: Any) -> InvalidArgument:
    rows, classes = input.shape
    weights = "" if weight is None else f", weight {list(weight.shape)}"
    return InvalidArgument(
        "multi_margin_loss(): The label's shape[0] should be equal to input's shape[0], and "
        "the weight's to its shape[1].",
        expected=f"label [{rows}], weight [{classes}]",
        received=f"label {list(label.shape)}{weights}",
        fix="give one class number per row, and one weight per class",
    )


def rank_of_dice_label(input: Any, label: Any) -> CheckFailed:
    return CheckFailed(
        "dice_loss(): The rank of input and label should be equal, and the label's last axis "
        "of size 1.",
        expected=f"label {[*input.shape[:-1], 1]}",
        received=f"label {list(label.shape)} for input {list(input.shape)}",
        fix="label.unsqueeze(-1)",
    )
