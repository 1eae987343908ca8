"""Ops that move and repeat elements, join tensors and split them."""
