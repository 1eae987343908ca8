"""Near misses: answers that are almost right, as beginners write them; five for each exercise.

Each says what differs from the solution, as `old => new`, once or on several lines; a piece without
an arrow is the whole answer. Mistakes that a hint of their own is for stand in `lessons/source`.
"""

from __future__ import annotations

Misses = dict[str, tuple[str, ...]]

ONE_TANH: Misses = {
    "square": (
        "return dy * 2 * x => return dy * 2 * abs(x)",
        "return dy * 2 * x => return dy * 2 * float(x)",
        "return dy * 2 * x => return (dy * 2 * x).astype('float64')",
        "return dy * 2 * x => return (dy * 2 * x).mean()",
        "return dy * 2 * x => return dy + 2 * x",
        "return dy * 2 * x => return dy.scale_(2.0) * x",
        "return x * x => return x.square_()",
    ),
    "gated_tanh": (
        "da = dy * t => da = dy * a * t",
        "(1 - t * t) => (1 - t)",
        "(1 - t * t) => (1 + t * t)",
        "return da, db => return da, db.mean()",
        "a, t = ctx => t, a = ctx",
        "t = paddle.tanh(b) => t = b.tanh_()",
    ),
    "record": (
        ".mean().backward() => ",
        "gated_tanh.apply(a, b).mean() => (a * paddle.tanh(b)).mean()",
        "stop_gradient=False => stop_gradient=True",
        "recording = gated => recording = gated.text()",
        "gated_tanh.apply => square.apply(a); (lambda a, b: a * b)",
    ),
}

LEAVES: Misses = {
    "make_weights": (
        "w = paddle.to_tensor(values) * factor => w = paddle.to_tensor(values) + factor",
        "paddle.to_tensor(values) * factor => paddle.to_tensor(values[0]) * factor",
        "paddle.to_tensor(values) * factor => paddle.to_tensor(values) * 0.5",
        "w.stop_gradient = False => w = w + 0.0; w.stop_gradient = True",
        "paddle.to_tensor(values) * factor => (paddle.to_tensor(values) * factor).astype('int64')",
    ),
    "sgd_step": (
        "w.subtract_(lr * w.grad) => w.subtract_(w.grad / lr)",
        "w.subtract_(lr * w.grad) => w.subtract_(lr * w.grad.mean())",
        "w.subtract_(lr * w.grad) => w.subtract_(0.1 * w.grad)",
        "w.subtract_(lr * w.grad) => w.subtract_(lr * w.grad.sign())",
        "w.subtract_(lr * w.grad) => w.detach().scale(1.0).subtract_(lr * w.grad)",
    ),
    "straight_through": (
        "paddle.round(x) => paddle.floor(x)",
        "paddle.round(x) => paddle.ceil(x)",
        "paddle.round(x) => paddle.trunc(x)",
        "paddle.round(x) => x.astype('int64').astype(x.dtype)",
        "paddle.round(x) => paddle.trunc(x + 0.5)",
        "return x + => return x.sum() +",
        (
            "return x + (paddle.round(x) - x).detach()"
            " => return paddle.round(x).detach() + x.sum() * 0"
        ),
    ),
}

THE_TAPE: Misses = {
    "mul": (
        "[dy * b.value, dy * a.value] => [dy * b.value, -dy * a.value]",
        "[dy * b.value, dy * a.value] => [dy + b.value, dy + a.value]",
        "[dy * b.value, dy * a.value] => [0.5 * b.value, 0.5 * a.value]",
        "[a, b], rule => [b, a], rule",
        "Var(a.value * b.value => Var(a.value + b.value",
        "[a, b], rule => [a, a], rule",
    ),
    "count": (
        "counts.get(edge, 0) => counts.get(edge, 1)",
        "waiting.pop().edges => set(waiting.pop().edges)",
        "while waiting: => if waiting:",
        "return counts => return {v: n for v, n in counts.items() if n > 1}",
        "return counts => return {v: n for v, n in counts.items() if v.edges}",
    ),
    "backward": (
        "counts[edge] == 0 => counts[edge] <= 1",
        "edge.grad += grad => edge.grad += grad * edge.value",
        "edge.grad += grad => edge.grad -= grad",
        "zip(var.edges, grads) => zip(reversed(var.edges), grads)",
        "loss.grad = 1.0 => loss.grad = loss.value",
    ),
    "mine": (
        "mine = [a.grad, b.grad] => mine = [round(a.grad, 2), round(b.grad, 2)]",
        "mine = [a.grad, b.grad] => mine = [a.grad]",
        "mine = [a.grad, b.grad] => mine = a.grad + b.grad",
        "tanh(a * b) + a => tanh(a * b) + b",
        "tanh(a * b) + a => tanh(a * b + a)",
    ),
    "same_part": ("'counts'", "'edges'", "'walk'", "'later[edge]'", "0"),
}

