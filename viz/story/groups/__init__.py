"""Boxes that open: repetitions, parameters in each call of their layer, what is open at first."""
