"""Small faults that can be planted in a Python file, one at a time: each replaces a piece of a function's text.

Comparisons and their boundaries, `and`/`or`/`not`, conditions, arithmetic, numbers and truth values, swapped
arguments, `min`/`max`, changes that `replace` is not told, statements left out, values not returned. Words
(f-strings, what is raised), annotations, defaults and what stands outside functions are left alone.
"""

from __future__ import annotations

import ast
from copy import copy
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_COMPARED: dict[type[ast.cmpop], tuple[ast.cmpop, ...]] = {
    ast.Lt: (ast.LtE(), ast.GtE()),
    ast.LtE: (ast.Lt(), ast.Gt()),
    ast.Gt: (ast.GtE(), ast.LtE()),
    ast.GtE: (ast.Gt(), ast.Lt()),
    ast.Eq: (ast.NotEq(),),
    ast.NotEq: (ast.Eq(),),
    ast.In: (ast.NotIn(),),
    ast.NotIn: (ast.In(),),
    ast.Is: (ast.IsNot(),),
    ast.IsNot: (ast.Is(),),
}
_COUNTED: dict[type[ast.operator], ast.operator] = {
    ast.Add: ast.Sub(),
    ast.Sub: ast.Add(),
    ast.Mult: ast.FloorDiv(),
    ast.Div: ast.Mult(),
    ast.FloorDiv: ast.Mult(),
    ast.Mod: ast.FloorDiv(),
    ast.BitAnd: ast.BitOr(),
    ast.BitOr: ast.BitAnd(),
}
_TWINS = {"min": "max", "max": "min", "any": "all", "all": "any"}
_CHANGING = ("replace", "_with_seat")
_Function = ast.FunctionDef | ast.AsyncFunctionDef


class Mutant(NamedTuple):
    """A fault: the bytes from `start` to `end` of a file become `after`. `function` is where, for people.

    `text`: the file as it was read; it may change while faults are planted.
    """

    file: Path
    line: int
    function: str
    start: int
    end: int
    after: str
    text: bytes

    def source(self) -> str:
        """Return the whole file with the fault in it."""
        return (self.text[: self.start] + self.after.encode() + self.text[self.end :]).decode()

    def change(self) -> str:
        """Return the fault in one line that stays the same when the file grows elsewhere."""
        return f"{self.function}: {_line(self.text[self.start : self.end].decode())} -> {_line(self.after)}"


def mutants(file: Path) -> list[Mutant]:
    """Return every fault of a file, in the order of its text."""
    text = file.read_bytes()
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    faults = []
    for function, node in _places(ast.parse(text), ""):
        for place, changed in _changes(node):
            start = starts[place.lineno - 1] + place.col_offset
            end = starts[(place.end_lineno or 0) - 1] + (place.end_col_offset or 0)
            after = ast.unparse(changed)
            after = f"({after})" if isinstance(changed, ast.expr) else after
            faults.append(Mutant(file, place.lineno, function, start, end, after, text))
    return faults


def _changes(node: ast.expr | ast.stmt) -> Iterator[tuple[ast.expr | ast.stmt, ast.expr | ast.stmt]]:
    if not isinstance(node, ast.If | ast.While):
        yield from ((node, changed) for changed in _faults(node))
    elif not isinstance(node.test, ast.Compare | ast.UnaryOp):
        # A comparison or a `not` is turned round where it stands.
        yield node.test, ast.UnaryOp(ast.Not(), node.test)


def _places(node: ast.AST, function: str) -> Iterator[tuple[str, ast.expr | ast.stmt]]:
    """Return all nodes inside functions that may be changed, each with its function's name."""
    if isinstance(node, _Function | ast.ClassDef):
        inside = f"{function}.{node.name}" if function else node.name
        for each in node.body:
            if isinstance(node, _Function) or isinstance(each, _Function | ast.ClassDef):
                yield from _places(each, inside)
        return
    if function and isinstance(node, ast.expr | ast.stmt) and not isinstance(node, ast.JoinedStr):
        yield function, node
    if not isinstance(node, ast.Raise | ast.JoinedStr):
        for child in _parts(node):
            if function or isinstance(child, _Function | ast.ClassDef):
                yield from _places(child, function)


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    for field, value in ast.iter_fields(node):
        # That what goes together is of one length, nobody can find wrong.
        if field != "annotation" and not (isinstance(node, ast.keyword) and node.arg == "strict"):
            yield from (
                child for child in (value if isinstance(value, list) else [value]) if isinstance(child, ast.AST)
            )


def _faults(node: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    if isinstance(node, ast.stmt):
        yield from _wrong_statements(node)
    elif isinstance(node, ast.Call):
        yield from _wrong_calls(node)
    elif isinstance(node, ast.GeneratorExp | ast.ListComp | ast.SetComp | ast.DictComp):
        yield from _unfiltered(node)
    elif isinstance(node, ast.BinOp | ast.Constant):
        yield from _wrong_numbers(node)
    else:
        yield from _wrong_logic(node)


def _wrong_logic(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.Compare):
        for at, kind in enumerate(node.ops):
            for other in _COMPARED[type(kind)]:
                yield _with(node, ops=[*node.ops[:at], other, *node.ops[at + 1 :]])
    elif isinstance(node, ast.BoolOp):
        yield _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
        for at in range(len(node.values)):
            operands = [*node.values[:at], *node.values[at + 1 :]]
            yield operands[0] if len(operands) == 1 else _with(node, values=operands)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield node.operand
    elif isinstance(node, ast.IfExp):
        yield _with(node, test=ast.UnaryOp(ast.Not(), node.test))


def _wrong_numbers(node: ast.BinOp | ast.Constant) -> Iterator[ast.expr]:
    if isinstance(node, ast.BinOp):
        if type(node.op) in _COUNTED:
            yield _with(node, op=_COUNTED[type(node.op)])
        if isinstance(node.op, ast.BitOr | ast.Add | ast.Sub):
            yield node.left
    elif isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node.value, int):
        yield ast.Constant(node.value + 1)


def _unfiltered(node: ast.GeneratorExp | ast.ListComp | ast.SetComp | ast.DictComp) -> Iterator[ast.expr]:
    for at, loop in enumerate(node.generators):
        if loop.ifs:
            loops = [*node.generators[:at], _with(loop, ifs=[]), *node.generators[at + 1 :]]
            yield _with(node, generators=loops)


def _wrong_calls(node: ast.Call) -> Iterator[ast.expr]:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if name in _TWINS:
        yield _with(node, func=ast.Name(_TWINS[name]))
    if name in _CHANGING:
        for at in range(len(node.keywords)):
            yield _with(node, keywords=[*node.keywords[:at], *node.keywords[at + 1 :]])
    elif (
        len(node.args) > 1
        and name not in ("isinstance", *_TWINS)
        and ast.dump(node.args[0]) != ast.dump(node.args[1])
    ):
        yield _with(node, args=[node.args[1], node.args[0], *node.args[2:]])


def _wrong_statements(node: ast.stmt) -> Iterator[ast.expr | ast.stmt]:
    is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    if isinstance(node, ast.AugAssign | ast.Raise | ast.Delete | ast.Continue | ast.Break) or (
        isinstance(node, ast.Expr) and not is_docstring
    ):
        yield ast.Pass()
    elif isinstance(node, ast.Return) and node.value is not None and not isinstance(node.value, ast.Constant):
        yield ast.Return(ast.Constant(None))


def _with(node: ast.AST, **fields: object) -> ast.expr:
    changed = copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed  # type: ignore[return-value]


def _line(text: str) -> str:
    return " ".join(text.split())
