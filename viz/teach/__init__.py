"""Pages that ask: a quiz before each step, and a backward pass with one mistake to find."""
