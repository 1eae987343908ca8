"""Every id of a picture, spelled in one place: boxes, the frames of groups, and wires.

An id is made of the numbers that a trace gives to what it tells of, so it is the same in every
run. Whoever needs to know which box belongs to a thing asks here and takes no id apart.
"""

from __future__ import annotations

from typing import Literal, NewType

Box = NewType("Box", str)  # a node, or the node that stands for a closed group
Frame = NewType("Frame", str)  # a group
Wire = NewType("Wire", str)  # an edge; a draft numbers them
Twins = NewType("Twins", str)  # what two groups have in common that open and close together
Side = Literal["in", "out", "saved"]  # of an opened box: where values go in, come out, were kept


# ----- forward -----------------------------------------------------------------------------------


def tensor(number: int) -> Box:
    """Return the id of a tensor that no recorded op made."""
    return Box(f"t{number}")


def result(number: int) -> Box:
    """Return the id of a tensor that the user's code ends with."""
    return Box(f"r{number}")


def op(call: int) -> Box:
    return Box(f"op{call}")


def pylayer(call: int) -> Box:
    """Return the id of one closed apply of a PyLayer."""
    return Box(f"call{call}")


def pylayer_forward(box: Box) -> Frame:
    return Frame(f"{box}.forward")


def pylayer_halves(call: int) -> Twins:
    return Twins(f"pylayer{call}")


def port(box: Box, side: Side, index: int) -> Box:
    """Return the id of the box at which a value passes the border of an opened one."""
    return Box(f"{box}.{side}{index}")


def layer(scope: int) -> Frame:
    return Frame(f"layer{scope}")


def optimizer(scope: int) -> Frame:
    return Frame(f"optimizer{scope}")


def closed_box(frame: Frame) -> Box:
    """Return the id of the box that stands for a closed layer or block."""
    return Box(f"{frame}.box")


def halves(forward: Frame) -> Twins:
    """Return the id of a group in the forward lane and its halves in the backward lane."""
    return Twins(forward)


# ----- backward ----------------------------------------------------------------------------------


def seed(column: int, index: int) -> Box:
    """Return the id of a gradient that a backward pass starts with."""
    return Box(f"seed{column + 1}.{index + 1}")


def grad(node: int, visit: int) -> Box:
    """Return the id of a node of the tape at its first visit, its second, ..."""
    return Box(f"grad{node}" if visit == 1 else f"grad{node}.{visit}")


def visit_inside(box: Box) -> Frame:
    """Return the id of the group of a visit in which recorded work happens."""
    return Frame(f"{box}.backward")


def backward_of(forward: Frame, column: int) -> Frame:
    """Return the id of the half of a layer or block in the column of a backward pass."""
    return Frame(f"{forward}.backward{column + 1}")


def unbroadcast(visit: Box, index: int) -> Box:
    """Return the id of the sum that undoes the broadcasting of one input."""
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
    """Return the id of a step of an optimizer."""
    return Box(f"{leaf}.update{number}")


# ----- Programs ----------------------------------------------------------------------------------


def operator(program: int, index: int) -> Box:
    return Box(f"p{program}.op{index}")


def refused(program: int, number: int) -> Box:
    """Return the id of an operator that a Program does not take."""
    return Box(f"p{program}.refused{number}")


def variable(program: int, number: int) -> Box:
    """Return the id of a variable that no operator makes."""
    return Box(f"p{program}.var{number}")


def fetched_variable(program: int, number: int) -> Box:
    """Return the id of a variable that a run is asked for, or that gradients start at."""
    return Box(f"p{program}.result{number}")


def variable_grad(variable: Box) -> Box:
    return Box(f"{variable}.grad")


def py_func_halves(operator: Box) -> Twins:
    """Return the id of a py_func and its backward_func."""
    return Twins(operator)


def py_func_inside(operator: Box) -> Frame:
    return Frame(f"{operator}.inside")


def py_func_call(operator: Box) -> Box:
    """Return the id of the user's function inside its operator."""
    return Box(f"{operator}.call")


# ----- any graph ---------------------------------------------------------------------------------


def block(number: int) -> Frame:
    """Return the id of a group around what repeats."""
    return Frame(f"block{number}")


def tag(tensor: str, frame: str) -> Box:
    """Return the id of a small repetition of a tensor's box inside another group."""
    return Box(f"{tensor}~{frame}")
