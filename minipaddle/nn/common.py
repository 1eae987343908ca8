"""Linear maps, embeddings, dropout, reshaping, distances and padding as layers."""

from __future__ import annotations

from typing import Any

from ..engine.errors import CheckFailed
from ..engine.tensor import Parameter
from ..ops import catalog
from . import errors
from . import functional as F
from .function_layer import FunctionLayer
from .functional.common import padding_row
from .layer import Layer
from .spatial import Spatial
from .support import describe

_flatten, _unflatten = (catalog.find(name).call for name in ("flatten", "unflatten"))


class Linear(Layer):
    """y = x @ weight + bias; weight [in_features, out_features] starts with XavierUniform.

    `weight_attr`, `bias_attr`: a ParamAttr, an Initializer, a name, or False for no bias.
    Source: Paddle's `paddle.nn.Linear`.

    Shapes: for example x [2, 4] gives [2, 3].
    Dtypes: those of its parameters, float32 by default.
    Errors: ValueError for a dtype that is not the weight's, or if the shapes do not fit.

    >>> import minipaddle as paddle
    >>> layer = paddle.nn.Linear(4, 3)
    >>> layer(paddle.ones([2, 4])).shape, layer
    (paddle.Size([2, 3]), Linear(in_features=4, out_features=3, dtype=float32))
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        weight_attr: Any = None,
        bias_attr: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__()
        self.in_features, self.out_features, self.name = in_features, out_features, name
        self.weight = self.create_parameter([in_features, out_features], weight_attr)
        self.bias = self.create_parameter([out_features], bias_attr, is_bias=True)

    def forward(self, x: Any) -> Any:
        return F.linear(x, self.weight, self.bias)

    def extra_repr(self) -> str:
        sizes = {"in_features": self.in_features, "out_features": self.out_features}
        return describe(**sizes, dtype=self._dtype.name, name=self.name)


class Embedding(Layer):
    """A table with a learned row for each of `num_embeddings` numbers; row `padding_idx` is zeros.

    Shapes: for example x [1, 2] gives [1, 2, 2].
    Dtypes: int32, int64; the result has the weight's.
    Errors: NotImplementedError for an x that is not int32 or int64; ValueError for a number that is
    no row.
    Source: Paddle's `paddle.nn.Embedding`.

    >>> import minipaddle as paddle
    >>> paddle.nn.Embedding(5, 2)(paddle.to_tensor([[0, 4]])).shape
    paddle.Size([1, 2, 2])
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        *,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
        _weight: Any = None,
        _freeze: bool = False,
        device: Any = None,
        dtype: Any = None,
        weight_attr: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__(dtype=dtype)
        sizes = {"num_embeddings": num_embeddings, "embedding_dim": embedding_dim}
        errors.require(min(sizes.values()) > 0, "Embedding", "sizes > 0", **sizes)
        self._size, self._sparse, self._name = (num_embeddings, embedding_dim), sparse, name
        self._padding_idx, self._by_freq = padding_idx, scale_grad_by_freq
        self._norm = max_norm, norm_type
        row = padding_row(padding_idx, num_embeddings)
        if _weight is not None and list(_weight.shape) != [num_embeddings, embedding_dim]:
            expected = f"_weight of shape {[num_embeddings, embedding_dim]}"
            raise errors.misfit("Embedding", expected, CheckFailed, _weight=_weight)
        size = [num_embeddings, embedding_dim]
        self.weight = self.create_parameter(size, weight_attr, device=device)
        if _weight is not None:
            self.weight.set_value(_weight)
        if _freeze:
            self.weight.stop_gradient = True
        if row >= 0 and isinstance(self.weight, Parameter):
            self.weight._data[row] = 0

    def forward(self, x: Any) -> Any:
        return F.embedding(
            x, self.weight, self._padding_idx, *self._norm, self._sparse, self._by_freq
        )

    def extra_repr(self) -> str:
        padding = {} if self._padding_idx is None else {"padding_idx": self._padding_idx}
        settings = {**padding, "sparse": self._sparse, "scale_grad_by_freq": self._by_freq}
        return f"{self._size[0]}, {self._size[1]}, {describe(**settings, name=self._name)}"


class Dropout(Layer):
    """Dropout: in training set elements to 0 with probability p and scale up the others.

    Shapes: for example input [2] gives [2].
    Dtypes: floating kept; in eval mode others too.
    Errors: ValueError for a p outside [0, 1]; RuntimeError for complex, integers, bool in training
    mode.
    Source: Paddle's `paddle.nn.Dropout`.

    >>> import minipaddle as paddle
    >>> paddle.nn.Dropout(0.9).eval()(paddle.ones([2])).tolist()
    [1.0, 1.0]
    """

    def __init__(
        self,
        p: float = 0.5,
        inplace: bool = False,
        axis: Any = None,
        mode: str = "upscale_in_train",
        name: str | None = None,
    ) -> None:
        super().__init__()
        self.p, self.inplace, self.axis, self.mode, self.name = p, inplace, axis, mode, name

    def forward(self, input: Any) -> Any:
        return F.dropout(input, self.p, self.axis, self.training, self.inplace, self.mode)

    def extra_repr(self) -> str:
        settings = {"p": self.p, "axis": self.axis, "mode": self.mode, "name": self.name}
        return describe(**settings, inplace=self.inplace)