ORDER_AND_SUMS: Misses = {
    "x_tanh_x": (
        "(1 - t * t) => (1 - x * x)",
        "(1 - t * t) => (1 + t * t)",
        "+ dy * x => - dy * x",
        "return dy * t + => return dy +",
        "return dy * t + dy * x * (1 - t * t) => return 2 * dy * t",
    ),
    "sum_back": (
        "missing = dy.ndim - len(shape) => missing = 1",
        "enumerate(sizes) => enumerate(sizes[:-1])",
        "if size == 1 => if size == dy.shape[axis]",
        "dy = dy.sum( => dy = dy.max(",
        "return dy.reshape(shape) => return dy.reshape([-1])",
    ),
    "in_parts": (
        "/ len(parts) => / 3",
        "/ len(parts) => / len(part)",
        "in parts: => in parts[1:]:",
        (
            "(loss_of(w, part) / len(parts)).backward()"
            " => loss_of(w, part).backward(); w.grad.scale_(1 / len(parts))"
        ),
        "w.clear_grad() => w.clear_grad(); w.subtract_(w)",
    ),
}

THREE_RULES: Misses = {
    "sum_and_difference": (
        "return ds + dd, ds - dd => return ds + dd, dd - ds",
        "return ds + dd, ds - dd => return (ds + dd) / 2, (ds - dd) / 2",
        "return ds + dd, ds - dd => return ds * dd, ds - dd",
        "return ds + dd, ds - dd => return ds.add_(dd), ds - dd",
        "return a + b, a - b => return a + b, b - a",
    ),
    "masked": (
        "return dy * mask, => return dy * (1 - mask),",
        "return dy * mask, => return dy + mask,",
        "return dy * mask, => return (dy * mask).sum(),",
        "return dy * mask, => return dy * abs(x),",
        "return dy * mask, => return dy * mask.mean(),",
    ),
    "clipped": (
        "return dy * inside => return dy + inside",
        "return dy * inside => return dy * inside.mean()",
        "return dy * inside => return (dy * inside).sum()",
        "return dy * inside => return abs(dy) * inside",
        "(x >= low) & (x <= high) => (x > low) & (x < high)",
    ),
    "rules": ("[3, 1, 3, 2]", "[2, 3, 1, 1]", "[1, 2, 3, 1]", "2313", "[2, 3, 1, 3, 1]"),
}

CONTEXT: Misses = {
    "power": (
        "x ** (ctx.n - 1) => abs(x) ** (ctx.n - 1)",
        "dy * ctx.n * x ** (ctx.n - 1) => dy * 2 * x",
        "x ** (ctx.n - 1) => x * (ctx.n - 1)",
        "x ** (ctx.n - 1) => x ** (ctx.n + 1)",
        "ctx.save_for_backward(x) => ctx.save_for_backward(x**n)",
    ),
    "slow_down": (
        "return dy * ctx.factor => return dy.scale_(ctx.factor)",
        "return dy * ctx.factor => return dy * ctx.factor**2",
        "return dy * ctx.factor => return dy - ctx.factor",
        "ctx.factor = factor => ctx.factor = 0.5",
        "return x.clone() => return x + factor",
    ),
    "largest": (
        "return dy * hit => return dy + hit",
        "return dy * hit => return dplace * hit",
        "return dy * hit => return dy * (1 - hit)",
        "return dy * hit => return dy * hit.mean()",
        "return x.max(), place => return place, x.max()",
    ),
    "square_and_cube": (
        "dcube * 3 * x * x => dcube * 3 * x",
        "dsquare * 2 * x => dsquare * x",
        "ctx.save_for_backward(x) => ctx.save_for_backward(x * x)",
        "if dcube is not None => if dsquare is not None",
        "return x * x, x * x * x => return x * x * x, x * x",
    ),
}

