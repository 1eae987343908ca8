"""The fixtures of static mode."""

from .world import programs

__all__ = ["programs"]
