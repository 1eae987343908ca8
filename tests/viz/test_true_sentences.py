"""Names in sentences and boxes are the user's; goldens have the sentences."""

# ruff: noqa: F841  (what is assigned gives tensors their names)

from __future__ import annotations

import re

import numpy as np
import pytest

import minipaddle as paddle
import viz
from tests.each import each
from viz.trace import Trace

from . import stories


def told(trace: Trace, kind: str, lang: str = "en") -> list[str]:
    """Return the sentences of one kind of step."""
    return [trace.say(step.index, lang) for step in trace.steps if step.kind == kind]


def labels(trace: Trace, kind: str = "op") -> list[str]:
    return [str(node.label) for node in trace.story.graph.nodes if node.kind == kind]


def leaf(*values: float) -> paddle.Tensor:
    return paddle.to_tensor(np.array(values, "float32"), stop_gradient=False)


def test_a_program_writes_x_minus_0_as_paddle_does() -> None:
    with stories.programs() as (main, _):
        x = paddle.static.data("x", [2])
        y, z = x - 0, x * 1.0
        text = str(main)
    assert "bias = -0.0" in text  # measured: Paddle 3.3.1 writes -0.0
    assert "bias = 0.0" in text


def test_a_fan_in_is_recognized_if_only_a_part_was_recorded() -> None:
    x = leaf(1.0, 2.0)
    with viz.record(only="multiply") as trace:
        (x * x + x).sum().backward()
    assert len(told(trace, "accumulate")) == 2
    assert all(text.startswith("x was used several times") for text in told(trace, "accumulate"))


def test_box_and_sentence_have_one_name_without_the_code() -> None:
    code = compile("a = paddle.randn([2])\nb = paddle.zeros([2])", "<nowhere>", "exec")
    with viz.record() as trace:
        exec(code, {"paddle": paddle})
    assert labels(trace) == ["gaussian", "full"]
    assert [text.split()[0] for text in told(trace, "op")] == labels(trace)


@pytest.mark.parametrize("sign", ["", "-"])
def test_an_infinite_scalar_is_called_by_its_number(sign):
    x = paddle.to_tensor([1.0, 2.0])
    with viz.record() as trace:
        a = paddle.where(x > 1, paddle.full([], float(f"{sign}inf")), x)
    number = f"{sign}inf".replace("-", "−")
    assert f"full makes the scalar {number}. Here the first Inf appears.\n" in trace.text()
    assert f"a = x, a[x > 1] ← {number}\n" in trace.text()
    assert a.shape == [2]


@each(("only", "signs"), [
    ("multiply", ["× 2", "×"]), ("add", ["+ 1", "+"]), ("subtract", ["− 3", "4 −"]),
    ("neg", ["−"]), ("scale", ["× 2", "+ 1", "− 3", "4 −", "−"]), ("randn", ["randn"]),
    ("uniform_", [".uniform_(…)"]), ("gaussian", ["randn"]),
])  # fmt: skip
def test_a_filter_takes_the_names_that_the_user_knows(only: str, signs: list[str]) -> None:
    y = leaf(1.0, 2.0)
    with viz.record(only=only) as trace:
        a, b = y * 2.0, y * y
        c, d = y + 1.0, y + y
        e, f = y - 3.0, 4.0 - y
        g = -y
        x = paddle.randn([2])
        x.uniform_()
    assert len(labels(trace)) == len(signs)
    assert all(map(str.endswith, labels(trace), signs))
    with viz.record(skip=only) as rest:
        a, b = y * 2.0, y * y
    assert labels(rest) == [sign for sign in ("× 2", "×") if sign not in signs]


