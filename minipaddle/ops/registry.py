"""Records of all ops by name; `op_spec.op` adds them when their modules are imported."""

from __future__ import annotations

from typing import Any

REGISTRY: dict[str, Any] = {}
