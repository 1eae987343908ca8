"""Ops that several processes run together: the collectives of `paddle.distributed`."""
