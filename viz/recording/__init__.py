"""Recording of a block of code: a log of the engine's events, with copies of small arrays."""
