"""Each rule of the documents on PyLayer and py_func, and a program that fails without it."""
