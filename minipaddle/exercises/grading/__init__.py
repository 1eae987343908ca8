"""Grading of a folder of notebooks, each inside of walls, and judged outside of them."""

import os

from .. import errors

if not hasattr(os, "fork"):
    raise errors.no_fork()
