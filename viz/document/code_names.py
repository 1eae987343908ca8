"""Names that the user's code gives to tensors and layers, found where an event came from.

A SourceLine has the span of an instruction, as Python's tracebacks do. The span identifies the call
or operator that ran: what its result is assigned to, what it reads, whose method it is.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from types import ModuleType
from typing import Any, TypeGuard

import minipaddle
from minipaddle import Tensor
from minipaddle.engine.source_line import SourceLine

# Modules and classes with functions that run ops.
OURS = (minipaddle, Tensor, minipaddle.linalg, minipaddle.nn.functional)
MODULES = {"paddle", "minipaddle", "viz", "nn", "F", "np"}  # may be imported in another cell
NAMESPACES = ("SimpleNamespace", "import_module")  # functions that return a namespace
ADDING = ("sum", "abs", "pow", "round")  # built-in functions that return an op's result
LONGEST = 24  # most letters of an expression, such as `rows[i]`, that serves as a name
# Methods of `paddle.Model`, which run a network and return no Tensors. They are listed, because
# importing it takes long.
TRAINING = {"eval_batch", "evaluate", "fit", "load", "predict", "predict_batch", "prepare", "save"}
TRAINING |= {"summary", "train_batch"}
MATRICES = {"jacobian", "hessian", "Jacobian", "Hessian"}  # they return no Tensors, but make some
OPERATORS = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.AugAssign, ast.Subscript, ast.Attribute)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
LOOPS = (ast.For, ast.AsyncFor, ast.comprehension)
REPEATED = (*FUNCTIONS, *LOOPS, ast.While)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
ASSIGNMENTS = (ast.Assign, ast.AnnAssign)


@cache
def names_of_paddle() -> frozenset[str]:
    """Return Paddle's names, since looking up a name that it does not have takes milliseconds."""
    return frozenset(dir(minipaddle))


def is_in_paddle(name: str) -> bool:
    """Return whether Paddle has a public function, or a method of Tensors, of this name."""
    return any(hasattr(place, name) for place in OURS)


