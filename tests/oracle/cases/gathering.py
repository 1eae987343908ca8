"""Reading and writing by tensors of positions: gather, scatter, masks, along an axis."""

from tests.oracle.harness import case

from ._texts import each


@case
def gather(paddle, show):
    each(
        paddle,
        show,
        """
        paddle.gather(r, i)
        paddle.gather(r, T([2, 0]), 1)
        paddle.gather(r, T(1))
        paddle.gather(r, T([[1], [0]]))
        paddle.gather(r, T([-1]))
        paddle.gather(r, i, T(1))
        paddle.gather(r, T([[1, 0]]))
        paddle.gather(r, i.astype('float32'))
        paddle.gather(r, i.astype('int16'))
        paddle.gather(r, i, 2)
        paddle.gather_nd(r, T([[1, 2], [0, 0]]))
        paddle.gather_nd(r, T([1]))
        paddle.gather_nd(r, T([[1], [0]]))
        paddle.gather_nd(r, T([[-1, -1]]))
        paddle.gather_nd(r, paddle.zeros([2, 0], 'int64')).shape
        paddle.gather_nd(r, T([[1, 2, 3]]))
        paddle.gather_nd(r, T([[2, 2]]))
        paddle.gather_nd(r, T([[1.0, 2]]))
        paddle.index_select(r, i)
        paddle.index_select(r, T([2, 0]), 1)
        paddle.index_select(r, T([[1, 0]]))
        paddle.index_select(r, T([5]))
        paddle.index_select(r, T([-3]))
        paddle.index_select(r, i, 2)
        paddle.index_select(r, T([1.0]))
        paddle.index_select(r, T(1))
        paddle.index_sample(r, T([[0, 2], [1, 1]]))
        paddle.index_sample(r, T([[0, 5], [1, 1]]))
        paddle.index_sample(r, T([[0, -1], [1, 1]]))
        paddle.index_sample(r, T([0, 1]))
        paddle.index_sample(r, T([[0, 1]]))
        paddle.take(r, T([5, 0]))
        paddle.take(r, T([[5, -1]]))
        paddle.take(r, T(1))
        paddle.take(r, T([6, -7]), 'wrap')
        paddle.take(r, T([6, -1]), 'clip')
        paddle.take(r, T([6]))
        paddle.take(r, T([1]), 'x')
        paddle.take(r, T([1.0]))
        paddle.take(r, 1)
        G(lambda x: paddle.gather(x, T([0, 0, 1])), r)
        G(lambda x: paddle.gather(x, T([0, 0, 2]), 1), r)
        G(lambda x: paddle.gather_nd(x, T([[0, 1], [0, 1], [1, 2]])), r)
        G(lambda x: paddle.index_select(x, T([2, 0, 2]), 1), r)
        G(lambda x: paddle.index_sample(x, T([[0, 2], [1, 1]])), r)
        G(lambda x: paddle.take(x, T([5, 0, 5])), r)
    """,
    )


