"""Runs at the start of a kernel in JupyterLite: lets modes last from one cell to the next.

That kernel runs each cell in a context of its own, so `paddle.enable_static()` would end with it.
"""


def _run_cells_in_one_context() -> None:
    from contextvars import copy_context

    from IPython import get_ipython

    shell, context = get_ipython(), copy_context()
    run_cell = shell.run_cell
    shell.run_cell = lambda *args, **options: context.run(run_cell, *args, **options)


_run_cells_in_one_context()
del _run_cells_in_one_context
