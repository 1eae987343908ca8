"""Compiling Programs: a run, written down call by call, becomes a function over fixed memory.

An Executor's first run of a kind (Program, fetch list, shapes and dtypes of the feeds) is the
interpreter's, its second is recorded, and from the third on a plan runs: one Python function of
NumPy calls. Where a value goes on its way:

order      an update moves up to right after its gradient, so that gradient's memory is free
recording  kernels get arrays that compute as NumPy does (`ops/recording_arrays.py`); every use is
           noted, with the shape, strides and sharing of each result
memory     a block of memory holds one value after the other
source     the instructions as Python with `out=` into the blocks, views made once outside
plan       scope and feeds in, the function, copies of what is fetched out
cache      which plan a run takes; a changed Program has none

What cannot be noted (a kernel that branches on values, a py_func, a Print) is called as a whole,
with memory of its own, since a user's function may keep what it was given. Where a result may
differ from run to run there is a guard; a check that asks for values has its recorded answer. If
one does not hold, the plan leaves: the interpreter goes on with the live values from that operator.
"""

from __future__ import annotations

from .cache import Plans
from .plan import Plan

__all__ = ["Plan", "Plans"]
