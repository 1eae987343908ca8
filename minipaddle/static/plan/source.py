"""Python source of a plan: one line for each NumPy call, one heading for each operator.

Arrays that are in one place in every run (of the blocks, the parameters, and their views) are
prepared once; the rest is a function without loops or lookups. The text is meant to be read.
"""

from __future__ import annotations

import keyword
import re
from math import isfinite
from typing import Any

import numpy as np

from .memory import Arrangement, nbytes
from .recording import Exit, Instruction, Known, Ref, refs_in

MARGIN = "        "
KEYWORD_ONLY = ("np.maximum", "np.minimum")  # NumPy warns of a third operand without out=
SIMPLE = (bool, int, float, str, type(None), type(...))


class Name(str):
    """Argument that is written without quotes."""

    __slots__ = ()


class Source:
    """Writer of the source of one plan; `objects` has what the source refers to by name."""

    def __init__(self, trace: Any, memory: Arrangement) -> None:
        self.trace = trace
        self.known: list[Known] = trace.recorder.known
        self.instructions: list[Instruction] = trace.recorder.instructions
        self.traced_numbers: set[int] = trace.recorder.plain_numbers  # Python numbers
        self.memory = memory
        self.names: dict[int, str] = {}
        self.parameters: list[str] = []  # parameters of `run`: arrays that each run may replace
        self.state: list[str] = []  # parameters of `prepare`: lasting arrays of the scope
        self.objects: dict[str, Any] = {}  # constants and kernels by name
        self.numpy: dict[str, str] = {}  # NumPy's name -> local name
        self.arrays: dict[str, tuple[int, Known]] = {}  # name -> block and layout
        self.prepared: list[str] = []
        self.numbers: dict[tuple[str, np.dtype[Any]], Name] = {}
        numbers = {trace.names[slot]: traced._number for slot, traced in trace.inputs.items()}
        self.fixed = {numbers[name] for name in trace.stays}  # values known before a run
        self.written = values_written(self.instructions)
        self.body: list[str] = []
        self.lines: list[int] = []  # operator of each line of the body
        self.taken = {*keyword.kwlist, "np", "run", "keep", "slice", "bool", "_"}
        self.taken |= {"memory", "objects"}
        for named, listed in (
            ((*trace.feeds, *trace.moves), self.parameters),
            (trace.stays, self.state),
        ):
            for name in named:
                self.names[numbers[name]] = self._free_identifier(name)
                listed.append(self.names[numbers[name]])
        for value in memory.block_of:
            self.names[value] = self._array_name(value)

    # ----- names -----

    def _free_identifier(self, name: str) -> str:
        """Return a free identifier for a Variable: fc_0.w_0 becomes fc_0_w_0."""
        plain = re.sub(r"[^0-9A-Za-z_]", "_", name) or "_"
        plain = f"_{plain}" if plain[:1].isdigit() else plain
        while plain in self.taken:
            plain += "_"
        self.taken.add(plain)
        return plain

    def _array_name(self, value: int) -> str:
        """Return the name of a value's array: b3 in block 3, or b3_1 for another layout there."""
        block = self.memory.block_of[value].number
        layout = self.known[value]._replace(inside=frozenset())
        name, more = f"b{block}", 0
        while self.arrays.get(name, (block, layout)) != (block, layout) or name in self.taken:
            more += 1
            name = f"b{block}_{more}"
        self.arrays[name] = block, layout
        return name

    def name(self, value: int) -> str:
        if value not in self.names:
            self.names[value] = self._free_identifier(f"v{value}")
        return self.names[value]

    def constant(self, value: Any, prefix: str = "c") -> str:
        """Return the name by which the source refers to an object."""
        for name, known in self.objects.items():
            if known is value:
                return name
        name = self._free_identifier(f"{prefix}{len(self.objects)}")
        self.objects[name] = value
        return name

    def kind(self, dtype: np.dtype[Any]) -> str:
        """Return the name of a dtype; comparing with np.float32 would make a dtype each time."""
        return self.constant(dtype, f"{dtype.name}_")

    # ----- expressions -----

    def argument(self, value: Any) -> str:
        """Return the source of an argument."""
        if isinstance(value, Ref):
            return self.name(value.number)
        if value is np:
            return "np"
        if isinstance(value, Name):
            return value
        if isinstance(value, slice):
            return f"slice({value.start}, {value.stop}, {value.step})"
        if type(value) in SIMPLE and not (isinstance(value, float) and not isfinite(value)):
            return repr(value)
        if type(value) is tuple:
            inner = ", ".join(map(self.argument, value))
            return f"({inner},)" if len(value) == 1 else f"({inner})"
        if type(value) is list:
            return f"[{', '.join(map(self.argument, value))}]"
        if isinstance(value, (np.dtype, type)) and np.dtype(value).kind != "O":
            return f"np.{np.dtype(value).name}" if np.dtype(value).kind != "b" else "bool"
        return self.constant(value)

    def call(self, instruction: Instruction, extra: str = "") -> str:
        """Return the source of an instruction, an expression."""
        name, args = instruction.name, instruction.args
        if name == "[]":
            return f"{self.argument(args[0])}[{self._index_text(args[1])}]"
        if name == ".T":
            return f"{self.argument(args[0])}.T"
        if name in ("+", "-", "*", "/", "**"):
            return f" {name} ".join(map(self.argument, args))
        if name == "keep":
            return f"keep({args[0]!r}, {self.argument(args[1])})"
        words = [self.argument(arg) for arg in self._with_arrays(instruction)]
        kwargs = instruction.kwargs
        if instruction.elementwise and name not in KEYWORD_ONLY and kwargs.keys() == {"out"}:
            words, kwargs = [*words, self.argument(kwargs["out"])], {}
        words += [f"{key}={self.argument(value)}" for key, value in kwargs.items()]
        words += [extra] if extra else []
        if instruction.function is not None:
            return f"{self.constant(instruction.function, name.lower() + '_')}({', '.join(words)})"
        if name.startswith("."):
            return f"{words[0]}{name}({', '.join(words[1:])})"
        one = "[0]" if instruction.listed else ""
        return f"{self._numpy_name(name)}({', '.join(words)}){one}"

    def _with_arrays(self, instruction: Instruction) -> tuple[Any, ...]:
        """Return the operands of a ufunc with arrays for numbers: it is twice as fast on them."""
        args, numbers = instruction.args, self.traced_numbers
        refs = [arg.number for arg in args if isinstance(arg, Ref) and arg.number not in numbers]
        kinds = {self.known[number].dtype for number in refs}
        kind = kinds.pop() if len(kinds) == 1 else None
        if not instruction.elementwise or kind is None or kind.kind != "f":
            return args
        return tuple(
            self.number(a, kind, instruction.operator)
            if type(a) in (int, float) or (isinstance(a, Ref) and a.number in numbers)
            else a
            for a in args
        )

    def number(self, value: Any, kind: np.dtype[Any], operator: int) -> Any:
        """Return the name of a number's array: n0_5 for 0.5; v7_n for a number read in each run."""
        key = repr(value), kind
        if key not in self.numbers:
            read = isinstance(value, Ref)
            wanted = f"{self.argument(value)}_n" if read else f"n{value:g}"
            name = self.numbers[key] = Name(self._free_identifier(wanted))
            line = f"{name} = np.asarray({self.argument(value)}, np.{kind.name})"
            if read:
                self.write(line, operator)
            else:
                self.prepared.append(f"    {line}")
        return self.numbers[key]

    def _numpy_name(self, name: str) -> str:
        """Return a NumPy function by its local name: np.add.reduce is written add.reduce."""
        path = name.removeprefix("np.")
        first = path.partition(".")[0]
        if first not in self.numpy:
            builtin = first in ("all", "any", "sum", "round")
            self.numpy[first] = self._free_identifier(f"{first}_" if builtin else first)
        return self.numpy[first] + path[len(first) :]

    def _index_text(self, index: Any) -> str:
        items = index if type(index) is tuple else (index,)
        words = []
        for item in items:
            if isinstance(item, slice):
                ends = ["" if end is None else str(end) for end in (item.start, item.stop)]
                words.append(":".join(ends) + ("" if item.step is None else f":{item.step}"))
            else:
                words.append("..." if item is ... else self.argument(item))
        return ", ".join(words) or "()"

    # ----- statements -----

    def write(self, line: str, operator: int) -> None:
        self.body.append(MARGIN + line)
        self.lines.append(operator)

    def write_body(self) -> None:
        """Write all instructions, under a heading for each operator."""
        at, steps = 0, self.trace.steps
        for position, step in enumerate(steps.steps):
            op = step.operator
            place = f"   {op.place}" if op.place else ""
            line = f"# {op.type} -> {', '.join(op.writes) or 'nothing'}{place}"
            self.write(one_line(line), position)
            while at < len(self.instructions) and self.instructions[at].operator == position:
                self.instruction(self.instructions[at])
                at += 1
        fetched = map(self.trace.number, steps.fetched)
        copies = ["None" if n is None else f"{self.name(n)}.copy()" for n in fetched]
        self.write(f"return None, [{', '.join(copies)}]", len(steps.steps) - 1)

    def instruction(self, instruction: Instruction) -> None:
        """Write the line of an instruction, into `prepare` if its result never changes."""
        makes = instruction.makes
        if instruction.exit is not None:
            self._write_check(instruction, instruction.exit)
        elif instruction.name == "[]=":
            target, index, value = instruction.args
            line = f"{self.argument(target)}[{self._index_text(index)}] = {self.argument(value)}"
            self.write(line, instruction.operator)
        elif not makes:
            self.write(self.call(instruction), instruction.operator)
        elif instruction.name == "constant":
            self.names[makes[0]] = self.constant(instruction.args[0])
        elif instruction.name in ("scratch", "np.empty") and makes[0] in self.memory.block_of:
            pass  # working memory, never read before it is written
        elif makes[0] in self.memory.block_of:
            line = self._store_line(instruction, self.names[makes[0]])
            if line:
                self.write(line, instruction.operator)
        else:
            names = ", ".join("_" if value < 0 else self.name(value) for value in makes)
            comma = "," if len(makes) == 1 and instruction.function is not None else ""
            call = self.call(instruction)
            if self._gives_scalar(instruction):
                call = f"np.asarray({call})"
            line = f"{names}{comma} = {call}"
            if self._is_fixed(instruction):
                self.prepared.append(f"    {line}")
            else:
                self.write(line, instruction.operator)

    def _gives_scalar(self, instruction: Instruction) -> bool:
        """Return whether NumPy gives a scalar where a kernel makes an array without dimensions."""
        makes = instruction.makes
        arrays = [value for value in makes if value >= 0 and value not in self.traced_numbers]
        return instruction.function is None and [self.known[v].shape for v in arrays] == [()]

    def _write_check(self, instruction: Instruction, exit: Exit) -> None:
        """Write the test that exits from a run if it differs from the recorded run."""
        if instruction.name == "guard":
            names = map(self.argument, instruction.args)
            test = " or ".join(
                f"{name}.shape != {shape} or {name}.dtype != {self.kind(dtype)}"
                for name, (shape, dtype) in zip(names, instruction.expected, strict=True)
            )
        else:
            asked = self.call(instruction._replace(args=(np, *instruction.args)))
            test = f"{asked} != {self.argument(instruction.expected)}"
        values = self.argument(tuple(Ref(value) for value in exit.values))
        where = f"({exit.resume}, {exit.slots})"
        self.write(f"if {test}: return {where}, {values}", instruction.operator)

    def _store_line(self, instruction: Instruction, target: str) -> str:
        """Return the line that stores a result in existing memory."""
        if instruction.name in (".astype", ".copy"):
            source = self.argument(instruction.args[0])
            return "" if source == target else f"{target}[...] = {source}"
        if instruction.name == "np.zeros":
            return f"{target}.fill(0)"
        if instruction.name == "np.full":
            return f"{target}.fill({self.argument(instruction.args[1])})"
        if instruction.name == "np.dot":
            instruction = instruction._replace(name=".dot")  # methods are faster than functions
        positional = instruction.elementwise and instruction.name not in KEYWORD_ONLY
        if (positional or instruction.name == ".dot") and not instruction.kwargs:
            return self.call(instruction, target)  # a positional target is a fifth faster than out=
        return self.call(instruction, f"out={target}")

    def _is_fixed(self, instruction: Instruction) -> bool:
        """Return whether the result never changes: a view of a block, or a constant."""
        operands = refs_in((instruction.args, instruction.kwargs))
        lasting = all(v in self.fixed or v in self.memory.block_of for v in operands)
        if instruction.function is not None or not lasting:
            return False
        # A view stays a view; an array made without operands is constant unless written into.
        views = all(self.known[value].inside for value in instruction.makes)
        if not views and (operands or not self.written.isdisjoint(instruction.makes)):
            return False
        self.fixed.update(instruction.makes)
        return True

    # ----- the whole text -----

    def text(self) -> tuple[str, int]:
        """Return the whole source, and the number of lines before the body."""
        title = [
            f"# {self.trace.names[slot]}: {traced.dtype.name} {list(traced.shape)}"
            for slot, traced in self.trace.inputs.items()
        ]
        comments = map(one_line, [*title, "", *self._memory_table()])
        names = ", ".join(("np", "memory", "objects", *self.state))
        head = [*comments, "", f"def prepare({names}):"]
        if self.numpy:
            local, real = ", ".join(self.numpy.values()), ", ".join(f"np.{n}" for n in self.numpy)
            head.append(f"    {local} = {real}")
        head += [f"    {name} = objects[{name!r}]" for name in self.objects]
        head += [f"    {name} = memory[{name!r}]" for name in self.arrays]
        head += self.prepared
        head += ["", f"    def run({', '.join(('keep', *self.parameters))}):"]
        return "\n".join((*head, *self.body, "", "    return run", "")), len(head)

    def _memory_table(self) -> list[str]:
        """Return comments that list the Variables of each block, in the order of their use."""
        apart = sum(nbytes(self.known[value]) for value in self.memory.block_of)
        used, count = self.memory.used, len(self.memory.blocks)
        lines = [
            "# The last operand of a call, or out=, is where its result goes: add(x, y, b0).",
            f"# Memory: {used:,} bytes in {count} blocks; one array per value: {apart:,}.",
        ]
        for block in self.memory.blocks:
            names = [name for n in block.holds for name in self.trace.variables.get(n, ())]
            shown = ", ".join(dict.fromkeys(names)) or "work"
            lines.append(f"#   b{block.number}  {block.size:,} bytes: {shown}")
        return lines


def values_written(instructions: list[Instruction]) -> set[int]:
    """Return the values that are written into after they are made."""
    targets: set[int] = set()
    for instruction in instructions:
        if not instruction.makes and instruction.exit is None:
            target = instruction.kwargs.get("out", instruction.args[:1])
            targets.update(refs_in(target))
    return targets


def one_line(text: str) -> str:
    """Return a comment as one line, whatever the names of Variables are."""
    return " ".join(text.splitlines())
