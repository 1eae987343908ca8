"""paddle.Model and its callbacks, beside `tests/oracle/cases/high_level.py`."""
