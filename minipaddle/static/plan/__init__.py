"""Compiled runs: a recorded run becomes one Python function over memory that is allocated once.

An Executor interprets its first run of a kind (Program, fetch list, shapes and dtypes of the
feeds), records the second, and from the third on runs the plan: one function of NumPy calls.

order      moves an update up to right after its gradient, so that the gradient's memory is free
recording  gives kernels arrays that compute as NumPy does (`ops/recording_arrays.py`), and notes
           every call with the shape, strides and memory of its result
memory     assigns values to blocks of memory, which hold one value after the other
source     writes the instructions as Python with `out=` into the blocks; views are made once
plan       runs the function: scope and feeds in, copies of the results out
cache      finds the plan of a run; a changed Program has none

A kernel that cannot be recorded call by call (one that branches on values, a py_func, a Print) is
one call, and its values have memory of their own, since a user's function may keep its arguments.
Where a result may differ from run to run there is a guard, and a check of values has its recorded
answer. If one of these does not hold, the interpreter goes on with the live values.
"""

from __future__ import annotations

from .cache import Plans
from .plan import Plan

__all__ = ["Plan", "Plans"]