class Code:
    """Code of one file or cell; text that is no Python (magics, a lost file) has no names.

    `modules` are variables known to hold modules or namespaces, from another cell for example;
    `tensor` is the class of the code's tensors.
    """

    def __init__(
        self, text: str, modules: frozenset[str] = frozenset(), tensor: type = Tensor
    ) -> None:
        tree = parse(text)
        self.tensor = tensor
        self.parents: dict[ast.AST, ast.AST] = {}
        self.nodes: dict[tuple[int, int, int, int], ast.AST] = {}
        self.ends: dict[tuple[int, int], ast.AST] = {}
        self.classes: dict[str, ast.ClassDef] = {}
        self.functions: dict[str, list[ast.AST]] = {}
        self.calls: dict[str, list[ast.Call]] = {}  # last name of the callee -> calls
        self.passed: set[str] = set()  # names read otherwise than to call: f of map(f, rows)
        self.imported = MODULES | modules
        self.returned: dict[ast.AST, tuple[str, str]] = {}  # what `function_returning` has found
        self.bound: dict[str, list[ast.expr]] = {}  # `ops` or `self.F` -> assigned values
        self.assigned: set[str] = set()  # variables that a statement assigns
        self.attributes: set[str] = set()  # attributes of the user's objects: `self.encoder = ...`
        for node in ast.walk(tree):
            self.parents |= dict.fromkeys(ast.iter_child_nodes(node), node)
            self._index_node(node)
        self.spaces = self._find_namespaces()

    def _index_node(self, node: ast.AST) -> None:
        """Enter a node into the tables in which it will be looked up."""
        if isinstance(node, (ast.expr, ast.AugAssign, ast.For)):
            end = node.end_lineno or node.lineno, node.end_col_offset or 0
            self.nodes[node.lineno, end[0], node.col_offset, end[1]] = node
            if isinstance(node, (ast.Call, ast.Attribute)):
                self.ends[end] = node
        if isinstance(node, ast.Call):
            self.calls.setdefault(function_name(node), []).append(node)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self.functions.setdefault(node.name, []).append(node)
        if isinstance(node, ASSIGNMENTS) and node.value is not None:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                self.bound.setdefault(spell(target), []).append(node.value)
                if isinstance(node.value, ast.Lambda):
                    self.functions.setdefault(spell(target), []).append(node.value)
        is_callee = getattr(self.parents.get(node), "func", None) is node
        if isinstance(getattr(node, "ctx", None), ast.Load) and not is_callee:
            self.passed.add(node.id if isinstance(node, ast.Name) else getattr(node, "attr", ""))
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            self.assigned.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            self.attributes.add(node.attr)
        elif isinstance(node, ast.ClassDef):
            self.classes.setdefault(node.name, node)
            fields = [item.target for item in node.body if isinstance(item, ast.AnnAssign)]
            self.attributes |= {field.id for field in fields if isinstance(field, ast.Name)}
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            self.imported |= {(a.asname or a.name).partition(".")[0] for a in node.names}

    def _find_namespaces(self) -> set[str]:
        """Return the variables that hold modules or namespaces: `tt = paddle`."""
        found: set[str] = set()
        self.spaces = found
        while new := {
            name
            for name, values in self.bound.items()
            if name not in found and all(map(self._is_namespace, values))
        }:
            found |= new
        return found

    def _is_namespace(self, value: ast.expr) -> bool:
        """Return whether an expression's value is a module or a namespace."""
        if isinstance(value, ast.Call):
            return function_name(value) in NAMESPACES
        return spell(value) in self.imported | self.spaces or (
            isinstance(value, ast.Attribute)
            and isinstance(member_of(value), ModuleType)
            and self._is_module_attribute(value)
        )

    def at(self, place: SourceLine) -> ast.AST | None:
        """Return the expression, or assignment such as `x += y`, at an event's place, or None."""
        if place.span is None:
            return None
        _, line, _, column = place.span  # the end; the start differs for a chain over several lines
        return self.nodes.get(place.span) or self.ends.get((line, column))

    def method(self, owner: str, name: str) -> ast.AST | None:
        """Return the function or lambda that is a method of a class, or None if it is not known."""
        for item in self.classes[owner].body if owner in self.classes else ():
            if isinstance(item, ast.FunctionDef) and item.name == name:
                return item
            if isinstance(item, ast.Assign) and [*map(spell, item.targets)] == [name]:
                made = item.value
                if function_name(made) == "staticmethod" and isinstance(made, ast.Call):
                    made = made.args[0]
                functions = self.functions.get(spell(made), [])
                return made if isinstance(made, ast.Lambda) else next(iter(functions), None)
        return None

    def around(self, node: ast.AST) -> list[ast.AST]:
        """Return the nodes around a node, the innermost first."""
        outer = []
        while node in self.parents:
            node = self.parents[node]
            outer.append(node)
        return outer

    # ----- values of expressions -----------------------------------------------------------------

    def target(self, node: ast.AST) -> ast.expr | None:
        """Return the target of an expression's value, or the tensor that it changes in place."""
        changed = self.changed(node)
        if changed is not None:
            return changed
        parent = self.parents.get(node)
        while isinstance(parent, ast.IfExp) and node is not parent.test:
            node, parent = parent, self.parents.get(parent)
        if isinstance(node, ast.AugAssign):
            return node.target
        if isinstance(parent, ast.NamedExpr):
            return parent.target
        if isinstance(parent, ASSIGNMENTS) and parent.value is node:
            return parent.targets[-1] if isinstance(parent, ast.Assign) else parent.target
        if isinstance(parent, (ast.Tuple, ast.List)):
            return part_of(self.target(parent), node, parent.elts)
        return None

    def item(self, node: ast.AST) -> ast.expr | None:
        """Return the target of one item of an iterator: `x` of `for x in rows`, `i, x in
        enumerate(rows)` or `x = next(rows)`; None if there is none.
        """
        # The node is the loop or its iterable, depending on the span that Python reports.
        loop = node if isinstance(node, ast.For) else self.parents.get(node)
        if not isinstance(loop, LOOPS) or node not in (loop, loop.iter):
            return self.target(node)
        target: ast.expr | None = loop.target
        source = loop.iter
        if function_name(source) == "enumerate" and isinstance(source, ast.Call):
            target, source = unpack(target, "[1]")[0], source.args[0] if source.args else source
        name = source.func.id if is_named_call(source) else ""  # zip, tqdm: they change the items
        return None if hasattr(builtins, name) or name in self.imported else target

    def function_returning(self, node: ast.AST) -> tuple[str, str]:
        """Return the function that always returns an expression's value, and the value's place in
        the result: `[1]` for tanh(x) in `return x, tanh(x)`. Return two empty texts if none does.
        A lambda is the function of the variable that is only assigned the lambda.

        The value may first be assigned to a variable that is assigned only once.
        """
        if node not in self.returned:
            self.returned[node] = self._find_function_returning(node)
        return self.returned[node]

    def _find_function_returning(self, node: ast.AST) -> tuple[str, str]:
        function = next((each for each in self.around(node) if isinstance(each, FUNCTIONS)), None)
        if function is None:
            return "", ""
        inner = list(own_nodes(function))
        returned = [each.value for each in inner if isinstance(each, (ast.Return, ast.Yield))]
        name = getattr(function, "name", "")
        if isinstance(function, ast.Lambda):
            name = spell(self.target(function) or function)
            returned = [function.body] if self.bound.get(name) == [function] else []
        target = self.target(node)
        if isinstance(target, ast.Name):
            stored = [x for x in inner if isinstance(x, ast.Name) and x.id == target.id]
            if sum(isinstance(x.ctx, ast.Store) for x in stored) > 1:
                return "", ""
        paths = set()
        for value in filter(None, returned):
            parts = {"": value}
            if isinstance(value, (ast.Tuple, ast.List)):
                parts = {f"[{i}]": part for i, part in enumerate(value.elts)}
            same = (path for path, part in parts.items() if is_same(part, node, target))
            paths.add(next(same, None))
        path = paths.pop() if len(paths) == 1 else None
        return ("", "") if path is None else (name, path)

    def loop_variable(self, node: ast.AST) -> str:
        """Return the variable of a `while_loop` that a result of its body is next, or "": h of
        `while_loop(cond, lambda i, h: [i + 1, tanh(h)], [i, h])` for tanh(h).
        """
        for call in self.calls.get("while_loop", ()):
            given = {keyword.arg: keyword.value for keyword in call.keywords}
            body: ast.AST | None = given.get("body", call.args[1] if call.args[1:] else None)
            place = None
            if isinstance(body, ast.Lambda):
                made = body.body.elts if isinstance(body.body, (ast.Tuple, ast.List)) else ()
                place = next((at for at, each in enumerate(made) if each is node), None)
            elif isinstance(body, ast.Name):
                name, path = self.function_returning(node)
                functions = self.functions.get(body.id, [])
                is_body = name == body.id and len(functions) == 1
                body, place = (functions[0], int(path[1:-1])) if is_body and path else (None, None)
            names = parameters_of(body) if body and place is not None else []
            if place is not None and place < len(names):
                return names[place]
        return ""

    def functions_called(self, name: str) -> list[ast.Call]:
        """Return the calls of the user's function, or method, of this name."""
        return [
            call for call in self.calls.get(name, ()) if not self._is_module_attribute(call.func)
        ]

    def changed(self, node: ast.AST) -> ast.expr | None:
        """Return the tensor that `x.add_(y)`, `F.relu_(x)` or `x[0] = y` changes, or None."""
        if self.writes_elements(node):
            return node.value
        name = function_name(node)
        if not isinstance(node, ast.Call) or not name.endswith("_") or name.endswith("__"):
            return None
        if isinstance(node.func, ast.Attribute) and not self._is_module_attribute(node.func):
            return node.func.value if hasattr(self.tensor, name) else None
        # `clip_grad_norm_(net.parameters(), 1.0)` changes tensors that its argument leads to.
        return node.args[0] if node.args and is_in_paddle(name) else None

    def writes_elements(self, node: ast.AST) -> TypeGuard[ast.Subscript]:
        """Return whether a node is the left side of `x[0] = y` or `x[0] += y`."""
        return isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)

    def gives_tensors(self, node: ast.AST) -> bool:
        """Return whether a value may be a tensor.

        Calls of a class, as in `net = DataParallel(net)`, of methods that only `paddle.Model` has,
        as in `logs = model.evaluate(data)`, of `jacobian` and `hessian`, which compute later, and
        of built-in functions other than sum, abs, pow and round, as in
        `list(map(paddle.tanh, rows))`, return none.
        """
        function = node.func if isinstance(node, ast.Call) else None
        named = function.id if isinstance(function, ast.Name) else ""
        if named in ADDING:
            return True
        return not (
            hasattr(builtins, named)
            or self.calls_a_class(node)
            or function_name(node) in TRAINING | MATRICES
        )

    def is_matrix(self, node: ast.expr) -> bool:
        """Return whether a variable holds a result of `jacobian` or `hessian`."""
        values = self.bound.get(spell(node), [])
        return bool(values) and all(function_name(value) in MATRICES for value in values)

    def calls_sum(self, node: ast.AST) -> bool:
        """Return whether a node calls Python's sum, which adds to its own last result."""
        return is_named_call(node) and node.func.id == "sum" and "sum" not in self.imported

    def calls_a_class(self, node: ast.AST) -> bool:
        """Return whether a call makes an object of a class other than Tensor.

        A name such as `Categorical` that the code does not assign is that of a class.
        """
        name = function_name(node)
        ours = getattr(minipaddle, name) if name in names_of_paddle() else None
        if isinstance(ours, type) and issubclass(ours, Tensor):
            return False
        is_capital = re.match("[A-Z][a-z]", name) and name not in self.assigned
        return name in self.classes or isinstance(ours, type) or bool(is_capital)

    def repeats(self, node: ast.AST) -> bool:
        """Return whether the code may run more than once: it is in a loop or a function."""
        return any(isinstance(each, (*REPEATED, *COMPREHENSIONS)) for each in self.around(node))

    # ----- callees and operands of expressions ---------------------------------------------------

    def calls_an_object(self, node: ast.AST) -> bool:
        """Return whether a call may call an object of the user, not a library's function."""
        if not isinstance(node, ast.Call):
            return False
        if isinstance(node.func, ast.Name):
            return node.func.id not in self.imported and not hasattr(builtins, node.func.id)
        if isinstance(node.func, ast.Attribute):
            made = node.func.attr in self.attributes or node.func.attr == "apply"
            return made and not self._is_module_attribute(node.func)
        return True

    def callee(self, node: ast.AST | None, role: str = "", lasting: bool = False) -> str:
        """Spell the object that a call calls: `net`, `self.encoder`, `layers[0]`.

        With `lasting`, return "" for a parameter or a loop variable. A layer with a `role`, such as
        0, in a list or dict of layers is named by the role: `self.body.0`.
        """
        if not isinstance(node, ast.Call) or not self.calls_an_object(node):
            return ""
        row = self.row(node.func) if role else ""
        if row.startswith("self."):
            return f"{row}.{role}"
        return "" if lasting and self.is_passing(node.func) else spell(node.func)

    def row(self, node: ast.expr) -> str:
        """Spell the list or dict of which an expression is an item."""
        if isinstance(node, ast.Subscript):
            return spell(node.value)
        loop = self.loop_of(node)
        rows = loop.iter if loop else node
        if function_name(rows) == "enumerate" and isinstance(rows, ast.Call) and rows.args:
            rows = rows.args[0]
        if function_name(rows) in ("values", "items") and isinstance(rows, ast.Call):
            rows = rows.func.value if isinstance(rows.func, ast.Attribute) else rows
        return spell(rows) if loop else ""

    def is_known(self, node: ast.AST) -> bool:
        """Return whether an expression is an operator or a call of a Paddle function, which reads
        its arguments from left to right.
        """
        return not isinstance(node, ast.Call) or is_in_paddle(function_name(node))

    def operands(self, node: ast.AST, of_layer: bool) -> list[ast.expr] | None:
        """Return the expressions that may give tensors to an op or a layer; None if unknown.

        They include the owner of a method if tensors have a method of that name.
        """
        if isinstance(node, ast.BinOp):
            given: list[ast.expr] = [node.left, node.right]
        elif isinstance(node, ast.AugAssign):
            given = [node.target, node.value]
        elif isinstance(node, ast.Compare):
            given = [node.left, *node.comparators]
        elif isinstance(node, ast.UnaryOp):
            given = [node.operand]
        elif isinstance(node, (ast.Subscript, ast.Attribute)):
            given = [] if self.is_matrix(node.value) else [node.value]
        elif isinstance(node, ast.Call):
            if of_layer and not self.calls_an_object(node):
                return None
            return self._list_arguments(node, of_layer)
        else:
            return None
        return self._flatten_operands(given)

    def ends_in_a_number(self, node: ast.AST) -> bool:
        """Return whether a node is an operator with a number on its right side: `n > 1`."""
        if isinstance(node, ast.Compare):
            return isinstance(node.comparators[-1], ast.Constant)
        right = {ast.BinOp: "right", ast.AugAssign: "value"}.get(type(node), "")
        return isinstance(getattr(node, right, None), ast.Constant)

    def calls_a_method(self, node: ast.AST) -> TypeGuard[ast.Call]:
        """Return whether a node may call a tensor's method: `x.sum()`, not `paddle.sum(x)`."""
        function = node.func if isinstance(node, ast.Call) else None
        if not isinstance(function, ast.Attribute) or not hasattr(self.tensor, function.attr):
            return False
        values = self.bound.get(spell(function.value), [])
        made_by = [function_name(value) for value in values]  # a class: `scaler = GradScaler()`
        is_other = made_by and all(word[:1].isupper() and word != "Tensor" for word in made_by)
        return not (is_other or self._is_module_attribute(function))

    def _list_arguments(self, call: ast.Call, of_layer: bool) -> list[ast.expr] | None:
        """Return a call's arguments, and first the owner of a tensor's method; None if their order
        is not known.
        """
        function, owner = call.func, []
        if isinstance(function, ast.Name) and hasattr(builtins, function.id):
            return None  # `max(x, y)` reads y first
        if not of_layer and self.calls_a_method(call):
            owner = [function.value]  # type: ignore[attr-defined]
        named = self._flatten_operands([keyword.value for keyword in call.keywords])
        given = self._flatten_operands([*owner, *call.args])
        if named is None or given is None or (len(named) > 1 and not of_layer):
            return None
        return given + named

    def _flatten_operands(self, given: list[ast.expr]) -> list[ast.expr] | None:
        """Return the expressions that may be tensors, lists replaced by their items; None if one is
        starred or a comprehension.
        """
        flat: list[ast.expr] = []
        for one in given:
            if isinstance(one, (ast.Starred, *COMPREHENSIONS)):
                return None
            if isinstance(one, (ast.List, ast.Tuple)):
                inner = self._flatten_operands(one.elts)
                if inner is None:
                    return None
                flat += inner
            elif not isinstance(one, (ast.Constant, ast.JoinedStr, ast.Lambda, ast.Slice)):
                negative = isinstance(one, ast.UnaryOp) and isinstance(one.operand, ast.Constant)
                if not negative and not self._is_module_attribute(one):
                    flat.append(one)
        return flat

    def _is_module_attribute(self, node: ast.expr) -> bool:
        """Return whether a node is an attribute of a module, such as `paddle.float32`."""
        while isinstance(node, ast.Attribute):
            node = node.value
            if spell(node) in self.imported | self.spaces:
                return True
        return False

    def loop_of(self, node: ast.expr) -> ast.For | ast.AsyncFor | ast.comprehension | None:
        """Return the loop around a variable that assigns the variable, or None."""
        if not isinstance(node, ast.Name):
            return None
        for around in (node, *self.around(node)):
            for loop in around.generators if isinstance(around, COMPREHENSIONS) else [around]:
                if isinstance(loop, LOOPS) and node.id in variables_in(loop.target):
                    return loop
        return None

    def is_passing(self, node: ast.expr) -> bool:
        """Return whether a node names a parameter or a loop variable that is not assigned again."""
        if not isinstance(node, ast.Name):
            return False
        binding = (each for each in self.around(node) if node.id in names_bound_by(each))
        around = next(binding, None)
        return around is not None and not any(
            isinstance(inner, ast.Name)
            and inner.id == node.id
            and isinstance(inner.ctx, ast.Store)
            and not isinstance(self.parents[inner], LOOPS)
            for inner in ast.walk(around)
        )


