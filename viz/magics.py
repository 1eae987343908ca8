"""`%load_ext viz`: the magic `%%watch` records a cell and shows the player."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from itertools import takewhile
from types import CodeType
from typing import Any

from IPython.core import magic_arguments
from IPython.core.error import UsageError

from minipaddle.engine.guard import restore_value
from minipaddle.messages import languages

from . import language
from .recorder import LIMIT, record


def load_ipython_extension(shell: Any) -> None:
    """Register `%%watch`; IPython calls this for `%load_ext viz`."""
    parser = parser_of_options()

    def watch(line: str, cell: str | None = None) -> Coroutine[Any, Any, None] | None:
        options = parser.parse_argstring("" if cell is None else line)
        if options.name and not options.name.isidentifier():
            raise UsageError(f"%%watch: {options.name!r} is no name for a variable")
        first = "" if cell is None else f"%%watch {line}\n"
        codes = compile_cell(shell, first, line if cell is None else cell)
        if not any(map(awaits, codes)):
            record_and_show(shell, options, codes)
            return None
        if cell is None:
            raise UsageError("%watch cannot await: write %%watch, and the code below it")
        return record_awaiting_and_show(shell, options, codes)

    watch.__doc__ = parser.format_help()
    shell.register_magic_function(watch, "line_cell", "watch")
    transforms = shell.input_transformers_post
    transforms[:] = [one for one in transforms if not isinstance(one, AwaitWatch)]
    transforms.append(AwaitWatch(shell))


class AwaitWatch:
    """Transformer that makes IPython await the magic of a cell that awaits something.

    IPython runs code in its event loop only if the code visibly awaits, and it does not look into
    the text that is passed to a magic.
    """

    CALL = "get_ipython().run_cell_magic('watch', "

    def __init__(self, shell: Any) -> None:
        self.shell = shell

    def __call__(self, lines: list[str]) -> list[str]:
        text = "".join(lines)
        if not text.startswith(self.CALL):
            return lines
        _, cell = ast.literal_eval("(" + text.removeprefix(self.CALL))
        try:
            transformed = self.shell.transform_cell(cell)
        except SyntaxError:  # the magic itself reports it
            return lines
        awaited = self.shell.should_run_async(cell, transformed_cell=transformed)
        return [f"await {text}"] if awaited else lines


def parser_of_options() -> Any:
    """Return the parser of `%%watch`, IPython's own, whose errors show no traceback."""
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
    add("--lang", default="", choices=languages(), help="the language in which the player starts")
    add("--iframe", action="store_true", help="keep the player in the saved notebook")
    add("--quiet", action="store_true", help="show nothing, only keep the trace")
    return parser


def record_and_show(shell: Any, options: Any, codes: list[CodeType]) -> None:
    """Run and record the code, then show the trace."""
    with watch_block(shell, options):
        for code in codes:
            exec(code, shell.user_ns)


async def record_awaiting_and_show(shell: Any, options: Any, codes: list[CodeType]) -> None:
    """Run and record code that awaits in the shell's event loop, then show the trace."""
    with watch_block(shell, options):
        for code in codes:
            done = eval(code, shell.user_ns)
            if awaits(code):
                await done


@contextmanager
def watch_block(shell: Any, options: Any) -> Iterator[None]:
    """Record the block, then show the trace, even if an exception ends the block."""
    block = record(
        options.title,
        only=options.only,
        skip=options.skip,
        depth=options.depth,
        limit=options.limit or None,
        variables=shell.user_ns,
    )
    trace: Any = None
    try:
        with block as trace:
            yield
    finally:
        if trace is not None:
            present(shell, trace, options)


def present(shell: Any, trace: Any, options: Any) -> None:
    """Store the trace in its variable, and show it in the language asked for."""
    if options.name:
        shell.user_ns[options.name] = trace
    if options.quiet:
        return
    with restore_value(language.get_lang, language.set_lang):
        language.set_lang(options.lang or language.get_lang())
        trace.show(iframe=options.iframe)


def compile_cell(shell: Any, first: str, cell: str) -> list[CodeType]:
    """Return the code of a cell: its statements, and its last expression, whose value is displayed.

    Lines are counted from the line of the magic on, as the reader sees them.
    """
    text = shell.transform_cell(cell)  # drops empty lines at the beginning
    head = first + "\n" * sum(1 for _ in takewhile(str.isspace, cell.splitlines(keepends=True)))
    number = shell.displayhook.prompt_count  # number of the running cell
    name = shell.compile.cache(head + text, number, raw_code=first + cell)
    tree = shell.transform_ast(shell.compile.ast_parse("\n" * head.count("\n") + text, name))
    body, last = tree.body, []
    if body and isinstance(body[-1], ast.Expr) and not text.rstrip().endswith(";"):
        body, last = body[:-1], body[-1:]
    with shell.compile.extra_flags(ast.PyCF_ALLOW_TOP_LEVEL_AWAIT if shell.autoawait else 0):
        code = [shell.compile(ast.Module(body, []), name, "exec")] if body else []
        return code + ([shell.compile(ast.Interactive(last), name, "single")] if last else [])


def awaits(code: CodeType) -> bool:
    """Return whether running the code returns a coroutine, because it awaits something."""
    return bool(code.co_flags & inspect.CO_COROUTINE)
