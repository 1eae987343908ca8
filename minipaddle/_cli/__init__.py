"""The commands of `python -m minipaddle`, a module each, with `main(arguments) -> status`.

`run` executes a script as Python would (`__main__`, `sys.argv`, `sys.path`, exit status, traceback
from the script's first line), while `paddle_names.import_alias` finds `paddle.nn` where
`minipaddle.nn` is: two names of one module. viz is found by its name, and only when it is used.
"""
