# Written by docs/make_stubs.py; do not edit.

from typing import Any

from minipaddle import _DTypeLike, _PlaceLike, _Shape
from minipaddle.nn.layer import Layer
from minipaddle.nn.spatial import Spatial

class _BatchNorm(Spatial):
    """What the batch norms share: weight, bias, and the running mean and variance."""
    def __init__(
        self,
        num_features: int,
        momentum: float = 0.9,
        epsilon: float = 1e-05,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str = "NCHW",
        use_global_stats: bool | None = None,
        name: str | None = None,
    ) -> None: ...

class BatchNorm1D(_BatchNorm):
    """Batch norm of [N, C] or [N, C, L]: mean 0 and variance 1 in each channel."""
    def __init__(
        self,
        num_features: int,
        momentum: float = 0.9,
        epsilon: float = 1e-05,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str = "NCL",
        use_global_stats: bool | None = None,
        name: str | None = None,
    ) -> None: ...

class BatchNorm2D(_BatchNorm):
    """Batch norm of images [N, C, H, W]."""
    def __init__(
        self,
        num_features: int,
        momentum: float = 0.9,
        epsilon: float = 1e-05,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str = "NCHW",
        use_global_stats: bool | None = None,
        name: str | None = None,
    ) -> None: ...

class BatchNorm3D(_BatchNorm):
    """Batch norm of volumes [N, C, D, H, W]."""
    def __init__(
        self,
        num_features: int,
        momentum: float = 0.9,
        epsilon: float = 1e-05,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str = "NCDHW",
        use_global_stats: bool | None = None,
        name: str | None = None,
    ) -> None: ...

class LayerNorm(Layer):
    """Mean 0 and variance 1 over the last axes; weight and bias are vectors."""
    def __init__(
        self,
        normalized_shape: _Shape,
        epsilon: float = 1e-05,
        *,
        elementwise_affine: bool = True,
        bias: bool = True,
        device: _PlaceLike | None = None,
        dtype: _DTypeLike | None = None,
        weight_attr: Any = None,
        bias_attr: Any = None,
        name: str | None = None,
    ) -> None: ...

class GroupNorm(Layer):
    """Mean 0 and variance 1 over groups of channels of each sample."""
    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        epsilon: float = 1e-05,
        *,
        affine: bool = True,
        device: _PlaceLike | None = None,
        dtype: _DTypeLike | None = None,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str = "NCHW",
        name: str | None = None,
    ) -> None: ...

class _InstanceNorm(Spatial):
    """What the instance norms share."""
    def __init__(
        self,
        num_features: int,
        epsilon: float = 1e-05,
        momentum: float = 0.9,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str = "",
        name: str | None = None,
    ) -> None: ...

class InstanceNorm1D(_InstanceNorm):
    """Mean 0 and variance 1 in each channel of each line."""
    def __init__(
        self,
        num_features: int,
        epsilon: float = 1e-05,
        momentum: float = 0.9,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str = "NCL",
        name: str | None = None,
    ) -> None: ...

class InstanceNorm2D(_InstanceNorm):
    """Mean 0 and variance 1 in each channel of each image."""
    def __init__(
        self,
        num_features: int,
        epsilon: float = 1e-05,
        momentum: float = 0.9,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str = "NCHW",
        name: str | None = None,
    ) -> None: ...
