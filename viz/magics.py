"""`%load_ext viz`: the magic `%%watch` records a cell and shows the player."""

from __future__ import annotations

import ast
from itertools import takewhile
from types import CodeType
from typing import Any

from IPython.core import magic_arguments
from IPython.core.error import UsageError

from . import language
from .recording.recorder import LIMIT, record


def load_ipython_extension(shell: Any) -> None:
    """What IPython calls for `%load_ext viz`."""
    parser = parser_of_options()

    def watch(line: str, cell: str | None = None) -> None:
        given = parser.parse_argstring("" if cell is None else line)
        if given.name and not given.name.isidentifier():
            raise UsageError(f"%%watch: {given.name!r} is no name for a variable")
        first = "" if cell is None else f"%%watch {line}\n"
        watched(shell, given, compiled(shell, first, line if cell is None else cell))

    watch.__doc__ = parser.format_help()
    shell.register_magic_function(watch, "line_cell", "watch")


def parser_of_options() -> Any:
    """The options of `%%watch`; IPython's own parser, whose errors are no tracebacks."""
    make: Any = magic_arguments.MagicArgumentParser
    parser = make(
        "%%watch",
        description="Record a cell and show the player. An exception passes on, after the player "
        "has shown where it happened. As `%watch statement` it records one statement.",
    )
    add = parser.add_argument
    add("name", nargs="?", default="", help="a variable that gets the trace")
    for name, text in (("--only", "record only"), ("--skip", "do not record")):
        text += " this op, layer, PyLayer, file or module; may be given several times"
        add(name, action="append", default=[], help=text)
    add("--depth", type=int, help="how many layers deep to look; 0: layers are boxes")
    add("--limit", type=int, default=LIMIT, help="record at most so many events; 0: all")
    add("--title", default="", help="the title of the picture")
    add("--lang", default="", choices=("en", "zh"), help="the language in which the player starts")
    add("--iframe", action="store_true", help="keep the player in the saved notebook")
    add("--quiet", action="store_true", help="show nothing, only keep the trace")
    return parser


def watched(shell: Any, given: Any, run: list[CodeType]) -> None:
    """Run the code while it is recorded, then show the trace, also when an exception ends it."""
    block = record(
        given.title,
        only=given.only,
        skip=given.skip,
        depth=given.depth,
        limit=given.limit or None,
        variables=shell.user_ns,
    )
    trace: Any = None
    try:
        with block as trace:
            for code in run:
                exec(code, shell.user_ns)
    finally:
        if trace is not None:
            present(shell, trace, given)


def present(shell: Any, trace: Any, given: Any) -> None:
    """Give the trace its name, and show it in the language asked for."""
    if given.name:
        shell.user_ns[given.name] = trace
    if given.quiet:
        return
    before = language.chosen()
    language.set_lang(given.lang or before)
    try:
        trace.show(iframe=given.iframe)
    finally:
        language.set_lang(before)


def compiled(shell: Any, first: str, cell: str) -> list[CodeType]:
    """The code of a cell: its statements, and its last expression, whose value is displayed.

    Lines are counted from the line of the magic on, as the reader sees them.
    """
    text = shell.transform_cell(cell)  # without the empty lines at its beginning
    head = first + "\n" * sum(1 for _ in takewhile(str.isspace, cell.splitlines(keepends=True)))
    number = shell.displayhook.prompt_count  # of the cell that is running
    name = shell.compile.cache(head + text, number, raw_code=first + cell)
    tree = shell.transform_ast(shell.compile.ast_parse("\n" * head.count("\n") + text, name))
    body, last = tree.body, []
    if body and isinstance(body[-1], ast.Expr) and not text.rstrip().endswith(";"):
        body, last = body[:-1], body[-1:]
    code = [compile(ast.Module(body, []), name, "exec")] if body else []
    return code + ([compile(ast.Interactive(last), name, "single")] if last else [])
