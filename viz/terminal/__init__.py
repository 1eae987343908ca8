"""The player in a terminal."""
