"""The engine: tensors, dispatch, the tape, backward, PyLayer. Read it with `docs/reading.md`."""
