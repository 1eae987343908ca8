"""paddle.utils.unique_name in dynamic mode: families, prefixes, and restarts by a guard."""

import copy

from ..harness import case


@case
def a_prefix_stands_before_every_name(paddle, show):
    names = paddle.utils.unique_name
    for prefix in ("A_", "", b"B", None):
        with names.guard(prefix):
            layer = paddle.nn.Linear(2, 2)
            made = [names.generate("fc"), layer.full_name(), layer.weight.name, layer.bias.name]
            made.append(paddle.create_parameter([2], "float32").name)
            made.append(paddle.create_parameter([2], "float32", name=f"own{prefix}").name)
        show(f"{prefix}", made)


@case
def switch_gives_the_way_back(paddle, show):
    names = paddle.utils.unique_name
    with names.guard("P"):
        made = [names.generate("k")]
        before = names.switch()
        made += [names.generate("k"), names.generate("k")]
        inner = names.switch(before[0], before[1])
        made.append(names.generate("k"))
        names.switch(*inner)
        made.append(names.generate("k"))
        names.switch(*before)
        made.append(names.generate("k"))
    show("names", made)
    show("how many", len(before))


@case
def tensors_are_not_renamed(paddle, show):
    number = int(paddle.to_tensor([1.0]).name.rpartition("_")[2])
    with paddle.utils.unique_name.guard("A_"):
        show("a tensor", paddle.to_tensor([1.0]).name == f"generated_tensor_{number + 1}")
        weight = paddle.nn.Linear(2, 2).weight
        show("copies", [copy.deepcopy(weight).name for _ in range(2)])
        show("a result", (weight * 2).name.rpartition("_")[0])
        name = paddle.utils.unique_name.generate_with_ignorable_key("key")
        show("an ignored key", name.rpartition("_")[0])


@case(differs="a parameter may have a name that another one has: a cell of a notebook runs again")
def a_name_that_is_taken(paddle, show):
    attr = paddle.ParamAttr(name="taken")
    with paddle.utils.unique_name.guard():
        for turn in ("first", "second"):
            show.raises(turn, lambda: paddle.create_parameter([2], "float32", attr=attr))


@case
def mistakes(paddle, show):
    names = paddle.utils.unique_name
    with names.guard():
        for wrong in (3, None, b"x", ["a"]):
            show.raises(f"generate {wrong}", lambda wrong=wrong: names.generate(wrong))
        show.raises("generate nothing", names.generate)
        show.raises("guard", lambda: _inside(names, 3))
        show("afterwards", names.generate("k"))


def _inside(names, prefix):
    with names.guard(prefix):
        names.generate("k")
