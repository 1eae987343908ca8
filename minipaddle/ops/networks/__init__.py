"""Ops of neural networks."""