def test_losses_show_no_ops_of_the_library_that_a_student_does_not_know() -> None:
    functional, logits = paddle.nn.functional, paddle.rand([4, 3])
    logits.stop_gradient = False
    labels, weight = paddle.to_tensor([0, 2, 1, 2]), paddle.to_tensor([1.0, 2.0, 0.5])
    with viz.record() as ignoring:
        functional.cross_entropy(logits, labels, label_smoothing=0.1, ignore_index=2)
    assert "and 0.03333 elsewhere; 0 where the label is 2." in ignoring.text()
    assert "(14/15 · [j = labelsᵢ] + 1/30 · [j ≠ labelsᵢ]) · [labelsᵢ ≠ 2]" in ignoring.text()
    with viz.record() as trace:
        one = functional.cross_entropy(logits, labels, label_smoothing=0.1)
        two = functional.cross_entropy(logits, labels, weight=weight)
        three = functional.nll_loss(functional.log_softmax(logits), labels)
        four = functional.hinge_embedding_loss(logits[:, 0], paddle.to_tensor([1.0, -1, 1, 1]))
        five = functional.triplet_margin_loss(logits, logits + 1.0, logits - 1.0)
        (one + two + three + four + five).backward()
    text = trace.text()
    inner = re.compile(r"fill_like|hot_rows|p_norm|cast\(|== 0|≠ −100|≠ -100")
    assert inner.findall(text) == []
    assert "has 0.9333 at the label in labels [4, 1], and 0.03333 elsewhere" in text
    assert "Each row of label_smooth(one_hot(labels)) [4, 3]" in text


def test_losses_call_the_labels_as_the_code_does() -> None:
    functional, logits, Y = (
        paddle.nn.functional,
        paddle.rand([4, 3]),
        paddle.to_tensor([0, 2, 1, 2]),
    )
    logits.stop_gradient = False
    with viz.record() as trace:
        one = functional.cross_entropy(logits, Y)
        two = functional.nll_loss(logits, Y)
        (one + two).backward()
        functional.cross_entropy(logits, paddle.to_tensor([0, 1, 1, 0]))
    assert "giving unsqueeze([0, 1, 1, 0])" in trace.text()  # not [0, 1, 1, 0] itself
    formulas = [str(step.formula) for step in trace.steps]
    assert "cross_entropy(logits, Y)ᵢ = −ln softmax(logits)[i, Yᵢ]" in formulas
    assert "dlogits += d(cross_entropy(logits, Y)) · (softmax(logits) − one_hot(Y))" in formulas
    assert "nll_loss(logits, Y)ᵢ = −logits[i, Yᵢ]" in formulas
    assert "dlogits[i, j] += −d(nll_loss(logits, Y))ᵢ · [j = Yᵢ]" in formulas


def test_gradients_that_are_clipped_have_their_names() -> None:
    w = leaf(3.0, 4.0)
    with viz.record() as trace:
        (w * w).sum().backward()
        paddle.nn.utils.clip_grad_norm_([w], 1.0)
    assert "w.grad [2] is flattened" in trace.text()
    assert re.findall(r"\bt\d+\b", trace.text()) == []


def test_every_update_explains_the_letters_of_its_formula() -> None:
    u, v, s = leaf(1.0), leaf(2.0), leaf(3.0)
    adam = paddle.optimizer.Adam(parameters=[u])
    others = [paddle.optimizer.RMSProp(0.1, parameters=[each]) for each in (v, s)]
    with viz.record() as trace:
        (u * v * s).sum().backward()
        for each in (adam, *others):
            each.step()
    explained = [text.partition("keeps ")[2] for text in told(trace, "update")]
    assert explained == [
        "m and v′ from step to step; t counts the steps.",
        "s′ from step to step.",
        "s′ from step to step.",
    ]


def test_an_update_in_a_program_tells_which_variables_its_letters_are() -> None:
    with stories.programs() as (main, startup), viz.record() as trace:
        x = paddle.static.data("x", [4, 2])
        clip = paddle.nn.ClipGradByGlobalNorm(1.0)
        loss = paddle.mean(paddle.static.nn.fc(x, 1))
        paddle.optimizer.Adam(0.1, grad_clip=clip).minimize(loss)
        run = paddle.static.Executor()
        run.run(startup)
        for _ in range(2):
            run.run(main, feed={"x": np.ones((4, 2), "float32")}, fetch_list=[loss])
    for name in ("fc_0.w_0", "fc_0.b_0"):
        kept = f"keeps m = {name}_moment1_0 and v = {name}_moment2_0 from step"
        told = [trace.say(step.index).partition(kept)[2][-4:] for step in trace.steps]
        assert [*filter(None, told)] == ["= 1.", "= 2."]


def test_the_first_number_of_each_name_is_explained() -> None:
    x = leaf(1.0, 2.0)
    with viz.record() as trace:
        y = x * 2.0
        x = x + 1.0
        y = y * x
        x = x - y
    explained = [said for said in told(trace, "op") if "this one is called" in said]
    assert [said.rpartition("called ")[2] for said in explained] == ["x#2 here.", "y#2 here."]


