"""Recording: a listener's log of a block of code, with copies of its small arrays."""