@case
def scatter(paddle, show):
    each(
        paddle,
        show,
        """
        paddle.scatter(r, i, T([[1.0, 1, 1], [2, 2, 2]]))
        paddle.scatter(r, T([0, 0]), T([[1.0, 1, 1], [2, 2, 2]]))
        paddle.scatter(r, T([0, 0]), T([[1.0, 1, 1], [2, 2, 2]]), overwrite=False)
        paddle.scatter(r, T([1]), T([[1.0, 1, 1]]), overwrite=False)
        paddle.scatter(r, T([-1]), T([[1.0, 1, 1]]))
        paddle.scatter(r, T([[1]]), T([[1.0, 1, 1]]))
        paddle.scatter(r, T(1), T([1.0, 1, 1]))
        paddle.scatter(v, T([1, 2]), T([7.0, 8.0]))
        paddle.scatter(r, T([5]), T([[1.0, 1, 1]]))
        paddle.scatter(r, T([1]), v)
        paddle.scatter(r, i, T([[1.0, 1, 1]]))
        paddle.scatter(r, T([1]), T([[1.0, 1]]))
        paddle.scatter(r, T([1.0]), T([[1.0, 1, 1]]))
        paddle.scatter_nd(T([[1], [1]]), T([2.0, 3.0]), [4])
        paddle.scatter_nd(T([[1, 1]]), T([2.0]), [2, 2])
        paddle.scatter_nd(T([[5]]), T([2.0]), [4])
        paddle.scatter_nd_add(r, T([[0], [0]]), T([[1.0, 1, 1], [2, 2, 2]]))
        paddle.scatter_nd_add(r, T([[0, 1], [0, 1]]), T([1.0, 1]))
        paddle.scatter_nd_add(r, T([[0, -1]]), T([1.0]))
        paddle.scatter_nd_add(r, T([1]), v)
        paddle.scatter_nd_add(r, T([[0, 7]]), T([1.0]))
        paddle.scatter_nd_add(r, T([[0, 1]]), T([1.0, 2.0]))
        paddle.scatter_nd_add(r, T([[0, 1]]), T([1]))
        paddle.index_add(r, i, 0, paddle.ones([2, 3]))
        paddle.index_add(r, T([0, 0]), 0, paddle.ones([2, 3]))
        paddle.index_add(r, T([-1]), 1, paddle.ones([2, 1]))
        paddle.index_add(r, T([5]), 1, paddle.ones([2, 1]))
        paddle.index_fill(r, i, 0, 9.0)
        paddle.index_fill(r, T([2]), -1, T(9.0))
        paddle.index_fill(r, T([-1]), 1, 1)
        paddle.index_put(r, (T([0, 1]), T([1, 2])), T([9.0, 8.0]))
        paddle.index_put(r, (T([0, 0]), T([1, 1])), T([9.0, 8.0]), True)
        paddle.index_put(r, (T([0, 1]),), T([9.0, 8.0, 7.0]))
        paddle.index_put(r, (r > 2,), T([9.0, 8.0, 7.0]))
        paddle.index_put(r, (m, T([0])), T([9.0]))
        paddle.index_put(r, T([0, 1]), T([9.0, 8.0, 7.0]))
        paddle.index_put(r, (T([0, 1]),), T([9.0, 8.0]))
        paddle.select_scatter(r, v, 0, 1)
        paddle.slice_scatter(r, T([[1.0], [2]]), [1], [1], [2], [1])
        G(lambda x, u: paddle.scatter(x, i, u), r, T([[1.0, 1, 1], [2, 2, 2]]))
        G(lambda x, u: paddle.scatter(x, T([0]), u, overwrite=False), r, T([[1.0, 1, 1]]))
        G(lambda x, u: paddle.scatter_nd_add(x, T([[0, 1], [0, 1]]), u), r, T([1.0, 1]))
        G(lambda u: paddle.scatter_nd(T([[1], [1]]), u, [4]), T([2.0, 3.0]))
        G(lambda x, u: paddle.index_add(x, T([1, 1]), 0, u), r, paddle.ones([2, 3]))
        G(lambda x: paddle.index_fill(x, T([1]), 0, 3.0), r)
        G(lambda x, u: paddle.index_put(x, (i, i), u), r, T([2.0, 3.0]))
        G(lambda x, u: paddle.index_put(x, (i, i), u, True), r, T([2.0, 3.0]))
    """,
    )


