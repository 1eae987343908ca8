"""Grading of a folder of notebooks, each inside of walls, and judged outside of them."""

import os

from ...engine.install_advice import IN_BROWSER
from .. import errors

if IN_BROWSER or not hasattr(os, "fork"):
    raise errors.no_fork()