def test_a_gradient_of_an_earlier_pass_has_another_name_than_a_new_one() -> None:
    x = leaf(1.0, 2.0)
    with viz.record() as trace:
        s = paddle.nn.functional.sigmoid(x)
        (g,) = paddle.grad((s * 2.0).sum(), x, create_graph=True)
        (g * g).sum().backward()
    text = trace.text()
    assert text.count("can be differentiated again") == 1
    formulas = [step.formula for step in trace.steps if step.kind == "visit"]
    assert "ds += d(∂s × s) · ∂s" in formulas  # the gradient of g * g, and that of (s * 2).sum()


def test_a_part_of_a_gradient_in_a_program_is_explained_once() -> None:
    with stories.programs(), viz.record() as trace:
        x = paddle.static.data("x", [2])
        x.stop_gradient = False
        paddle.static.gradients(x * x + paddle.tanh(x) * x, x)
    assert trace.text().count(" is one part of x@GRAD: x is used several times") == 1


def test_a_gradient_operator_tells_only_variables_whose_values_it_uses() -> None:
    with stories.programs() as (main, startup), viz.record() as trace:
        x, y = paddle.static.data("x", [4, 2]), paddle.static.data("y", [4, 1])
        loss = paddle.mean(paddle.square(paddle.static.nn.fc(x, 1) - y))
        paddle.optimizer.SGD(0.1).minimize(loss)
        run = paddle.static.Executor()
        run.run(startup)
        ones = np.ones((4, 2), "float32")
        run.run(main, feed={"x": ones, "y": ones[:, :1]}, fetch_list=[loss])
    text = trace.text()
    assert "it will compute fc_0.tmp_1@GRAD [4, 1] from tmp_0@GRAD [4, 1]" in text
    assert "elementwise_sub_grad runs: tmp_0@GRAD [4, 1] gives fc_0.tmp_1@GRAD [4, 1]" in text
    assert re.search(r"sgd runs: it updates fc_0.b_0 from 0 to \S+, using fc_0.b_0@GRAD", text)


def test_a_sentence_says_what_an_argument_of_the_call_changes() -> None:
    functional, x, w = paddle.nn.functional, paddle.rand([1, 2, 6, 6]), paddle.rand([2, 2, 3, 3])
    m, rows, out = paddle.rand([4, 3]), paddle.to_tensor([1, 1]), leaf(0.5, -0.5)
    with viz.record() as trace:
        plain = functional.conv2d(x, w)
        padded = functional.conv2d(x, w, padding=[0, 1], stride=2, dilation=2)
        grouped = functional.conv2d(x, w[:, :1], padding=1, groups=2)
        same = m.expand([4, 3])
        wide = m + m[0]
        twice, side = m[rows], m[:, rows]
        loss = functional.binary_cross_entropy_with_logits(out, out.detach().abs())
        huber = functional.smooth_l1_loss(out, paddle.zeros([2]))
        huber.backward()
        few, many = paddle.arange(2), paddle.arange(1, 10, 2)
        near = functional.avg_pool2d(x, 2, stride=1, padding=1)
        global_mean = functional.adaptive_avg_pool2d(x, 1)
        edged = functional.pad(m, [0, 1, 2, 0], value=3.0)
        rolled, tiled = paddle.roll(m, [1, 2], axis=[0, 1]), paddle.tile(m, [3, 1])
        columns = paddle.gather(m, paddle.to_tensor([2]), axis=1)
        upper = paddle.triu(paddle.ones([3, 3]), 1)
    text = trace.text()
    for part in (
        "slide over x [1, 2, 6, 6], giving plain",
        "with 0, 0, 1 and 1 zeros above, below, left and right of it, in steps of 2",
        ", with elements 2 apart, giving padded",
        "with a border of 1 zero, each over one of 2 groups of channels, giving grouped",
        "m [4, 3] already has the shape asked for, so same",
        "m[0] [3] (broadcast to [4, 3]) are added",
        "twice [2, 3] has the rows of m [4, 3] that rows [2] picks.",
        "side [4, 2] has the columns of m [4, 3] that rows [2] picks.",
        "sigmoid(out) is read as a probability",
        "smooth_l1_loss (the Huber loss) multiplies",
        "in steps of 1, with a padding of 1 that does not count, gives near",
        "The mean of each whole channel of x",
        "3: 1 at the end of axis 0, 2 at the beginning of axis 1, giving edged [5, 5]",
        "is shifted by 1 along axis 0 and by 2 along axis 1",
        "is repeated 3 times along axis 0",
        "The columns of m [4, 3] that 2 picks give columns",
        "ones([3, 3]) [3, 3] keeps what is on and above diagonal 1",
    ):
        assert part in text, part
    formulas = {step.formula for step in trace.steps}
    assert {"few = 0, 1", "many = 1, 3, …, 9"} <= formulas
    assert {"near = avg_pool2d(x, 2, stride=1, padding=1)", "upperᵢⱼ = [j ≥ i + 1]"} <= formulas
    assert "edged = pad(m, [[0, 1], [2, 0]], value=3)" in formulas
    assert text.count("In the formula, [condition] is 1") == 1
    assert not any("σ(" in formula for formula in formulas)