RIGHT_GRADIENT: Misses = {
    "measure": (
        "/ (2 * h) => / 0.2",
        "np.ndindex(x.shape) => np.ndindex(*x.shape[:2])",
        "(f(up) - f(down)) / (2 * h) => (f(x) - f(down)) / h",
        "up[index] += h => up[index] = h",
        "slopes[index] = => slopes[index] += slopes.sum() +",
    ),
    "log_sum_exp": (
        "e, s = ctx => s, e = ctx",
        "return dy * e / s => return dy * e / e.max()",
        "return dy * e / s => return dy * (e / s).mean()",
        "return dy * e / s => return dy * e / (1 + s)",
        "return dy * e / s => return -dy * e / s",
    ),
    "root": (
        "x > 0 => x >= 0",
        "x > 0 => x > 0.5",
        "x > 0 => x > 0.001",
        "paddle.zeros_like(x) => x",
        "paddle.sqrt(safe) => safe",
        (
            "paddle.where(x > 0, paddle.sqrt(safe), paddle.zeros_like(x))"
            " => paddle.sqrt(paddle.abs(x))"
        ),
        "paddle.where(x > 0, paddle.sqrt(safe), paddle.zeros_like(x)) => paddle.sqrt(safe).sum()",
    ),
    "watch": (
        "paddle.isnan(grad).any() => not paddle.isfinite(grad).all()",
        "paddle.isnan(grad).any() => paddle.isnan(grad.sum())",
        "paddle.isnan(grad).any() => paddle.isnan(grad[0])",
        "paddle.isnan(grad).any() => paddle.isnan(grad).sum() == 1",
        "paddle.isnan(grad).any() => name not in seen and paddle.isnan(grad).any()",
        "seen.append(name) => seen.append(tensor.name)",
        "seen.append(name) => seen.extend([name] * int(paddle.isnan(grad).sum()))",
        "return tensor.register_hook(look) => tensor.register_hook(look); return seen",
        "return tensor.register_hook(look) => tensor.register_hook(look); return tensor",
        "return tensor.register_hook(look) => return tensor.register_hook(look) and name",
    ),
}

IN_THE_WILD: Misses = {
    "quantize": (
        "paddle.round => paddle.floor",
        "paddle.round => paddle.trunc",
        "return dy * inside => return dy * inside * x.sign()",
        "x.abs() <= ctx.limit => x.abs() <= 1.0",
        "x.abs() <= ctx.limit => x.abs() <= ctx.limit + 0.25",
    ),
    "one_loss": (
        "return task(features) + spy(reverse.apply(features)) => return task(features)",
        "return task(features) + => return 0.5 * task(features) + 0.5 *",
        "spy(reverse.apply(features)) => 0.1 * spy(reverse.apply(features))",
        "spy(reverse.apply(features)) => spy(reverse.apply(features.abs() + 1))",
        "return task(features) + => return task(features) *",
    ),
    "softmax_cross_entropy": (
        "return dy * (p - target), => return dy + (p - target),",
        "return dy * (p - target), => return dy * (p - target) * p * (1 - p),",
        "return dy * (p - target), => return dy.mean() * (p - target),",
        "return dy * (p - target), => return dy * (p - target.mean()),",
        (
            "save_for_backward(exps / total, target)"
            " => save_for_backward(exps / exps.sum(axis=0), target)"
        ),
    ),
    "recompute": (
        "y.backward(dy) => y.sum().backward()",
        "y.backward(dy) => y.backward(-dy)",
        "return x.grad => return x.grad / dy",
        "return x.grad => return y",
        "return segment(x) => segment(x); return segment(x)",
    ),
}

