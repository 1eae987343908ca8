"""The families that are loaded when one of their names is first used.

Made by `python -m tests.architecture.later`: names of a family, and whether each is a record, a
function of `paddle`, a method, or has an in-place form.
"""

from __future__ import annotations

FAMILIES: dict[str, dict[str, str]] = {
    "elementwise.counter": {
        "increment": "rfm",
    },
    "elementwise.gamma": {
        "lgamma": "rfmi", "digamma": "rfmi", "polygamma": "rfmi", "gammaln": "fmi",
    },
    "elementwise.pairs": {
        "atan2": "rfm", "copysign": "rfmi", "heaviside": "rfm", "nextafter": "rfm", "gcd": "rfmi",
        "lcm": "rfmi", "lerp": "rfmi", "hypot": "fmi", "logaddexp": "fm", "ldexp": "fmi",
    },
    "elementwise.predicates": {
        "isnan": "rfm", "isinf": "rfm", "isfinite": "rfm", "isposinf": "rfm", "isneginf": "rfm",
        "signbit": "rfm", "isreal": "rfm",
    },
    "elementwise.rounding": {
        "abs": "rfmi", "sign": "rfm", "sgn": "rfm", "floor": "rfmi", "ceil": "rfmi", "round":
        "rfmi", "trunc": "rfmi", "frac": "rfmi",
    },
    "elementwise.special": {
        "erf": "rfmi", "erfinv": "rfmi",
    },
    "indexing.along": {
        "put_along_axis": "rfmi", "last_along": "r", "count_along": "r", "scatter_add": "fmi",
        "scatter_reduce": "fm",
    },
    "indexing.gathering": {
        "gather": "rfm", "gather_back": "r", "index_select": "rfm", "gather_nd": "rfm",
        "take_along_axis": "rfm", "along_back": "r", "index_sample": "rfm", "flat_positions": "r",
        "take_along_dim": "fm", "take": "fm",
    },
    "indexing.masking": {
        "where": "rfm", "nonzero": "rfm", "masked_select": "rfm", "masked_put": "r", "masked_fill":
        "rfmi", "mask_order": "r", "argwhere": "fm", "masked_scatter": "fmi",
    },
    "indexing.scattering": {
        "scatter": "rfmi", "scatter_nd_add": "rfm", "scatter_nd": "rfm", "index_add": "rfmi",
        "index_fill": "fmi", "index_put": "rfmi", "select_scatter": "fm", "slice_scatter": "fm",
    },
    "making.initial": {
        "truncated_gaussian": "r", "orthogonal": "r",
    },
    "making.patterns": {
        "eye": "rf", "tril_indices": "rf", "triu_indices": "rf", "tril": "rfmi", "triu": "rfmi",
        "diag": "rfm", "on_diagonal": "r", "meshgrid": "rf", "diagflat": "fm",
    },
    "making.properties": {
        "numel": "rfm", "shape": "rf", "is_empty": "rfm", "rank": "rfm", "is_tensor": "fm",
        "tolist": "f", "is_floating_point": "fm", "is_integer": "fm", "is_complex": "fm",
    },
    "making.ranges": {
        "arange": "rf", "linspace": "rf", "logspace": "rf",
    },
    "making.sampling": {
        "uniform": "rf", "uniform_like": "r", "gaussian": "r", "gaussian_like": "r", "randint":
        "rf", "randint_like": "rf", "randperm": "rf", "bernoulli": "rf", "multinomial": "rfm",
        "rand": "f", "rand_like": "f", "randn": "f", "standard_normal": "f", "randn_like": "f",
        "normal": "f", "log_normal": "f",
    },
    "matrices.contraction": {
        "kron": "rfm", "cross": "rfm", "multi_dot": "rm", "inner": "fm", "outer": "fm", "vecdot":
        "f", "tensordot": "fm",
    },
    "matrices.decompositions": {
        "qr": "rm", "qr_complete": "r", "svd": "r", "svd_full": "r", "svdvals": "r", "eigh": "r",
        "eigvalsh": "rfm", "pinv": "rm", "matrix_rank": "r", "cond": "m",
    },
    "matrices.einsum": {
        "einsum": "rf",
    },
    "matrices.linalg": {
        "identity_like": "r", "inverse": "rfm", "det": "r", "slogdet": "rm", "solve": "rm",
        "triangular_solve": "r", "matrix_power": "rm", "cholesky": "rfm", "cholesky_solve": "m",
    },
    "matrices.norms": {
        "p_norm": "r", "frobenius_norm": "r", "dist": "rfm", "norm": "fm", "cdist": "fm",
    },
    "networks.activations": {
        "elu": "r", "selu": "r", "celu": "r", "gelu": "r", "silu": "r", "swish": "r", "mish": "r",
        "softplus": "r", "softsign": "r", "log_sigmoid": "r", "tanhshrink": "r",
    },
    "networks.classes": {
        "softmax_with_cross_entropy": "r", "hot_rows": "r", "negative_log_likelihood": "r",
        "nll_rows": "r", "one_hot": "r",
    },
    "networks.clipping": {
        "squared_l2_norm": "r", "clip_by_norm": "r",
    },
    "networks.convolution": {
        "conv2d": "r", "conv2d_transpose": "r", "conv2d_filter": "r",
    },
    "networks.losses": {
        "binary_cross_entropy": "r", "binary_cross_entropy_with_logits": "r", "kl_div": "r",
        "smooth_l1_loss": "r", "log_loss": "r",
    },
    "networks.neural": {
        "dropout": "r", "embedding": "r", "embedding_rows": "r",
    },
    "networks.normalization": {
        "batch_norm": "r", "layer_norm": "r",
    },
    "networks.padding": {
        "pad": "r", "pad_back": "r",
    },
    "networks.pooling": {
        "max_pool2d": "r", "max_pool2d_with_index": "r", "put_in_planes": "r", "take_in_planes":
        "r", "avg_pool2d": "r", "avg_pool2d_back": "r",
    },
    "networks.rectifiers": {
        "relu": "rfmi", "relu6": "r", "leaky_relu": "r", "thresholded_relu": "r", "prelu": "r",
        "random_slopes": "r", "hardtanh": "r", "hardsigmoid": "r", "hardswish": "r", "hardshrink":
        "r", "softshrink": "r",
    },
    "networks.rows": {
        "softmax": "rfm", "log_softmax": "r",
    },
    "reductions.composed": {
        "isin": "rfm", "diff": "fm", "trapezoid": "fm", "cumulative_trapezoid": "fm", "unfold":
        "fm", "vander": "fm", "block_diag": "fm", "cartesian_prod": "f", "combinations": "fm",
        "broadcast_shapes": "f", "pdist": "f", "renorm": "fmi", "sinc": "fmi", "reduce_as": "fm",
    },
    "reductions.counts": {
        "unique": "rfm", "unique_consecutive": "rfm", "bincount": "rfm", "histogram": "rfm",
        "histogram_bin_edges": "rfm",
    },
    "reductions.covariance": {
        "cov": "m", "corrcoef": "m",
    },
    "reductions.lines": {
        "shifted": "r", "recurrence": "r",
    },
    "reductions.ordering": {
        "argsort": "rfm", "topk": "rfm", "kthvalue": "rfm", "mode": "rfm", "sort": "fm", "msort":
        "fm",
    },
    "reductions.quantiles": {
        "quantile": "fm", "nanquantile": "fm",
    },
    "reductions.scan": {
        "cumsum": "rfmi", "logcumsumexp": "rfm", "cumprod": "rfmi", "cummax": "rfm", "cummin":
        "rfm",
    },
    "reductions.searching": {
        "searchsorted": "rf", "bucketize": "fm",
    },
    "reductions.statistics": {
        "var": "rfm", "nanmedian": "rfm", "std": "fm", "nansum": "fm", "nanmean": "fm",
        "count_nonzero": "fm", "median": "fm",
    },
    "shapes.diagonals": {
        "diagonal": "rfm", "diagonal_back": "r", "diag_embed": "rfm", "diagonal_scatter": "rfm",
        "trace": "rfm",
    },
    "shapes.parts": {
        "concat": "rfm", "concatenate": "fm", "cat": "fm", "stack": "rfm", "split": "rfm", "unbind":
        "rfm", "hstack": "f", "vstack": "f", "row_stack": "f", "dstack": "f", "column_stack": "f",
        "unstack": "fm", "chunk": "fm", "tensor_split": "fm", "hsplit": "fm", "vsplit": "fm",
        "dsplit": "fm",
    },
    "shapes.rearrange": {
        "transpose": "rfmi", "flip": "rfm", "reverse": "fm", "roll": "rfm", "permute": "fm",
        "swapaxes": "fm", "swapdims": "fm", "matrix_transpose": "fm", "t": "fmi", "moveaxis": "fm",
        "rot90": "fm",
    },
    "shapes.repeating": {
        "expand": "rfm", "sum_to": "r", "expand_by": "r", "expand_as": "rfm", "broadcast_tensors":
        "rfm", "tile": "rfm", "repeat_interleave": "rfm", "repeat_positions": "r", "broadcast_to":
        "fm", "broadcast_shape": "fm",
    },
    "shapes.slicing": {
        "slice": "fm", "strided_slice": "fm", "narrow": "fm", "crop": "f",
    },
}  # fmt: skip
RECORDS = {
    name: family
    for family, names in FAMILIES.items()
    for name, kinds in names.items()
    if kinds[0] == "r"
}
