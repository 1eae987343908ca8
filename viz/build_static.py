"""Programs: operators being appended, gradient operators mirrored beside them, and their run."""

from __future__ import annotations

from typing import Any

BUILDERS: dict[type, Any] = {}
