"""Groups: repetitions, parameters in each call of their layer, groups that are open at first."""