def test_a_leaf_that_is_changed_in_place_keeps_its_name() -> None:
    w, b, step, x = leaf(0.5, -0.5), leaf(2.0), leaf(0.25, 0.25), leaf(1.0, 2.0)
    with viz.record() as trace:
        with paddle.no_grad():
            w.subtract_(0.1 * step)
            b.add_(paddle.to_tensor([0.5]))
            step.zero_()
        y = x * w
        y.add_(w)
    said = told(trace, "op")
    assert [step.formula for step in trace.steps if "←" in step.formula] == [
        "w ← w − 0.1 × step", "b ← b + 0.5",
    ]  # fmt: skip
    assert (
        said[1]
        == "0.1 × step [2] is subtracted from w [2], giving the new w [2]. w is changed in place."
    )
    assert said[2] == "b ← b + 0.5 = 2 + 0.5 = 2.5. b is changed in place."
    assert "all its elements become 0" in said[3]
    assert "w#" not in trace.text()
    assert "giving y#2 [2]. y is changed in place." in said[5]  # gradients tell these two apart


def test_two_reads_of_an_element_have_one_name() -> None:
    xs = paddle.rand([2, 3])
    with viz.record() as trace:
        y = paddle.tanh(xs[1]) * xs[1]
    assert "xs[1]#2" not in trace.text()


def test_mul_in_a_program_is_a_matrix_product() -> None:
    with stories.programs() as (main, startup), viz.record() as trace:
        x = paddle.static.data("x", [2, 3])
        y = paddle.static.nn.fc(x, 2)
        executor = paddle.static.Executor()
        executor.run(startup)
        executor.run(main, feed={"x": np.ones((2, 3), "float32")}, fetch_list=[y])
    assert any("the matrix product of x" in said for said in told(trace, "execute"))


def test_a_batch_norm_keeps_what_its_names_say() -> None:
    norm, x = paddle.nn.BatchNorm1D(2), paddle.rand([4, 2])
    with viz.record() as training:
        norm(x)
    norm.eval()
    with viz.record() as evaluating:
        norm(x)
    assert "channel_mean(x) [2] and 1 ÷ √(variance(x) + 1e−5) [2] for" in told(training, "save")[0]
    assert "norm._mean [2] and 1 ÷ √(norm._variance + 1e−5) [2]" in told(evaluating, "save")[0]
    assert "new_running_variance(x)" in training.text()
    assert "new_" not in evaluating.text()


def test_a_formula_sums_a_gradient_only_where_the_value_beside_it_is_summed() -> None:
    x, b, s = paddle.rand([3, 2]), leaf(0.5, -0.5), leaf(2.0)
    with viz.record() as trace:
        (x * b + b - s).sum().backward()
    told = [step.formula for step in trace.steps if step.phase == "backward"]
    for formula in ("d(x × b) = d(x × b + b), db = d(x × b + b)", "db = d(x × b) · x"):
        assert formula in told
    for formula in ("db += Σ d(x × b + b)", "db += Σ d(x × b) · x", "ds = Σ (−d(x × b + b − s))"):
        assert formula in told


def test_each_backward_pass_says_whose_gradients_it_has() -> None:
    x = leaf(1.0, 2.0)
    with viz.record() as trace:
        first, second = (x * x).sum(), (x + 1.0).sum()
        first.backward()
        second.backward()
        again = second * 1.0
    assert again.item() == second.item()
    assert [said.count("come back from") for said in told(trace, "seed")] == [0, 1]
    assert "those that come back from second" in told(trace, "seed")[1]


