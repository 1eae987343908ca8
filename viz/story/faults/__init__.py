"""The place where a run stopped: the shapes that met there, and repairs that were tried."""