@case
def masks(paddle, show):
    each(
        paddle,
        show,
        """
        paddle.masked_select(r, r > 2)
        paddle.masked_select(r, T([True, False, True]))
        paddle.masked_select(r[0], r > 2)
        paddle.masked_select(r, r)
        paddle.masked_fill(r, r > 2, 9.0)
        paddle.masked_fill(r, r > 2, T(9.0))
        paddle.masked_fill(r, r > 2, T([9.0]))
        paddle.masked_fill(r, T([True, False, True]), 9)
        paddle.masked_fill(r[0], r > 2, 9)
        paddle.masked_fill(r.astype('int64'), r > 2, 9.7)
        paddle.masked_scatter(r, r > 2, T([9.0, 8.0, 7.0, 6.0]))
        paddle.masked_scatter(r, T([True, False, True]), T([9.0, 8.0, 7.0, 6.0]))
        paddle.masked_scatter(r, r > 2, T([9, 8, 7, 6]))
        paddle.masked_scatter(r, r, T([9.0, 8.0, 7.0, 6.0]))
        paddle.where(r > 2)
        paddle.where(r > 2, 1.0, 2.0)
        paddle.where(r > 2, 1, 2)
        paddle.where(r > 2, 1, 2.0)
        paddle.where(r > 2, r)
        paddle.where(r > 2, r, r.astype('int64'))
        paddle.where(r > 2, r.astype('int64'), 1.5)
        paddle.where(r, r, r)
        paddle.where(T([True, False, True]), r, T(1.0))
        paddle.where(T(True))
        paddle.nonzero(r > 2)
        paddle.nonzero(r > 2, True)
        paddle.nonzero(T([0, 1, 2]))
        paddle.nonzero(T([0, 1, 2]), as_tuple=True)
        paddle.nonzero(T([0, 0]))
        paddle.nonzero(T(3.0))
        paddle.argwhere(r > 2)
        G(lambda x: paddle.masked_select(x, T([True, False, True])), r)
        G(lambda x: paddle.masked_fill(x, x > 2, 1.0), r)
        G(lambda x: paddle.masked_scatter(x, r > 2, T([9.0, 8.0, 7.0, 6.0])), r)
        G(lambda x, y: paddle.where(x > 2, x, y), r, r)
    """,
    )


@case
def along_an_axis(paddle, show):
    each(
        paddle,
        show,
        """
        paddle.take_along_axis(r, T([[0, 1, 0]]), 0)
        paddle.take_along_axis(r, T([[2], [0]]), 1)
        paddle.take_along_axis(r, T([[2]]), 1)
        paddle.take_along_axis(r, T([[2]]), 1, False)
        paddle.take_along_axis(r, T([[0, 1], [1, 0], [0, 0]]), 0, False)
        paddle.take_along_axis(r, T([[-1], [0]]), 1)
        paddle.take_along_axis(r, T([[1], [0]]).astype('int32'), 1)
        paddle.take_along_axis(r, T([[0, 1], [1, 0], [0, 0]]), 1, False)
        paddle.take_along_axis(r, T([[0, 1], [1, 0]]), 0)
        paddle.take_along_axis(r, T([[5], [0]]), 1)
        paddle.take_along_axis(r, T([0]), 1)
        paddle.take_along_axis(r, T([[1], [0]]), 2)
        paddle.put_along_axis(r, T([[0]]), 9.0, 0)
        paddle.put_along_axis(r, T([[0]]), T(7.0), 1)
        paddle.put_along_axis(r, T([[-1]]), 9.0, 0)
        paddle.put_along_axis(r, T([[0], [1]]), T([[7.0], [8.0]]), 1)
        paddle.put_along_axis(r, T([[0], [1]]), T([[7.0], [8.0]]), 1, 'add')
        paddle.put_along_axis(r, T([[0], [1]]), T([[7.0], [8.0]]), 1, 'multiply')
        paddle.put_along_axis(r, T([[0], [1]]), T([[7.0], [8.0]]), 1, 'mul')
        paddle.put_along_axis(r, T([[0], [1]]), T([[7.0], [8.0]]), 1, 'mean')
        paddle.put_along_axis(r, T([[0], [1]]), T([[7.0], [-8.0]]), 1, 'amin')
        paddle.put_along_axis(r, T([[0], [1]]), T([[7.0], [-8.0]]), 1, 'amax')
        paddle.put_along_axis(r, J, U, 1, 'add', False, False)
        paddle.put_along_axis(r, J, U, 1, 'mean', False, False)
        paddle.put_along_axis(r, J, U, 1, 'mean', True, False)
        paddle.put_along_axis(r, J, U, 1, 'mul', False, False)
        paddle.put_along_axis(r, J, U, 1, 'amax', False, False)
        paddle.put_along_axis(r, J, U, 1, 'amin', False, False)
        paddle.put_along_axis(r, J, U, 1, 'assign', True, False)
        paddle.put_along_axis(r, T([[0]]), 9.0, 0, 'assign', True, False)
        paddle.put_along_axis(r, T([[5]]), 9.0, 0)
        paddle.put_along_axis(r, T([[0]]), 9.0, 0, 'foo')
        paddle.put_along_axis(r, T([0]), 9.0, 0)
        paddle.put_along_axis(r, T([[0, 1], [1, 0]]), T([[7.0]]), 1, 'assign', True, False)
        paddle.put_along_axis(r, T([[0]]), T([[7]]), 1)
        paddle.scatter_add(r, 1, T([[0, 0], [1, 1]]), T([[7.0, 5], [8, 2]]))
        paddle.scatter_reduce(r, 1, T([[0, 0], [1, 1]]), T([[7.0, 5], [8, 2]]), 'sum')
        paddle.scatter_reduce(r, 1, T([[0, 0]]), T([[7.0, 5]]), 'prod', include_self=False)
        G(lambda x: paddle.take_along_axis(x, T([[2, 2], [0, 1]]), 1), r)
        G(lambda x, u: paddle.put_along_axis(x, T([[0], [1]]), u, 1), r, T([[7.0], [8.0]]))
        G(lambda x, u: paddle.put_along_axis(x, T([[0], [1]]), u, 1, 'add'), r, T([[7.0], [8.0]]))
        G(lambda x, u: paddle.put_along_axis(x + 1, I, u, 1, 'mul'), r, T([[7.0], [8.0]]))
        G(lambda x, u: paddle.put_along_axis(x, J, u, 1, 'add', True, False), r, U)
        G(lambda x, u: paddle.put_along_axis(x, J, u, 1, 'add', False, False), r, U)
        G(lambda x, u: paddle.put_along_axis(x, J, u, 1, 'mean', True, False), r, U)
        G(lambda x, u: paddle.put_along_axis(x, J, u, 1, 'mean', False, False), r, U)
        G(lambda x, u: paddle.put_along_axis(x, J, u, 1, 'amax', True, False), r, U)
        G(lambda x, u: paddle.put_along_axis(x, J, u, 1, 'amin', True, False), r, U)
        G(lambda x, u: paddle.put_along_axis(x, J, u, 1, 'amax', False, False), r, U)
        G(lambda x, u: paddle.put_along_axis(x, J, u, 1, 'amin', False, False), r, U)
        G(lambda x, u: paddle.put_along_axis(x, J, u, 1, 'assign', True, False), r, U)
    """,
    )


