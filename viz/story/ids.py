"""Every id of a picture: boxes, frames of groups, and wires.

An id is made of a trace's numbers of tensors, calls and so on, so it is the same in every run. Only
this module spells ids, and no code takes an id apart.
"""

from __future__ import annotations

from typing import Literal, NewType

Box = NewType("Box", str)  # a node, or the node of a closed group
Frame = NewType("Frame", str)  # a group
Wire = NewType("Wire", str)  # an edge; a draft numbers its wires
Twins = NewType("Twins", str)  # name shared by groups that open and close together
Side = Literal["in", "out", "saved"]  # kind of an opened box's ports: input, output, saved value


# ----- forward -----------------------------------------------------------------------------------


def tensor(number: int) -> Box:
    """Return the id of a tensor that no recorded op made."""
    return Box(f"t{number}")


def result(number: int) -> Box:
    """Return the id of a tensor that is a result of the user's code."""
    return Box(f"r{number}")


def op(call: int) -> Box:
    return Box(f"op{call}")


def pylayer(call: int) -> Box:
    """Return the id of the closed box of one call of a PyLayer."""
    return Box(f"call{call}")


def pylayer_forward(box: Box) -> Frame:
    return Frame(f"{box}.forward")


def pylayer_halves(call: int) -> Twins:
    return Twins(f"pylayer{call}")


def port(box: Box, side: Side, index: int) -> Box:
    """Return the id of a port, at which a value passes the border of an opened box."""
    return Box(f"{box}.{side}{index}")


def layer(scope: int) -> Frame:
    return Frame(f"layer{scope}")


def optimizer(scope: int) -> Frame:
    return Frame(f"optimizer{scope}")


def closed_box(frame: Frame) -> Box:
    """Return the id of the box of a closed layer or block."""
    return Box(f"{frame}.box")


def halves(forward: Frame) -> Twins:
    """Return the name shared by a group in the forward lane and its backward halves."""
    return Twins(forward)


# ----- backward ----------------------------------------------------------------------------------


def seed(column: int, index: int) -> Box:
    """Return the id of a gradient that a backward pass starts with."""
    return Box(f"seed{column + 1}.{index + 1}")


def grad(node: int, visit: int) -> Box:
    """Return the id of a grad node's box at its `visit`-th visit."""
    return Box(f"grad{node}" if visit == 1 else f"grad{node}.{visit}")


def visit_inside(box: Box) -> Frame:
    """Return the id of the group for recorded work inside a visit."""
    return Frame(f"{box}.backward")


def backward_of(forward: Frame, column: int) -> Frame:
    """Return the id of the backward half of a layer or block in the column of a pass."""
    return Frame(f"{forward}.backward{column + 1}")


def unbroadcast(visit: Box, index: int) -> Box:
    """Return the id of the sum that undoes the broadcasting of an input."""
    return Box(f"{visit}.sum{index}")


def accumulation(column: int, number: int) -> Box:
    """Return the id of a `+=` where gradients meet."""
    return Box(f"sum{column + 1}.{number}")


def hook(number: int) -> Box:
    return Box(f"hook{number}")


def leaf_grad(leaf: Box, column: int) -> Box:
    """Return the id of the `.grad` of a leaf after a backward pass."""
    return Box(f"{leaf}.grad{column + 1}")


def update(leaf: Box, number: int) -> Box:
    """Return the id of an optimizer's `number`-th update of a leaf."""
    return Box(f"{leaf}.update{number}")


# ----- Programs ----------------------------------------------------------------------------------


def operator(program: int, index: int, copy: int = 0) -> Box:
    """Return the id of an operator; a part that is drawn for each turn of a loop has copies."""
    return Box(f"p{program}.op{index}{f'.copy{copy}' if copy else ''}")


def refused(program: int, number: int) -> Box:
    """Return the id of an operator that could not be appended to a Program."""
    return Box(f"p{program}.refused{number}")


def variable(program: int, number: int, copy: int = 0) -> Box:
    """Return the id of a variable that no operator makes."""
    return Box(f"p{program}.var{number}{f'.copy{copy}' if copy else ''}")


def fetched_variable(program: int, number: int) -> Box:
    """Return the id of a variable that a run fetches, or at which gradients start."""
    return Box(f"p{program}.result{number}")


def variable_grad(variable: Box) -> Box:
    return Box(f"{variable}.grad")


def operator_halves(operator: Box) -> Twins:
    """Return the name shared by the inside of an operator and that of its gradient operator."""
    return Twins(operator)


def operator_inside(operator: Box) -> Frame:
    return Frame(f"{operator}.inside")


def operator_part(operator: Box, name: str) -> Frame:
    """Return the id of a branch, or of a turn, inside an operator."""
    return Frame(f"{operator}.{name}")


def py_func_call(operator: Box) -> Box:
    """Return the id of the user's function inside a py_func."""
    return Box(f"{operator}.call")


# ----- any graph ---------------------------------------------------------------------------------


def block(number: int) -> Frame:
    """Return the id of a group around one unit of a repetition."""
    return Frame(f"block{number}")


def tag(tensor: str, frame: str) -> Box:
    """Return the id of a small repetition of a tensor's box inside another group."""
    return Box(f"{tensor}~{frame}")
