"""The player in a terminal: keys to steps, steps to lines."""