def part_of(target: ast.expr | None, node: ast.AST, given: Sequence[ast.expr]) -> ast.expr | None:
    """Return the target of one of the given expressions: `b` for x in `a, b = 1, x`, or None."""
    if not isinstance(target, (ast.Tuple, ast.List)) or len(target.elts) != len(given):
        return None
    pairs = list(zip(target.elts, given, strict=True))
    if any(isinstance(each, ast.Starred) for pair in pairs for each in pair):
        return None
    return next(each for each, one in pairs if one is node)


def member_of(node: ast.Attribute) -> object:
    """Return the member of Paddle, or of its nn, with the attribute's name, or None."""
    if node.attr in names_of_paddle():
        return getattr(minipaddle, node.attr)
    return vars(minipaddle.nn).get(node.attr)


def unpack(target: ast.expr | None, path: str) -> tuple[ast.expr | None, str]:
    """Return the target that receives the part at a path, and the rest of the path.

    The part `[1][0]` of the value in `x, y = ...` is `[0]` of y.
    """
    while isinstance(target, (ast.Tuple, ast.List)):
        index, bracket, rest = path.removeprefix("[").partition("]")
        whole = bracket and index.isdigit() and int(index) < len(target.elts)
        if not whole or any(isinstance(each, ast.Starred) for each in target.elts):
            return None, path
        target, path = target.elts[int(index)], rest
    return target, path


