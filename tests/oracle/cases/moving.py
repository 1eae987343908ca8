"""Ops that move elements: shapes, orders, joining, cutting, repeating, diagonals."""

from tests.oracle.harness import case

from ._texts import texts

CALLS = {
    "flip": lambda paddle, x: paddle.flip(x, 0),
    "roll": lambda paddle, x: paddle.roll(x, 1),
    "concat": lambda paddle, x: paddle.concat([x, x]),
    "tile": lambda paddle, x: paddle.tile(x, [1, 2]),
    "transpose": lambda paddle, x: x.transpose([1, 0]),
    "expand": lambda paddle, x: x.expand([2, 2, 3]),
    "diagonal": lambda paddle, x: paddle.diagonal(x),
    "getitem": lambda paddle, x: x[0],
    "pick": lambda paddle, x: x[[1, 0]],
}


@case
def dtypes(paddle, show):
    for name in ("float64", "int32", "int64", "bool"):
        x = paddle.to_tensor([[0, 1, 2], [3, 4, 5]]).astype(name)
        for label, call in CALLS.items():
            show(f"{label} {name}", call(paddle, x))


TEXTS = {
    "shapes": """
        paddle.reshape(r, [-1])
        paddle.reshape(r, [0, 3, 1])
        paddle.reshape(r, [T(3), 2])
        paddle.reshape(r, T([3, 2]))
        paddle.reshape(r, 6)
        r.reshape(3, 2)
        paddle.reshape(r, [4, -1])
        paddle.reshape(r, [-1, -1])
        paddle.reshape(r, [-2, 3])
        paddle.flatten(x, 1)
        paddle.flatten(x, -2, -1)
        paddle.flatten(T(1.0))
        paddle.flatten(r, 1, 0)
        paddle.flatten(r, 5)
        paddle.squeeze(r[None], -3).shape
        paddle.squeeze(r[None], (0, 1)).shape
        paddle.squeeze(r, 5)
        paddle.unsqueeze(r, [0, 0]).shape
        paddle.unsqueeze(r, [-1, 0]).shape
        paddle.unsqueeze(r, T([0, 2])).shape
        paddle.unsqueeze(r, [T(0)]).shape
        paddle.unsqueeze(r, 5)
        paddle.unflatten(r, 1, [3, 1])
        paddle.unflatten(r, 1, [-1, 1]).shape
        paddle.unflatten(r, 0, T([2, 1])).shape
        paddle.unflatten(r, 0, [3, -1])
        paddle.unflatten(r, 5, [3, -1])
        paddle.ravel(r)
        paddle.view(r, [3, 2])
        paddle.view(r, 'int32')
        paddle.view(r, 'uint8').shape
        paddle.view(r, 'float64')
        r.view('int32')
        paddle.view(r, [3, 3])
        paddle.view_as(r, paddle.ones([3, 2]))
        paddle.atleast_1d(T(1.0))
        paddle.atleast_1d(T(1.0), r)
        paddle.atleast_2d(v)
        paddle.atleast_2d(3.0)
        paddle.atleast_2d([1, 2])
        paddle.atleast_3d(v).shape
        paddle.atleast_3d(r).shape
        G(lambda x: x.reshape([3, 2]), r)
        G(lambda x: x.unsqueeze([0, 2]), r)
        G(lambda x: x.flatten(1), x)
    """,
    "orders": """
        paddle.transpose(x, [2, 0, 1])
        x.transpose([-1, 0, 1]).shape
        r.transpose(1, 0)
        paddle.transpose(r, [0, 0])
        paddle.transpose(r, [0, 2])
        paddle.permute(r, [1, 0])
        r.permute(1, 0)
        paddle.swapaxes(x, 0, 2).shape
        paddle.swapaxes(r, [1, 0])
        paddle.swapdims(r, 0, 1)
        paddle.matrix_transpose(x).shape
        paddle.matrix_transpose(v)
        paddle.t(r)
        paddle.t(v)
        paddle.t(x)
        paddle.moveaxis(x, 0, 2).shape
        paddle.moveaxis(x, [0, 1], [2, 0]).shape
        paddle.moveaxis(x, [0, 1], [-1, -2]).shape
        paddle.moveaxis(x, 0, 5)
        paddle.moveaxis(x, [0, 1], [0])
        paddle.moveaxis(x, [0, 0], [0, 1])
        paddle.moveaxis(x, 0.5, 1)
        paddle.flip(r, 1)
        paddle.flip(r, [0, -1])
        paddle.flip(r, [])
        paddle.reverse(r, 0)
        paddle.flip(r, 2)
        paddle.flip(r, [0, 0])
        paddle.roll(r, 1)
        paddle.roll(r, -1, 1)
        paddle.roll(r, [1, 2], [0, 1])
        paddle.roll(r, [1, 2], [0, 0])
        paddle.roll(r, T(1), 0)
        paddle.roll(r, 1, 5)
        paddle.roll(r, [1, 2], 0)
        paddle.roll(r, [1, 2])
        paddle.rot90(r)
        paddle.rot90(r, -1)
        paddle.rot90(r, -1, [1, 0])
        paddle.rot90(r, 2)
        paddle.rot90(r, 4)
        paddle.rot90(x, 3, [1, 2])
        paddle.rot90(r, 1, [0, 0])
        paddle.rot90(r, 1, [0, 2])
        paddle.rot90(r, 1, [0])
        paddle.rot90(v, 1)
        G(lambda x: paddle.flip(x, [0]), r)
        G(lambda x: paddle.roll(x, 2), r)
        G(lambda x: paddle.roll(x, [1, 1], [0, 1]), r)
        G(lambda x: paddle.rot90(x), r)
        G(lambda x: paddle.moveaxis(x, 0, 2), x)
    """,
    "repeating": """
        paddle.expand(r, [-1, 3])
        paddle.expand(r, [3, -1, 3]).shape
        paddle.expand(r, (T(2), 3)).shape
        r.expand(2, 3).shape
        paddle.expand(r, [2])
        paddle.expand(r, [2, 4])
        paddle.expand_as(v, r)
        paddle.expand_as(r, v)
        paddle.broadcast_to(r, [3, 2, 3]).shape
        paddle.broadcast_to(r, [2, 2])
        paddle.broadcast_tensors([T([1.0, 2]), T([[1.0], [2]])])
        paddle.broadcast_tensors([T([1.0, 2]), v])
        paddle.broadcast_tensors([])
        paddle.broadcast_shape([2, 1], [1, 3])
        paddle.broadcast_shape([2, 2], [1, 3])
        paddle.tile(r, 2)
        paddle.tile(r, [2, 1, 1]).shape
        paddle.tile(r, T([2, 1])).shape
        paddle.tile(r, (T(2), 1)).shape
        r.tile([0, 1])
        paddle.repeat_interleave(r, 2)
        paddle.repeat_interleave(r, 2, 1)
        paddle.repeat_interleave(r, 2, axis=-2)
        paddle.repeat_interleave(r, T([1, 2]), 0)
        paddle.repeat_interleave(r, T([1, 2, 0]), -1)
        paddle.repeat_interleave(v, T([1, 2, 0]).astype('int32'))
        paddle.repeat_interleave(i, 2)
        paddle.repeat_interleave(r, T([1, 2]), 1)
        paddle.repeat_interleave(r, [1, 2], 0)
        paddle.repeat_interleave(r, 0, 0)
        paddle.repeat_interleave(r, -1, 0)
        paddle.repeat_interleave(r, 2, 5)
        G(lambda x: paddle.expand(x, [2, 2, 3]), r)
        G(lambda x: paddle.expand_as(x, r), v)
        G(lambda x: paddle.tile(x, [2, 2]), r)
        G(lambda x: paddle.repeat_interleave(x, 2, 0), r)
        G(lambda x: paddle.repeat_interleave(x, 3), r)
        G(lambda x: paddle.repeat_interleave(x, T([2, 1, 3]), 1), r)
        G(lambda x, y: paddle.add_n(paddle.broadcast_tensors([x, y])), v, T([[1.0], [2]]))
    """,
    "joining": """
        paddle.concat([r, r], 1)
        paddle.concat([r, r], T(1)).shape
        paddle.concat((r, r), axis=-1).shape
        paddle.concat([T([]), T([1.0])])
        paddle.concat([r, r], 2)
        paddle.concat([r, v])
        paddle.concat([])
        paddle.concat(r)
        paddle.concat([T(1.0), T(1.0)])
        paddle.concat([r, r.astype('float64')])
        paddle.stack([v, v])
        paddle.stack([r, r], -1)
        paddle.stack([T(1), T(2)])
        paddle.stack([r, v])
        paddle.stack([r, r], 3)
        paddle.stack([])
        paddle.hstack([T(1.0), T(2.0)])
        paddle.hstack([r, r])
        paddle.vstack([v, v])
        paddle.vstack([T(1.0), T(2.0)])
        paddle.dstack([v, v])
        paddle.dstack([r, r])
        paddle.column_stack([v, v])
        paddle.row_stack([v, v])
        G(lambda x, y: paddle.concat([x, y], 1), r, r)
        G(lambda x, y: paddle.stack([x, y], 1), v, v)
        G(lambda x, y: paddle.dstack([x, y]), v, v)
    """,
    "cutting": """
        paddle.split(r, 2)
        paddle.split(r, [1, 2], 1)
        paddle.split(r, [1, -1], 1)
        paddle.split(r, 2, T(0))
        paddle.split(r, [-1, -1], 1)
        paddle.split(r, [1, 1], 1)
        paddle.split(r, 2, 1)
        paddle.split(r, 0)
        paddle.chunk(r, 3, 1)
        paddle.chunk(r, 2, 1)
        paddle.chunk(r, 4)
        paddle.tensor_split(paddle.arange(5), 2)
        paddle.tensor_split(paddle.arange(5), [1, 3])
        paddle.tensor_split(paddle.arange(5), [-2, 9])
        paddle.tensor_split(r, [3, 1], 1)
        paddle.tensor_split(r, 3, 1)
        paddle.tensor_split(paddle.arange(5), 0)
        paddle.tensor_split(r, T(3), 1)
        paddle.tensor_split(T(1.0), 1)
        paddle.hsplit(r, 3)
        paddle.hsplit(T([1.0, 2]), 2)
        paddle.vsplit(r, 2)
        paddle.vsplit(v, 3)
        paddle.dsplit(x, 2)[0]
        paddle.dsplit(r, 2)
        paddle.unbind(r)
        paddle.unbind(r, 1)
        paddle.unbind(r, 2)
        paddle.unstack(r, 1)
        paddle.unstack(r, -1, 3)
        paddle.unstack(r, 0, 3)
        G(lambda x: paddle.split(x, [1, 2], 1), r)
        G(lambda x: paddle.unbind(x, 1)[2], r)
        G(lambda x: paddle.tensor_split(x, 2, 1)[1], r)
    """,
    "slicing": """
        paddle.slice(r, [0, 1], [0, -2], [1, 100])
        paddle.slice(r, [0], [T(0)], [T(1)])
        paddle.slice(r, [0], T([0]), T([1]))
        paddle.slice(r, [0], [5], [9])
        paddle.slice(r, [-1], [1], [3])
        paddle.slice(r, [0], [1], [0])
        paddle.slice(r, [0, 1], [0], [1])
        paddle.strided_slice(r, [1], [2], [-4], [-1])
        paddle.strided_slice(r, [0, 1], [0, 0], [2, 3], [1, 2])
        paddle.strided_slice(r, [1], [-1], [-10], [-2])
        paddle.strided_slice(r, [1], [2], [-1], [-1])
        paddle.strided_slice(r, [1], [0], [3], [0])
        paddle.strided_slice(r, [2], [0], [3], [1])
        paddle.narrow(r, 1, 1, 2)
        paddle.crop(r, [1, 2], [1, 1])
        paddle.crop(r, [-1, 2], [1, 0])
        paddle.crop(r)
        paddle.crop(r, [1, 2])
        paddle.crop(r, T([1, 2]), T([0, 1]))
        paddle.crop(r, [3, 2])
        paddle.crop(r, [2, 2], [1, 1])
        paddle.crop(r, [1])
        paddle.crop(r, [1, 2], [-1, 0])
        G(lambda x: paddle.slice(x, [1], [1], [3]), r)
        G(lambda x: paddle.strided_slice(x, [1], [2], [-4], [-2]), r)
        G(lambda x: paddle.crop(x, [1, 2], [1, 1]), r)
    """,
    "diagonals": """
        paddle.diagonal(r)
        paddle.diagonal(r, 1)
        paddle.diagonal(r, -1, 1, 0)
        paddle.diagonal(x, 0, 0, 2)
        paddle.diagonal(r, 9)
        paddle.diagonal(r, 0, 0, 0)
        paddle.diagonal(r, 0, 0, 2)
        paddle.diagonal(v)
        paddle.diag_embed(v)
        paddle.diag_embed(v, 1)
        paddle.diag_embed(r, 0, 0, 2)
        paddle.diag_embed(r, -1, 0, 1)
        paddle.diag_embed(r, 0, 0, 0)
        paddle.diag_embed(r, 0, 0, 5)
        paddle.diagonal_scatter(r, T([8.0, 9.0]))
        paddle.diagonal_scatter(r, T([8.0, 9.0]), 1)
        paddle.trace(r)
        paddle.trace(r, 1)
        paddle.trace(x, 0, 1, 2)
        paddle.trace(r.astype('int32'))
        paddle.trace(r, 9)
        paddle.trace(v)
        G(lambda x: paddle.diagonal(x, 1), r)
        G(lambda x: paddle.trace(x, 0, 0, 2), x)
        G(lambda x: x.trace(1), r)
    """,
}
TABLE = texts(TEXTS)
