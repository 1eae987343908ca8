"""PyLayer: the class, what apply takes and gives back."""

from ..harness import case
from ._layers import layer, leaf, scaled

# ----- The class and the call -----


@case
def names_and_classes(paddle, show):
    autograd = paddle.autograd
    show("Function", autograd.Function is autograd.PyLayer)
    contexts = []

    def forward(ctx, x):
        contexts.append(ctx)
        return x * 2

    def backward(ctx, dy):
        contexts.append(ctx)
        return dy

    keeps = layer(paddle, forward, backward, "Keeps")
    y = keeps.apply(leaf(paddle))
    y.sum().backward()
    keeps.apply(leaf(paddle))
    show("same in backward", contexts[0] is contexts[1])
    show("fresh for each apply", contexts[0] is not contexts[2])
    show("is a context", isinstance(contexts[0], autograd.PyLayerContext))
    show("is no layer", isinstance(contexts[0], keeps))
    show("node", y.grad_fn.name())
    show("no needs_input_grad", hasattr(contexts[0], "needs_input_grad"))


@case
def instances_can_apply(paddle, show):
    double = scaled(paddle, 2.0)
    show("applied", double(1, 2).apply(leaf(paddle)))
    show.raises("called", lambda: double()(leaf(paddle)))


@case
def forward_called_directly(paddle, show):
    x = leaf(paddle)
    y = scaled(paddle, 2.0).forward(None, x)
    show("stop_gradient", y.stop_gradient)
    y.sum().backward()
    show("grad", x.grad)


@case
def methods_need_not_be_static(paddle, show):
    class Plain(paddle.autograd.PyLayer):
        def forward(ctx, x):
            return x * 3

        def backward(ctx, dy):
            return dy * 5

    class Classy(paddle.autograd.PyLayer):
        @classmethod
        def forward(cls, ctx, x):
            return x * 3

        @classmethod
        def backward(cls, ctx, dy):
            return dy * 7

    for label, kind in (("plain", Plain), ("class", Classy)):
        x = leaf(paddle)
        kind.apply(x).sum().backward()
        show(label, x.grad)


@case
def missing_methods(paddle, show):
    class NoForward(paddle.autograd.PyLayer):
        pass

    class NoBackward(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x):
            return x * 2

    show.raises("no forward", lambda: NoForward.apply(leaf(paddle)))
    y = NoBackward.apply(leaf(paddle))
    show("applied", y)
    show.raises("no backward", lambda: y.sum().backward())


@case
def a_subclass_is_a_layer(paddle, show):
    class Child(scaled(paddle, 2.0)):
        @staticmethod
        def backward(ctx, dy):
            return dy * 11

    x = leaf(paddle)
    y = Child.apply(x)
    y.sum().backward()
    show("y", y)
    show("grad", x.grad)


@case
def wrong_arguments(paddle, show):
    double = scaled(paddle, 2.0)
    show.raises("too many", lambda: double.apply(leaf(paddle), 1))
    show.raises("unknown name", lambda: double.apply(leaf(paddle), foo=1))
    show.raises("too few", double.apply)


# ----- Inputs -----


@case
def keyword_order_is_gradient_order(paddle, show):
    a, b = leaf(paddle), leaf(paddle)
    both = layer(paddle, lambda ctx, a, b: a + b, lambda ctx, dy: (dy * 10, dy * 20))
    both.apply(b=b, a=a).sum().backward()
    show("a", a.grad)
    show("b", b.grad)


@case
def other_arguments_take_no_position(paddle, show):
    x = leaf(paddle)
    many = layer(
        paddle,
        lambda ctx, text, x, flag, f, none=None: f(x),
        lambda ctx, dy: dy * 4,
    )
    many.apply("text", x, True, lambda v: v * 2, none=None).sum().backward()
    show("grad", x.grad)


