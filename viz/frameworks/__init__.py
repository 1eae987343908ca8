"""Frameworks whose programs can be recorded: their tensors and layers, and their events.

A framework other than minipaddle is a source of the engine's events: while a block is recorded, it
emits them for what happens in that framework, so everything after the events is shared.
"""
