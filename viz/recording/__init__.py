"""Recording: what a listener hears of a block of code, kept with copies of its small arrays."""
