"""Every op's record by the op's name; `op_spec.op` fills it as the families are imported."""

from __future__ import annotations

from typing import Any

REGISTRY: dict[str, Any] = {}
