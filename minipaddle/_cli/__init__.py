"""The commands of `python -m minipaddle`, a module each, with `main(arguments) -> status`.

`run` executes a script as Python would (`__main__`, `sys.argv`, `sys.path`, exit status, traceback
from the script's first line), while `paddle_names.import_alias` makes `paddle.nn` a second name of
`minipaddle.nn`. viz is imported only by commands that need it.
"""