def is_gradient(node: ast.expr) -> TypeGuard[ast.Attribute]:
    """Return whether a node is an attribute `grad`, such as `w.grad`."""
    return isinstance(node, ast.Attribute) and node.attr == "grad"


def names_bound_by(node: ast.AST) -> list[str]:
    """Return the parameters of a function, or the variables of a loop or a comprehension."""
    if isinstance(node, COMPREHENSIONS):
        return [name for each in node.generators for name in variables_in(each.target)]
    if isinstance(node, (ast.For, ast.AsyncFor)):
        return variables_in(node.target)
    return parameters_of(node)


def loop_variables(text: str) -> set[str]:
    """Return the variables that code outside functions assigns only as targets of `for` loops.

    >>> sorted(loop_variables("for p in rows: w = p\\nfor x, y in pairs: x = 1"))
    ['p', 'y']
    """
    loops: set[str] = set()
    others: set[str] = set()
    todo: list[ast.AST] = [parse(text)]
    for node in todo:
        inner = list(ast.iter_child_nodes(node))
        if isinstance(node, (ast.For, ast.AsyncFor)):
            loops.update(variables_in(node.target))
            inner.remove(node.target)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            others.add(node.id)
        todo += [one for one in inner if not isinstance(one, (*FUNCTIONS, *COMPREHENSIONS))]
    return loops - others


