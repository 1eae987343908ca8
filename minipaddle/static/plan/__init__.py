"""Compiled runs: a recorded run becomes one Python function over memory that is allocated once.

An Executor interprets its first run of a kind (Program, fetch list, shapes and dtypes of the
feeds), records the second, and from the third on runs the plan: one function of NumPy calls.

recording  runs kernels on arrays that compute as NumPy does (`ops/recording_arrays.py`), and notes
           every call with the shape, strides and memory of its result
memory     assigns values to shared blocks of memory
source     writes the instructions as Python with `out=` into the blocks; makes views once
plan       runs the function: scope and feeds in, copies of the results out

The Executor finds the plan of a run. Plans are stored in the Program, which drops them when it is
changed, and are freed with the Executor or the Program.

A kernel that cannot be recorded call by call (one that branches on values, a py_func, a Print) is
one call. Its values have memory of their own, since a user's function may keep its arguments.
A guard compares results whose shape may differ from run to run, and a check of values repeats the
question whose answer was recorded. If one of them fails, the interpreter goes on with the live
values.
"""

from __future__ import annotations

from .plan import Plan

__all__ = ["Plan"]