def test_a_variable_dy_of_the_user_is_not_the_gradient_of_y() -> None:
    x = leaf(0.5, 1.5)
    with viz.record() as trace:
        for _ in range(2):
            y = paddle.sin(x) * x
            (dy,) = paddle.grad(y.sum(), x, create_graph=True)
            (dy.sum() * 1.0).backward()
    assert "d(sin(x)) is d(y) times x" in trace.text()
    assert "giving dy [2]" in trace.text()


def test_gradients_inside_a_pass_are_not_called_like_arguments_of_grad() -> None:
    point = paddle.to_tensor(1.5, stop_gradient=False)
    with viz.record() as trace:
        for _ in range(2):
            value = point**4 - 3 * point**2 + point
            (first,) = paddle.grad(value, point, create_graph=True)
            (second,) = paddle.grad(first, point)
            with paddle.no_grad():
                point = point - first / second
            point.stop_gradient = False
    said = [text for text in told(trace, "op") if "changes sign" in text]
    assert [text.partition(" = ")[0] for text in said] == ["∂(point⁴ − 3 × point²)"] * 2


def test_positions_of_index_put_are_not_called_like_its_value() -> None:
    x, value = leaf(1.0, 2.0, 3.0), paddle.zeros([2])
    with viz.record() as trace:
        x.index_put((paddle.to_tensor([2, 0]),), value[:2])
    text = trace.text()
    assert "with value[:2] [2] written at the places [2, 0] gives" in text


def test_a_sum_with_a_number_and_an_adaptive_pool_read_as_in_the_code() -> None:
    x, image = leaf(1.0, 2.0), paddle.rand([1, 1, 4, 6])
    with viz.record() as trace:
        a = 1 + x
        b = x + 2
        h = paddle.nn.functional.adaptive_avg_pool2d(image, [2, 3])
    assert [str(step.formula) for step in trace.steps][:2] == ["a = 1 + x", "b = x + 2"]
    assert "image [1, 1, 4, 6] is covered by 2 × 3 windows. The mean of each" in trace.text()
    assert (a + 1).tolist() == b.tolist()
    assert h.shape == [1, 1, 2, 3]


def test_a_median_of_an_odd_number_is_one_op() -> None:
    with viz.record() as trace:
        paddle.median(paddle.to_tensor([3.0, 1.0, 2.0]))
        paddle.median(paddle.to_tensor([3, 1, 2, 4]))
        x = leaf(3.0, 1.0)
        x.median().backward()
    assert labels(trace).count("median") == 5
    text = trace.text()
    for says in ("lower_middle(x) and upper_middle(x)", "on to the upper middle element of"):
        assert says in text
    assert "computed more than once" not in text


def test_formulas_hold_for_infinite_numbers_and_where_the_user_has_an_e() -> None:
    mask, e = paddle.to_tensor([True, False]), leaf(1.0, 2.0)
    with viz.record() as trace:
        kept = paddle.where(mask, e, paddle.full_like(e, -np.inf))
        shares = paddle.exp(kept)
        (shares * e).sum().backward()
    formulas = {step.formula for step in trace.steps}
    assert {"kept = full_like(e), kept[mask] ← e[mask]", "shares = ℯ^kept"} <= formulas


def test_a_failed_call_says_which_tensors_the_letters_of_its_message_are() -> None:
    code, decoder = paddle.ones([4, 2]), paddle.nn.Linear(3, 2)
    with pytest.raises(ValueError, match="the last dimension of x"), viz.record() as trace:
        decoder(code)
    assert "Here x is code [4, 2]; y is decoder.weight [3, 2]." in told(trace, "error")[0]


def test_a_reduction_along_an_axis_is_told_as_such_without_shapes() -> None:
    logits = paddle.rand([2, 3])
    logits.stop_gradient = False
    with viz.record() as trace:
        (
            logits - logits.max(axis=1, keepdim=True) * logits.mean(axis=1, keepdim=True)
        ).sum().backward()
    text = trace.text()
    assert "max passes each element of d(max(logits, axis 1))" in text
    assert "over the 3 elements of logits that it is the mean of" in text
