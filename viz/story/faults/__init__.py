"""The call at which a run stopped: its shapes, and repairs that were tried."""
