"""Paddle's names: what is not here, second names of arguments, `import paddle` itself."""