def own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes inside a function, but not those inside its inner functions."""
    for node in ast.iter_child_nodes(function):
        yield node
        if not isinstance(node, FUNCTIONS):
            yield from own_nodes(node)


def is_same(part: ast.expr, node: ast.AST, target: ast.expr | None) -> bool:
    """Return whether a returned part is the expression `node`, or its target variable."""
    named = isinstance(part, ast.Name) and isinstance(target, ast.Name) and part.id == target.id
    return part is node or named


def variables_in(node: ast.AST) -> list[str]:
    return [name.id for name in ast.walk(node) if isinstance(name, ast.Name)]


def parameters_of(function: ast.AST) -> list[str]:
    """Return the names of a function's parameters, in order, without * and ** parameters."""
    arguments = getattr(function, "args", None)
    if not isinstance(arguments, ast.arguments):
        return []
    return [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]


def argument_names(function: ast.AST, settings: Collection[str], count: int) -> list[str]:
    """Return the names of a function's arguments without `settings`, after the first; [] if these
    are not `count`.

    An item of `*args` is named `args[0]`, or by the variable to which the function assigns it.
    """
    arguments = getattr(function, "args", None)
    if not isinstance(arguments, ast.arguments):
        return []
    before = [each.arg for each in (*arguments.posonlyargs, *arguments.args)]
    names = [name for name in before[1:] if name not in settings]
    after = [each.arg for each in arguments.kwonlyargs if each.arg not in settings]
    if arguments.vararg:
        row, is_first = arguments.vararg.arg, not before  # of `*args`, the first is the context
        total = is_first + count - len(names) - len(after)
        total += sum(name.startswith(f"{row}[") for name in settings)
        items = [f"{row}[{at}]" for at in range(is_first, total)]
        own = assigned_items(function, row, total)
        names += [own.get(item, item) for item in items if item not in settings]
    names += after
    return names if len(names) == count else []


