"""Tests of paddle.distributed: some of one process, most of several that MPI starts."""
