"""Ops in which other processes have a part: the collectives of `paddle.distributed`."""