@case
def a_list_of_tensors_is_one_position(paddle, show):
    def apply(returned):
        a, b = leaf(paddle), leaf(paddle)
        both = layer(paddle, lambda ctx, pair: pair[0] + pair[1], lambda ctx, dy: returned(dy))
        both.apply([a, b]).sum().backward()
        return a.grad, b.grad

    show("list", apply(lambda dy: [dy, dy * 2]))
    show("list in tuple", apply(lambda dy: ([dy, dy * 2],)))
    show("tuple in tuple", apply(lambda dy: ((dy, dy * 2),)))
    show("None inside", apply(lambda dy: [dy, None]))
    show.raises("bare Tensor", lambda: apply(lambda dy: dy))


@case
def a_list_beside_a_tensor(paddle, show):
    a, b, c = leaf(paddle), leaf(paddle), leaf(paddle)
    mixed = layer(
        paddle,
        lambda ctx, pair, c: pair[0] * 2 + pair[1] * 3 + c,
        lambda ctx, dy: ([dy * 2, dy * 3], dy),
    )
    mixed.apply((a, b), c).sum().backward()
    for label, tensor in (("a", a), ("b", b), ("c", c)):
        show(label, tensor.grad)


@case
def tensors_hidden_in_containers(paddle, show):
    takes = layer(paddle, lambda ctx, box: box["x"] * 2, lambda ctx, dy: dy)
    show("dict", takes.apply({"x": leaf(paddle)}).stop_gradient)
    deep = layer(paddle, lambda ctx, box: box[0][0] * 2, lambda ctx, dy: dy)
    show("nested", deep.apply([[leaf(paddle)]]).stop_gradient)


@case
def no_tensor_input(paddle, show):
    makes = layer(paddle, lambda ctx, n: paddle.ones([n]), lambda ctx, dy: None)
    y = makes.apply(2)
    show("y", y)
    show("stop_gradient", y.stop_gradient)
    show("is_leaf", y.is_leaf)


@case
def one_tensor_twice(paddle, show):
    x = leaf(paddle)
    product = layer(paddle, lambda ctx, a, b: a * b, lambda ctx, dy: (dy * 10, dy * 20))
    product.apply(x, x).sum().backward()
    show("grad", x.grad)


@case
def integer_inputs_can_need_gradients(paddle, show):
    x = leaf(paddle, (1, 2, 3), "int64")
    show("stop_gradient", scaled(paddle, 2).apply(x).stop_gradient)


# ----- Forward -----


@case
def what_forward_sees(paddle, show):
    seen = []

    def forward(ctx, x):
        y = x * 2
        seen.extend([paddle.is_grad_enabled(), x is given, x.stop_gradient, y.stop_gradient])
        return y

    given = leaf(paddle)
    layer(paddle, forward, lambda ctx, dy: dy).apply(given)
    show("grad enabled, same, x stop, y stop", seen)
    show("grad enabled after", paddle.is_grad_enabled())


@case
def enable_grad_inside_forward(paddle, show):
    def forward(ctx, x):
        with paddle.enable_grad():
            return x * 2

    x = leaf(paddle)
    layer(paddle, forward, lambda ctx, dy: dy * 5).apply(x).sum().backward()
    show("grad", x.grad)


@case
def forward_error_passes_unchanged(paddle, show):
    def forward(ctx, x):
        raise KeyError("mine")

    show.raises("error", lambda: layer(paddle, forward, None).apply(leaf(paddle)))
    show("grad enabled after", paddle.is_grad_enabled())


# ----- Outputs -----


@case
def output_flags(paddle, show):
    y = scaled(paddle, 2.0).apply(leaf(paddle))
    show("stop_gradient", y.stop_gradient)
    show("is_leaf", y.is_leaf)
    counts = layer(paddle, lambda ctx, x: (x > 1).astype("int64"), lambda ctx, dy: None)
    show("integer output stop_gradient", counts.apply(leaf(paddle)).stop_gradient)


@case
def without_gradient(paddle, show):
    calls = []

    def backward(ctx, dy):
        calls.append(1)
        return dy

    watched = layer(paddle, lambda ctx, x: x * 2, backward)
    y = watched.apply(paddle.to_tensor([1.0]))
    y.sum().backward()
    with paddle.no_grad():
        z = watched.apply(leaf(paddle))
    z.sum().backward()
    show("flags", [y.stop_gradient, y.is_leaf, z.stop_gradient, z.is_leaf])
    show("calls", len(calls))