def assigned_items(function: ast.AST, row: str, count: int) -> dict[str, str]:
    """Return `args[0]` -> x for `x, y = args` of a row of `count` items, or `x = args[0]`."""
    found: dict[str, str] = {}
    for node in own_nodes(function):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target, value = node.targets[0], ast.unparse(node.value)
            if value == row and isinstance(target, (ast.Tuple, ast.List)):
                names = [*map(spell, target.elts)]  # "" for a starred one
                if len(names) == count and all(names):
                    found |= {f"{row}[{at}]": name for at, name in enumerate(names)}
            elif value.startswith(f"{row}[") and isinstance(target, ast.Name):
                found.setdefault(value, target.id)
    return found


@cache
def code_of(text: str, modules: frozenset[str] = frozenset(), tensor: type = Tensor) -> Code:
    return Code(text, modules, tensor)


def parse(text: str) -> ast.Module:
    """Parse code; return an empty module if it is no Python (a cell with magics, a lost file)."""
    plain = "\n".join("" if line.startswith(("%", "!")) else line for line in text.split("\n"))
    try:
        return ast.parse(plain)
    except (SyntaxError, ValueError):
        return ast.Module([], [])


def function_name(node: ast.AST | None) -> str:
    """Return the last name of the callee of a call: `tanh` for `paddle.tanh(x)`, or ""."""
    function = getattr(node, "func", None)
    return str(getattr(function, "attr", None) or getattr(function, "id", ""))


