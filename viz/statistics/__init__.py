"""Statistics: how large values and gradients are, as a scale of colours and as a table."""