@case
def containers_are_kept(paddle, show):
    def kind(make):
        out = layer(paddle, lambda ctx, x: make(x * 2), lambda ctx, *g: g[0]).apply(leaf(paddle))
        return type(out).__name__

    show("tensor", kind(lambda y: y))
    show("tuple of one", kind(lambda y: (y,)))
    show("list", kind(lambda y: [y, y + 1]))


@case
def other_outputs_pass_through(paddle, show):
    x = leaf(paddle)
    mixed = layer(paddle, lambda ctx, x: (x * 2, 7, "text", None, {"k": 1}), lambda ctx, dy: dy * 2)
    y, number, text, none, box = mixed.apply(x)
    y.sum().backward()
    show("rest", [number, text, none, box["k"]])
    show("grad", x.grad)


@case
def no_tensor_output(paddle, show):
    def apply(value):
        layer(paddle, lambda ctx, x: value, lambda ctx, dy: dy).apply(leaf(paddle))

    for label, value in (("number", 1), ("None", None), ("list", [1, 2]), ("empty", ())):
        show.raises(label, lambda value=value: apply(value))
    show.raises("dict", lambda: apply({}))


@case
def scalar_and_empty_outputs(paddle, show):
    x = leaf(paddle)
    total = layer(paddle, lambda ctx, x: x.sum(), lambda ctx, dy: dy * paddle.ones([3]))
    total.apply(x).backward()
    show("0-D", x.grad)
    empty = paddle.zeros([0, 3])
    empty.stop_gradient = False
    scaled(paddle, 2.0).apply(empty).sum().backward()
    show("empty", empty.grad)


@case
def same_output_twice(paddle, show):
    def forward(ctx, x):
        y = x * 2
        return y, y

    seen = []

    def backward(ctx, first, second):
        seen.extend([first.numpy(), second.numpy()])
        return first + second

    x = leaf(paddle)
    a, b = layer(paddle, forward, backward).apply(x)
    (a * 3 + b).sum().backward()
    show("gradients", seen)
    show("grad", x.grad)


@case
def returned_input_that_is_a_leaf(paddle, show):
    same = layer(paddle, lambda ctx, x: x, lambda ctx, dy: dy)
    show.raises("leaf", lambda: same.apply(leaf(paddle)))
    plain = paddle.to_tensor([1.0])
    show("no gradient", same.apply(plain) is plain)


@case
def returned_input_that_has_a_history(paddle, show):
    x = leaf(paddle)
    h = x * 3
    y = layer(paddle, lambda ctx, x: x, lambda ctx, dy: dy * 5).apply(h)
    show("same object", y is h)
    show("version", h.inplace_version)
    y.sum().backward()
    show("grad", x.grad)


@case
def input_changed_in_place(paddle, show):
    def forward(ctx, x):
        x.scale_(2.0)
        return x

    x = leaf(paddle)
    y = layer(paddle, forward, lambda ctx, dy: dy * 2).apply(x * 3)
    y.sum().backward()
    show("y", y)
    show("grad", x.grad)


@case
def input_saved_by_an_earlier_op(paddle, show):
    x = leaf(paddle)
    h = x * 3
    z = paddle.square(h)
    y = layer(paddle, lambda ctx, x: x, lambda ctx, dy: dy).apply(h)
    show.raises("stale", lambda: (z + y).sum().backward())


@case(differs="the document: the returned tensor is new and connected; the input keeps its history")
def mark_not_inplace(paddle, show):
    def forward(ctx, x):
        ctx.mark_not_inplace(x)
        return x

    x = leaf(paddle)
    y = layer(paddle, forward, lambda ctx, dy: dy * 5).apply(x)
    show("new", y is not x)
    y.sum().backward()
    show("grad", x.grad)
    show("leaf", x.is_leaf)