def spell(node: ast.expr) -> str:
    """Spell `y`, `self.y`, `rows[0]` or `x.detach()`; return "" for anything else and for `_`."""
    if isinstance(node, ast.Name):
        return "" if node.id == "_" else node.id
    if isinstance(node, ast.Attribute):
        return ast.unparse(node) if spell(node.value) else ""
    inner: ast.expr | None = None
    if isinstance(node, ast.Subscript) and isinstance(node.slice, (ast.Constant, ast.Name)):
        inner = node.value
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        inner = None if node.args or node.keywords else node.func
    text = ast.unparse(node) if inner is not None and spell(inner) else ""
    return text if len(text) <= LONGEST else ""


def is_named_call(node: ast.AST) -> TypeGuard[Any]:
    """Return whether a node is a call of a function by its bare name."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name)


def receiver(call: ast.Call) -> ast.expr:
    """Return the innermost object on which a call is made: `x` for `x.abs().sum()`."""
    inner: ast.expr = call
    while isinstance(inner, (ast.Call, ast.Attribute)):
        inner = inner.func if isinstance(inner, ast.Call) else inner.value
    return inner


def spell_formula(node: ast.expr) -> str:
    """Spell a short call of a function by its bare name or a short formula, or return "".

    >>> spell_formula(ast.parse("normalise(x)", mode="eval").body)
    'normalise(x)'
    >>> spell_formula(ast.parse("(h*h)", mode="eval").body)
    'h * h'
    """
    if isinstance(node, ast.BinOp):
        parts = [node.left, node.right]
    elif is_named_call(node) and not node.keywords:
        parts = node.args
    else:
        return ""
    text = ast.unparse(node)
    spelled = all(spell(part) or isinstance(part, ast.Constant) for part in parts)
    return text if spelled and len(text) <= LONGEST else ""


def pair_names(target: ast.expr, things: object) -> Iterator[tuple[str, object]]:
    """Yield each named target of an assignment and the thing that is assigned to it."""
    if isinstance(target, (ast.Tuple, ast.List)):
        if isinstance(things, (tuple, list)) and len(target.elts) == len(things):
            for part, thing in zip(target.elts, things, strict=True):
                yield from pair_names(part, thing)
        return
    is_key = isinstance(target, ast.Subscript) and isinstance(
        getattr(target.slice, "value", None), str
    )  # `x[0] = y` writes into a tensor: y does not get this name
    name = spell(target) if is_key or not isinstance(target, ast.Subscript) else ""
    if name:
        yield name, things
