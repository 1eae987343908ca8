"""Reading and writing with every kind of index."""

from tests.oracle.harness import case

from ._texts import texts


@case
def other_shapes_in_place(paddle, show):
    for name, args in (
        ("reshape_", ([3, 2],)),
        ("squeeze_", ()),
        ("unsqueeze_", ([0],)),
        ("flatten_", ()),
        ("transpose_", ([1, 0],)),
        ("t_", ()),
    ):
        for place in ("method", "function"):
            x = paddle.to_tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], stop_gradient=False)
            h = x * 2.0
            row = h[0]
            owner = paddle.Tensor if place == "method" else paddle
            result = getattr(owner, name)(h, *args)
            label = f"{name} {place}"
            show(f"{label} same", result is h)
            show(f"{label} shape", list(h.shape))
            show(f"{label} values", h)
            show(f"{label} version", h.inplace_version)
            weights = paddle.arange(6).astype("float32").reshape(h.shape)
            (h * weights).sum().backward()
            show(f"{label} gradient", x.grad)
            h.zero_()
            show(f"{label} views see it", row)
    leaf = paddle.ones([2, 2])
    leaf.stop_gradient = False
    show.raises("a leaf", lambda: leaf.reshape_([4]))


TEXTS = {
    "integers_and_slices": """
        x[0]
        x[-1, 2]
        x[1, 2, 3]
        x[:, 1]
        x[..., -1]
        x[0, ..., 1]
        x[1:, :2, 1:3]
        x[::-1]
        x[:, ::-2]
        x[-1:-5:-1]
        x[5:].shape
        x[:, 2:1].shape
        x[None].shape
        x[None, None, 0].shape
        x[..., None].shape
        x[:, None, 1:].shape
        x[()].shape
        x[...].shape
        x[np.int64(1)]
        x[(0, 1)]
        x[T(0):T(1)]
        x[T([0]):T([1])]
        x[::T(-1)]
        r[:, 1:T(3)]
        r[0][1]
        T(5.0)[()]
        T(5.0)[...]
        T(5.0)[None]
    """,
    "tensors_lists_and_arrays": """
        x[[0, 1]].shape
        x[[1, 0, 1]]
        x[[-1]]
        x[[[0, 1], [1, 0]]].shape
        x[T([1])]
        x[T(1)]
        x[i]
        x[i.astype('int32')]
        x[np.array([1, 0])]
        x[range(2)]
        x[[T(0), T(1)]]
        x[(i, [0, 2])]
        r[i, i]
        r[i[:, None], T([0, 2])]
        r[i, None].shape
        x[[0, 1], :, [1, 2]]
        x[0, :, [1, 2]]
        x[:, 0, [1, 2]]
        x[[0, 1], :, 0]
        x[0, [0, 1], :]
        x[T(1), :, T([1, 2])]
        x[..., [0, 1]]
        x[[0, 1], ..., [0, 1]]
        x[[0, 1], [0, 1], None].shape
        x[[]].shape
        x[T([], dtype='int64')].shape
        x[[0, 1],].shape
        x[:, [0, 1]]
        x[1:, [0, 2], ::2]
    """,
    "masks": """
        x[m]
        x[[True, False]]
        x[x > 5]
        x[x > 50]
        x[:, x[0] > 5]
        x[m, 0]
        x[m, :, [0]]
        x[m, [0]]
        x[:, T([True, False, True])]
        x[:, T([True, False, True]), [0, 1]]
        r[1, [True, False, True]]
        r[[True, False], [True, False, True]]
        r[[1, 0], [True, False, True]]
        x[True].shape
        x[False].shape
        x[T(True)].shape
        x[T(False)].shape
        x[None, True].shape
        x[True, None].shape
        T(5.0)[T(True)]
        T(5.0)[True]
    """,
    "refused_indices": """
        x[5]
        x[-3]
        x[0, 5]
        x[0, 0, 0, 0]
        x[:, :, :, :]
        x[..., ...]
        x[1.0]
        x['a']
        r[{}]
        x[T(1.0)]
        x[T([1.0])]
        x[[1.0]]
        x[np.array([1.0])]
        x[i.astype('uint8')]
        x[i.astype('int16')]
        x[1:2.0]
        x[::0]
        T(5.0)[0]
        x[T([True, False, True])]
        x[T([[True, False], [False, True]])]
        r[[0, 1], [0, 1, 2]]
    """,
    "positions_outside": """
        r.astype('bool')[[5]].shape
    """,
    "none_between_tensors": """
        x[None, [0, 1], :, [0, 1]].shape
        x[[0, 1], None, [0, 1]].shape
        x[:, [0, 1], None, [0, 1]].shape
    """,
    "writing": """
        W(r, 0, 5.0)
        W(r, (1, 2), 5.0)
        W(r, 0, v)
        W(r, 0, T([[1.0, 2.0, 3.0]]))
        W(r, s(None, None, -1), T([[1.0], [2.0]]))
        W(r, (s(None), 1), T([7.0, 8.0]))
        W(r, (Ellipsis, s(0, 2)), T(9.0))
        W(r, None, 3.0)
        W(r, (None, 0), v)
        W(r, s(T(0), T(1)), 3.0)
        W(r, [1, 0], np.array([[1.0, 2, 3], [4, 5, 6]]))
        W(r, [0, 0], T([[1.0, 2, 3], [4, 5, 6]]))
        W(r, T([-1]), 1.0)
        W(r, (s(None), [0, 2]), T([7.0, 8.0]))
        W(r, (0, [0, 2]), T([7.0, 8.0]))
        W(r, (T([0, 1]), T([1, 1])), T([5.0, 6.0]))
        W(x, (0, s(None), [1, 2]), T([7.0, 8.0]))
        W(x, (s(None), 0, [1, 2]), T([7.0, 8.0]))
        W(r, r > 2, 9.0)
        W(r, r > 2, T([7.0, 8.0, 9.0]))
        W(r, r > 2, T([7.0]))
        W(r, r > 2, T(7.0))
        W(r, m, v)
        W(r, True, 3.0)
        W(r, T(True), 3.0)
        W(r, T(False), 3.0)
        W(r, 0, T([1, 2, 3]))
        W(r.astype('int64'), 0, 3.7)
        W(r.astype('int64'), i, T([1.5, 2.5, 3.5]))
        W(r.astype('bool'), 0, True)
    """,
    "refused_writing": """
        W(r, 0, T([[[1.0], [2.0], [3.0]]]))
        W(r, s(5, 1), T([[1.0], [2.0]]))
        W(r, r > 2, T([7.0, 8.0]))
        W(r, 1.0, 1.0)
        W(r, 'a', 1.0)
        W(r, 7, 1.0)
        W(r, (0, 0, 0), 1.0)
        W(r, (s(None), s(None), s(None)), 1.0)
        W(r, 1, [1.0, 2, 3])
        W(r, T([True, False, True]), 1.0)
    """,
    "gradients": """
        G(lambda x: x[0, 1:], x)
        G(lambda x: x[::-2, None], x)
        G(lambda x: x[[0, 0, 1]], r)
        G(lambda x: x[i, [0, 2]], r)
        G(lambda x: x[0, :, [1, 1]], x)
        G(lambda x: x[x > 2], r)
        G(lambda x: x[m, 1], r)
        G(lambda x, v: W(x, 0, v), r, v)
        G(lambda x, v: W(x, 0, v), r, T([[1.0, 2.0, 3.0]]))
        G(lambda x, v: W(x, 0, v), r, T(1.0))
        G(lambda x, v: W(x, (s(None), s(0, 2)), v), r, T([[1.0], [2.0]]))
        G(lambda x, v: W(x, (s(None), s(None, None, -1)), v), r, v)
        G(lambda x, v: W(x, [1, 0], v), r, T([[1.0, 2, 3], [4, 5, 6]]))
        G(lambda x, v: W(x, (0, [2, 0]), v), r, T([7.0, 8.0]))
        G(lambda x, v: W(x, x > 2, v), r, v)
    """,
    "gradients_of_values": """
        G(lambda x, v: W(x, [0, 0], v), r, T([[1.0, 2, 3], [4, 5, 6]]))
        G(lambda x, v: W(x, x > 2, v), r, T(7.0))
    """,
    "views_and_copies": """
        V(r, lambda z: z[0])
        V(r, lambda z: z[:, ::2])
        V(r, lambda z: z[::-1])
        V(r, lambda z: z[None])
        V(r, lambda z: z[T(0)])
        V(r, lambda z: z[0, [0, 1]])
        V(r, lambda z: z[m])
        V(r, lambda z: z[True])
        V(r, lambda z: z[[0]])
        V(r, lambda z: z.reshape([3, 2]))
        V(r, lambda z: z.squeeze())
        V(r, lambda z: z.unsqueeze(0))
        V(r, lambda z: z.flatten())
        V(r, lambda z: z.t())
        V(r, lambda z: z.transpose([1, 0]))
        V(r, lambda z: z.view([3, 2]))
        V(r, lambda z: z.unflatten(1, [3, 1]))
        V(r, lambda z: z.slice([0], [0], [1]))
        V(r, lambda z: z.strided_slice([0], [0], [1], [1]))
        V(r, lambda z: paddle.diagonal(z))
        V(r, lambda z: paddle.unbind(z)[0])
        V(r, lambda z: paddle.moveaxis(z, 0, 1))
        V(r, lambda z: paddle.atleast_3d(z))
        V(r, lambda z: paddle.split(z, 2)[0])
        V(r, lambda z: paddle.chunk(z, 2)[0])
        V(r, lambda z: paddle.tensor_split(z, 2)[0])
        V(r, lambda z: paddle.flip(z, 0))
        V(r, lambda z: paddle.roll(z, 6))
        V(r, lambda z: paddle.tile(z, 1))
        V(r, lambda z: paddle.gather(z, i))
        V(r, lambda z: paddle.index_select(z, i))
        V(r, lambda z: paddle.concat([z]))
    """,
}
DIFFERS = {
    "positions_outside": "an index outside its axis is an error, where Paddle reads whatever is"
    " there",
    "none_between_tensors": "None beside several tensors of positions counts as an axis, as in"
    " NumPy",
    "gradients_of_values": "the gradient of a value goes where it was written last, and is summed"
    " if it spread",
}
TABLE = texts(TEXTS, DIFFERS)