class Flatten(FunctionLayer, function=_flatten, without=("name",), start_axis=1):
    """x with the axes from `start_axis` to `stop_axis` joined into one.

    Shapes: for example x [2, 3, 4] gives [2, 12].

    >>> import minipaddle as paddle
    >>> paddle.nn.Flatten()(paddle.ones([2, 3, 4])).shape
    paddle.Size([2, 12])
    """

    _shown = ()


class Identity(Layer):
    """A layer that returns its input; it accepts any arguments, to replace another layer.

    Dtypes: all kept, and every shape.
    Errors: none.
    Source: Paddle's `paddle.nn.Identity`.

    >>> import minipaddle as paddle
    >>> paddle.nn.Identity()(3)
    3
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ARG002
        super().__init__()

    def forward(self, x: Any) -> Any:
        return x


class Unflatten(FunctionLayer, function=_unflatten, inputs=("input",)):
    """x with one axis split into several; one size may be -1.

    Errors: ValueError for sizes that change the number of elements.

    >>> import minipaddle as paddle
    >>> paddle.nn.Unflatten(1, [2, -1])(paddle.ones([4, 6])).shape
    paddle.Size([4, 2, 3])
    """


class Bilinear(Layer):
    """y[k] = x1 @ weight[k] @ x2 + bias[k]; weight [out, in1, in2], bias [1, out].

    Dtypes: those of its parameters, float32 by default.
    Errors: ValueError for a dtype that is not the weight's, or if the shapes do not fit.
    Source: Paddle's `paddle.nn.Bilinear`.

    >>> import minipaddle as paddle
    >>> paddle.nn.Bilinear(2, 3, 4)(paddle.ones([5, 2]), paddle.ones([5, 3])).shape
    paddle.Size([5, 4])
    """

    def __init__(
        self,
        in1_features: int,
        in2_features: int,
        out_features: int,
        weight_attr: Any = None,
        bias_attr: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__()
        self._weight_attr, self._bias_attr, self._name = weight_attr, bias_attr, name
        self._in1_features, self._in2_features = in1_features, in2_features
        self._out_features = out_features
        shape = [out_features, in1_features, in2_features]
        self.weight = self.create_parameter(shape, weight_attr)
        self.bias = self.create_parameter([1, out_features], bias_attr, is_bias=True)

    def forward(self, x1: Any, x2: Any) -> Any:
        return F.bilinear(x1, x2, self.weight, self.bias)

    def extra_repr(self) -> str:
        sizes = {"in1_features": self._in1_features, "in2_features": self._in2_features}
        sizes["out_features"] = self._out_features
        return describe(**sizes, dtype=self._dtype.name, name=self._name)


# ----- dropout of whole channels, and alpha dropout -----------------------------------------------


class Dropout2D(FunctionLayer, function=F.dropout2d):
    """Dropout of whole channels of images with probability p, in training only.

    Shapes: for example x [1, 1, 1, 2] gives [1, 1, 1, 2].

    >>> import minipaddle as paddle
    >>> paddle.nn.Dropout2D(0.9).eval()(paddle.ones([1, 1, 1, 2])).tolist()
    [[[[1.0, 1.0]]]]
    """


class Dropout3D(FunctionLayer, function=F.dropout3d, inputs=("input",)):
    """Dropout of whole channels of x [N, C, D, H, W], in training only.

    >>> import minipaddle as paddle
    >>> paddle.nn.Dropout3D(0.9).eval()(paddle.ones([1, 2, 1, 1, 1])).flatten().tolist()
    [1.0, 1.0]
    """


class AlphaDropout(FunctionLayer, function=F.alpha_dropout, inputs=("input",)):
    """Dropout that keeps mean 0 and variance 1, to go with SELU; in training only.

    Shapes: for example input [2, 1] gives [2, 1].

    >>> import minipaddle as paddle
    >>> paddle.nn.AlphaDropout(0.9).eval()(paddle.ones([2, 1])).flatten().tolist()
    [1.0, 1.0]
    """


class FeatureAlphaDropout(FunctionLayer, function=F.feature_alpha_dropout, inputs=("input",)):
    """AlphaDropout of whole channels of x [N, C, ...], in training only.

    Shapes: for example input [2, 1] gives [2, 1].

    >>> import minipaddle as paddle
    >>> paddle.nn.FeatureAlphaDropout(0.9).eval()(paddle.ones([2, 1])).flatten().tolist()
    [1.0, 1.0]
    """


# ----- distances between two tensors --------------------------------------------------------------


class PairwiseDistance(FunctionLayer, function=F.pairwise_distance, inputs=("x", "y")):
    """The p-norm of x - y + epsilon along the last axis.

    >>> import minipaddle as paddle
    >>> distance = paddle.nn.PairwiseDistance(epsilon=0.0)
    >>> distance(paddle.zeros([1, 2]), paddle.to_tensor([[3.0, 4.0]])).tolist()
    [5.0]
    """

    def extra_repr(self) -> str:
        settings = [f"p={self.p}"]
        settings += [f"epsilon={self.epsilon}"] * (self.epsilon != 1e-6)
        settings += [f"keepdim={self.keepdim}"] * bool(self.keepdim)
        return ", ".join(settings + [f"name={self.name}"] * bool(self.name))


class CosineSimilarity(FunctionLayer, function=F.cosine_similarity, inputs=("x1", "x2")):
    """The cosine of the angle between two tensors along an axis.

    >>> import minipaddle as paddle
    >>> paddle.nn.CosineSimilarity()(paddle.ones([1, 4]), paddle.ones([1, 4])).tolist()
    [1.0]
    """

    _stored = "_{}"


# ----- padding ------------------------------------------------------------------------------------


class _Pad(Spatial):
    """Padding of lines, images or volumes.

    Dtypes: complex, int32, int64, float32, float64 kept.
    Errors: RuntimeError for bool, uint8, int8, int16, float16.
    """

    def __init__(
        self,
        padding: Any,
        mode: str = "constant",
        value: float = 0.0,
        data_format: str = "",
        name: str | None = None,
    ) -> None:
        super().__init__()
        one = isinstance(padding, int)
        self.padding = [padding] * (2 * self._axes) if one else padding
        self._mode, self.value = mode, value
        self._data_format, self._name = data_format, name

    def forward(self, x: Any) -> Any:
        return F.pad(x, self.padding, self._mode, self.value, self._data_format)

    def extra_repr(self) -> str:
        settings = {"padding": self.padding, "mode": self._mode, "value": self.value}
        return describe(**settings, data_format=self._data_format, name=self._name)


class Pad1D(_Pad, axes=1):
    """Lines padded at their ends by [left, right].

    >>> import minipaddle as paddle
    >>> paddle.nn.Pad1D([1, 2], mode="replicate")(paddle.to_tensor([[[1.0, 2.0]]])).tolist()
    [[[1.0, 1.0, 2.0, 2.0, 2.0]]]
    """


class Pad2D(_Pad, axes=2):
    """Images padded around by [left, right, top, bottom].

    >>> import minipaddle as paddle
    >>> paddle.nn.Pad2D(1)(paddle.ones([1, 1, 2, 2])).shape
    paddle.Size([1, 1, 4, 4])
    """


class Pad3D(_Pad, axes=3):
    """Volumes padded around by [left, right, top, bottom, front, back].

    >>> import minipaddle as paddle
    >>> paddle.nn.Pad3D(1)(paddle.ones([1, 1, 2, 2, 2])).shape
    paddle.Size([1, 1, 4, 4, 4])
    """


class _ZeroPad(_Pad):
    """Padding with zeros.

    Dtypes: complex, int32, int64, float32, float64 kept.
    Errors: RuntimeError for bool, uint8, int8, int16, float16.
    """

    def __init__(self, padding: Any, data_format: str = "", name: str | None = None) -> None:
        super().__init__(padding, "constant", 0.0, data_format, name)


class ZeroPad1D(_ZeroPad, axes=1):
    """Lines padded with zeros at their ends: [left, right].

    >>> import minipaddle as paddle
    >>> paddle.nn.ZeroPad1D([1, 0])(paddle.ones([1, 1, 2])).tolist()
    [[[0.0, 1.0, 1.0]]]
    """


class ZeroPad2D(_ZeroPad, axes=2):
    """Images padded around with zeros: [left, right, top, bottom].

    >>> import minipaddle as paddle
    >>> paddle.nn.ZeroPad2D([1, 0, 0, 0])(paddle.ones([1, 1, 1, 1])).tolist()
    [[[[0.0, 1.0]]]]
    """


class ZeroPad3D(_ZeroPad, axes=3):
    """Volumes padded around with zeros: [left, right, top, bottom, front, back].

    >>> import minipaddle as paddle
    >>> paddle.nn.ZeroPad3D([1, 0, 0, 0, 0, 0])(paddle.ones([1, 1, 1, 1, 1])).tolist()
    [[[[[0.0, 1.0]]]]]
    """