TRAINING: Misses = {
    "train_rounds": (
        "range(count) => range(1, count)",
        "range(count) => range(5)",
        "optimizer.step() => optimizer.step(); optimizer.step()",
        "return losses => return losses[::-1]",
        "losses.append(float(loss)) => losses.append(float(loss) / count)",
        "return losses => return sum(losses) / count",
    ),
    "adam_step": (
        "1 - 0.9**t => 1 - 0.9",
        "+ 1e-8 => + 1e-6",
        "0.999 * v => 0.99 * v",
        "grad * grad => paddle.abs(grad)",
        "return w, m, v => return w, v, m",
        "0.001 * grad * grad => 0.001 * paddle.sqrt(grad)",
    ),
    "evaluated": (
        "net.eval() => net.training = False",
        "net.train() => net.training = True",
        "return float(loss) => return float(loss) * 2",
        "return float(loss) => return loss.numpy()",
        "return float(loss) => return round(float(loss))",
    ),
    "faults": ("[3, 0, 1, 4, 2]", "[2, 4, 1, 0]", "[2, 4, 0, 1, 3]", "[2, 3, 1, 0, 4]", "24103"),
}

PROGRAMS: Misses = {
    "mean_square": (
        "paddle.square(a - b) => paddle.abs(a - b)",
        "paddle.mean(paddle.square(a - b)) => paddle.mean(paddle.square(a - b), axis=0)",
        "paddle.mean(paddle.square(a - b)) => paddle.sum(paddle.square(a - b)) / 8",
        "paddle.square(a - b) => paddle.square(a + b)",
        "paddle.mean(paddle.square(a - b)) => paddle.mean(paddle.square(a - b)) / 2",
    ),
    "slope_of": (
        "values.shape => [3]",
        "return dx => return dx.mean()",
        "return dx => return -dx",
        "append_backward(loss) => append_backward(loss * 2)",
        'feed={"x": values} => feed={"x": np.ones_like(values)}',
    ),
    "train_program": (
        "for feed in feeds => for feed in feeds[1:]",
        "for feed in feeds => for feed in feeds[::-1]",
        "losses.append(float(value)) => losses.append(float(value) / len(feeds))",
        "exe.run(startup) => exe.run(startup); exe.run(main, feed=feeds[0])",
        "return losses => return losses[-1]",
    ),
}

PY_FUNC: Misses = {
    "polar": (
        "np.sqrt(np.square(x) + np.square(y)) => np.square(x) + np.square(y)",
        "np.arctan2(y, x) => np.arctan(np.divide(y, x))",
        "np.arctan2(y, x) => np.degrees(np.arctan2(y, x))",
        "np.sqrt(np.square(x) + np.square(y)) => np.abs(x) + np.abs(y)",
        "create_var(shape=x.shape => create_var(shape=[3, 2]",
    ),
    "polar_grad": (
        "dr * x / r - => dr * x -",
        "dr * y / r + => dr * y / r -",
        "da * y / r**2 => da * y / r",
        "return dr * x / r - da * y => return dr * x / r - da * x",
        "return dr * x / r - da * y / r**2, => return np.sum(dr * x / r - da * y / r**2),",
    ),
    "own_sigmoid": (
        "np.exp(-np.array(x)) => np.exp(np.array(x))",
        "return dy * y * (1 - y) => return dy * y",
        "return dy * y * (1 - y) => return dy + y * (1 - y)",
        "return dy * y * (1 - y) => return dy.mean() * y * (1 - y)",
        "shape=x.shape => shape=[2, 3]",
    ),
    "look_at": (
        "np.abs(value).max() => np.abs(value).sum()",
        "np.abs(value).max() => np.abs(np.max(value))",
        "np.abs(value).max() => np.abs(np.array(value)[0]).max()",
        "in variables: => in variables[:2]:",
        (
            "seen.append((variable.name, float(np.abs(value).max())))"
            " => seen.append((float(np.abs(value).max()), variable.name))"
        ),
    ),
}

