"""Why an example of real Paddle's docstrings does not pass: a pattern, and the reason.

The first pattern found in `name: what happened` counts. `docstrings.py --table` writes the table.
"""

REASONS = (
    (r"No module named 'paddle\.base'", "imports Paddle's inner module `base`"),
    (r"has no 'base'", "uses Paddle's inner module `base`"),
    (r"paddle has no 'tensor' here", "uses Paddle's inner module `tensor`"),
    (r"\.nn\.Layer\.named_buffers", "shows that Paddle shares one buffer's name between layers"),
    (r"paddle\.argsort", "an unstable sort: the order of equal elements is open"),
    (r"CompiledProgram", "Programs are not compiled here"),
)