@case(differs="wrong positions, and masks and values that do not fit, are errors")
def silently_wrong(paddle, show):
    each(
        paddle,
        show,
        """
        paddle.index_select(r, T([2, -1]), 1)
        paddle.masked_fill(r, r, 9)
        paddle.masked_fill(r, r > 2, T([[1.0], [2.0]]))
        paddle.take(r, T([-7]))
        G(lambda x, u: paddle.scatter(x, T([0, 0]), u), r, T([[1.0, 1, 1], [2, 2, 2]]))
    """,
    )


@case
def in_place_forms(paddle, show):
    def change(name, *args):
        x = paddle.to_tensor([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], stop_gradient=False)
        h = x * 1.0
        show(f"{name} same", getattr(h, name)(*args) is h)
        show(f"{name} values", h)
        show(f"{name} counts", h.inplace_version > 0)
        (h * h).sum().backward()
        show(f"{name} gradient", x.grad)

    T = paddle.to_tensor
    rows = T([[7.0, 8.0, 9.0]])
    change("scatter_", T([1]), rows)
    change("index_add_", T([1]), 0, rows)
    change("index_fill_", T([1]), 0, 9.0)
    change("index_put_", (T([0, 1]), T([1, 2])), T([9.0, 8.0]))
    change("masked_fill_", T([[True, False, True], [False, True, False]]), 9.0)
    change("masked_scatter_", T([[True, False, True], [False, True, False]]), T([9.0, 8.0, 7.0]))
    change("put_along_axis_", T([[0], [1]]), T([[7.0], [8.0]]), 1)


@case(differs="positions count as inputs; in Paddle the values alone say what wants one")
def positions_that_want_a_gradient(paddle, show):
    x, positions = paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]]), paddle.to_tensor([1, 0])
    positions.stop_gradient = False
    show("gather", paddle.gather(x, positions).stop_gradient)
    show("index_select", paddle.index_select(x, positions).stop_gradient)
    show("getitem", x[positions].stop_gradient)
    show("embedding", paddle.nn.functional.embedding(positions, x).stop_gradient)
