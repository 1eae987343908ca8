"""`paddle.Model`: training, evaluation and prediction in one call each, and their progress bar."""

from __future__ import annotations

from ..paddle_names import absent

__getattr__ = absent.names(__name__)
