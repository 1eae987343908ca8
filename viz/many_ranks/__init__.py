"""Many ranks: the traces of processes that worked together, side by side, and where they met."""
