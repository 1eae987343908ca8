"""How long a test waits for what must come: a guard against hangs that says nothing of speed."""

PATIENCE = 300.0  # seconds