TRAIN_FOR_REAL: Misses = {
    "accuracy": (
        "argmax(axis=1) => argmax(axis=0)",
        "argmax(axis=1) => argmin(axis=1)",
        '.astype("float32").mean()) => .astype("float32").sum()) / 8',
        "guesses == digits => guesses >= digits",
        "return float( => return round(",
    ),
    "as_program": (
        "optimizer.minimize(loss) => optimizer.minimize(loss); optimizer.minimize(loss)",
        "optimizer.minimize(loss) => paddle.optimizer.SGD(0.1).minimize(loss)",
        "(make_net()(images), digits) => (make_net()(images), digits, reduction='sum')",
        "return main, startup, only_forward, loss => return startup, main, only_forward, loss",
        "make_net()(images) => make_net()(images) * 2",
    ),
    "attention": (
        "p * (dp - mean) => p * (dp + mean)",
        "p * (dp - mean) => p * dp - mean",
        "(dp * p).sum(axis=-1 => (dp * p).sum(axis=1",
        "* ctx.scale\n        dq => / ctx.scale\n        dq",
        "return dq, dk, dv, None => return dq, dv, dk, None",
    ),
}

DEVICES: Misses = {
    "weighted": (
        "x * weight.to(x.place) => x + weight.to(x.place)",
        "x * weight.to(x.place) => x.detach() * weight.to(x.place)",
        "x * weight.to(x.place) => (x * weight.to(x.place)).sum()",
        "x * weight.to(x.place) => x * abs(weight.to(x.place))",
        "return x * weight.to(x.place) => return weight.to(x.place)",
    ),
    "quiet_rounds": (
        "range(count) => range(1, count)",
        "optimizer.step() => optimizer.step(); optimizer.step()",
        "paddle.stack(losses).tolist() => paddle.stack(losses[::-1]).tolist()",
        "paddle.stack(losses).tolist() => paddle.stack(losses).mean().tolist()",
        "loss.detach() => loss.detach() / count",
    ),
    "softplus": (
        "sigmoid(x) => tanh(x)",
        "sigmoid(x) => sigmoid(-x)",
        "return paddle.log(1 + paddle.exp(x)) => return paddle.nn.functional.relu(x)",
        "return dy * => return dy +",
        (
            "return dy * paddle.nn.functional.sigmoid(x)"
            " => return dy * paddle.nn.functional.sigmoid(x) ** 2"
        ),
    ),
}

REAL_PADDLE: Misses = {
    "frozen_row": (
        "paddle.zeros_like(row) => paddle.ones_like(row)",
        "return dy * row, => return dy * row.mean(),",
        "return dy * row, => return (dy * row).sum(axis=0),",
        "return dy * row, => return dy * abs(row) / 2,",
        "return x * row => return x + row",
    ),
    "carry_over": (
        "paddle.save(net.state_dict(), path) => paddle.save({'weight': net.weight}, path)",
        (
            "other.set_state_dict(paddle.load(path))"
            " => other.weight.set_value(paddle.load(path)['weight'])"
        ),
        "other.set_state_dict(paddle.load(path)) => other = paddle.load(path)",
        "paddle.save(net.state_dict(), path) => paddle.save(net.weight, path)",
        "other.set_state_dict(paddle.load(path)) => net.set_state_dict(paddle.load(path))",
    ),
    "all_reduce": (
        "da = ds0 + ds1 => da = ds0 * ds1",
        "db = ds0 + ds1 => db = ds1",
        "da = ds0 + ds1 => da = ds0.add_(ds1)",
        "return a + b, a + b => return a + b, a - b",
        "return da, db => return da.sum(), db.sum()",
    ),
}

NEAR_MISSES: dict[str, Misses] = {
    "01_one_tanh": ONE_TANH,
    "02_leaves": LEAVES,
    "03_the_tape": THE_TAPE,
    "04_order_and_sums": ORDER_AND_SUMS,
    "05_three_rules": THREE_RULES,
    "06_context": CONTEXT,
    "07_right_gradient": RIGHT_GRADIENT,
    "08_in_the_wild": IN_THE_WILD,
    "09_training": TRAINING,
    "10_programs": PROGRAMS,
    "11_py_func": PY_FUNC,
    "12_train_for_real": TRAIN_FOR_REAL,
    "13_devices": DEVICES,
    "14_real_paddle": REAL_PADDLE,
}
