"""The engine on a device: a strict stand-in for CuPy, and what it is made from."""
