"""Tests of the op records: values, gradients, inference."""
