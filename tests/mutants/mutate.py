"""Finding the mutants of a source file: one small change of its syntax tree each, on nothing but ``ast``.

Changes that give the bytecode of the original, or that of an earlier mutant, are left out.
"""

from __future__ import annotations

import ast
import copy
import marshal
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import CodeType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "terracotta_env.army"
FOLDER = ROOT / "terracotta_env" / "army"
RULES = (
    "geometry", "mausoleum", "inspectors", "wheel", "warriors", "specialists", "rings", "masters", "legal", "apply",
    "scoring", "cleanup", "endgame", "setup", "verbs",
)  # fmt: skip

COMPARE: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq, ast.GtE),
    ast.NotEq: (ast.Eq, ast.Lt),
}
BINARY: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.FloorDiv, ast.Add),
    ast.Div: (ast.Mult, ast.FloorDiv),
    ast.FloorDiv: (ast.Mult, ast.Mod),
    ast.Mod: (ast.FloorDiv, ast.Mult),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
    ast.BitXor: (ast.BitAnd, ast.BitOr),
    ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,),
}
ENUMS = {
    "Decision", "Master", "Ring", "Source", "Space", "Specialist", "Tile", "Warrior", "Weapon", "Worker",
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """One change.  ``function`` is the kernel it is in, "" for code that runs while the module is imported."""

    module: str
    line: int
    last_line: int
    function: str
    operator: str
    was: str
    now: str
    index: int  # of the change among all changes of the file: how `Source.code` finds it again

    @property
    def file(self) -> str:
        return f"{self.module}.py"

    @property
    def key(self) -> str:
        return _key(self.module, self.line, self.was, self.now)


@dataclass(frozen=True)
class _Change:
    parent: ast.AST
    field: str
    place: int | None
    node: ast.AST
    new: ast.AST
    operator: str
    unit: ast.stmt
    statement: ast.stmt

    def swap(self, node: ast.AST) -> None:
        if self.place is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.place] = node


class Source:
    """A source file and its mutants."""

    def __init__(self, module: str, path: Path | None = None) -> None:
        self.module = module
        self.path = path or FOLDER / f"{module}.py"
        self.tree = ast.parse(self.path.read_text(encoding="utf-8"))
        self.enums = _enum_members(self.path.parent / "state.py")
        self._changes = list(self._find_changes())

    @cached_property
    def mutants(self) -> list[Mutant]:
        found = []
        seen: set[bytes] = set()
        originals = {id(unit): _bytecode(_compile([unit], self.path)) for unit in self.tree.body}
        for index, change in enumerate(self._changes):
            was = _text(change.statement)
            change.swap(change.new)
            try:
                code = _bytecode(_compile([change.unit], self.path))
                now = _text(change.new if change.node is change.statement else change.statement)
            except (SyntaxError, ValueError):  # e.g. `break` outside a loop
                continue
            finally:
                change.swap(change.node)
            if code == originals[id(change.unit)] or code in seen:
                continue
            seen.add(code)
            last = _header_end(change.statement)
            name = _kernel_name(change.unit)
            line = change.statement.lineno
            found.append(Mutant(self.module, line, last, name, change.operator, was, now, index))
        return found

    def all_keys(self) -> set[str]:
        """Keys of all changes, those left out as well: what is left out differs between versions of Python."""
        found = set()
        for change in self._changes:
            was = _text(change.statement)
            change.swap(change.new)
            now = _text(change.new if change.node is change.statement else change.statement)
            change.swap(change.node)
            found.add(_key(self.module, change.statement.lineno, was, now))
        return found

    def code(self, mutant: Mutant) -> CodeType:
        """The mutated code: of the kernel, or of the whole module where the change is outside the kernels."""
        change = self._changes[mutant.index]
        change.swap(change.new)
        try:
            code = _compile([change.unit] if mutant.function else self.tree.body, self.path)
        finally:
            change.swap(change.node)
        if not mutant.function:
            return code
        return next(c for c in code.co_consts if isinstance(c, CodeType) and c.co_name == mutant.function)

    def _find_changes(self) -> Iterator[_Change]:
        for unit in self.tree.body:
            if isinstance(unit, ast.Import | ast.ImportFrom) or _is_text(unit):
                continue
            yield from self._walk(unit, unit, unit)

    def _walk(self, node: ast.AST, unit: ast.stmt, statement: ast.stmt) -> Iterator[_Change]:
        for field, value in ast.iter_fields(node):
            if field in ("decorator_list", "annotation", "returns", "args") and not isinstance(node, ast.Call):
                continue
            children = value if isinstance(value, list) else [value]
            for place, child in enumerate(children):
                if not isinstance(child, ast.AST) or (isinstance(child, ast.stmt) and _is_text(child)):
                    continue
                here = child if isinstance(child, ast.stmt) else statement
                for operator, new in self._variants(child, node, unit):
                    ast.copy_location(new, child)
                    ast.fix_missing_locations(new)
                    index = place if isinstance(value, list) else None
                    yield _Change(node, field, index, child, new, operator, unit, here)
                yield from self._walk(child, unit, here)
        if node is unit and isinstance(unit, ast.Expr):  # a call at module level
            place = self.tree.body.index(unit)
            new = ast.copy_location(ast.Pass(), unit)
            yield _Change(self.tree, "body", place, unit, new, "delete", unit, unit)

    def _variants(self, node: ast.AST, parent: ast.AST, unit: ast.stmt) -> Iterator[tuple[str, ast.AST]]:
        """What ``node`` may be changed to."""
        if isinstance(node, ast.Compare):
            for i, op in enumerate(node.ops):
                for other in COMPARE.get(type(op), ()):
                    ops = [*node.ops[:i], other(), *node.ops[i + 1 :]]
                    yield "compare", _with(node, ops=ops)
        elif isinstance(node, ast.BinOp):
            for operation in BINARY.get(type(node.op), ()):
                yield "binary", _with(node, op=operation())
        elif isinstance(node, ast.BoolOp):
            yield "boolean", _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
            for i in range(len(node.values)):
                rest = [*node.values[:i], *node.values[i + 1 :]]
                yield "boolean", copy.deepcopy(rest[0]) if len(rest) == 1 else _with(node, values=rest)
        elif isinstance(node, ast.UnaryOp):
            yield "unary", copy.deepcopy(node.operand)
        elif isinstance(node, ast.Constant):
            yield from _constants(node)
        elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name | ast.Attribute):
            yield from _indices(node)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ENUMS:
            members = self.enums[node.value.id]
            yield "enum", _with(node, attr=members[(members.index(node.attr) + 1) % len(members)])
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield from _calls(node)
        elif isinstance(node, ast.IfExp):
            yield "condition", copy.deepcopy(node.body)
            yield "condition", copy.deepcopy(node.orelse)
        if isinstance(node, ast.stmt):
            yield from _statements(node)


def _key(module: str, line: int, was: str, now: str) -> str:
    return f"{module}.py:{line} {was} -> {now}"


def _constants(node: ast.Constant) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(node.value, bool):
        yield "constant", ast.Constant(not node.value)
    elif isinstance(node.value, int):
        for value in dict.fromkeys((node.value + 1, node.value - 1, 0, 1)):
            if value != node.value:
                yield "constant", ast.Constant(value)


def _indices(node: ast.Subscript) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(node.slice, ast.Tuple) and len(node.slice.elts) == 2:
        first, second = node.slice.elts
        yield "index", _with(node, slice=_with(node.slice, elts=[second, first]))
        for elements in ([_less_one(first), second], [first, _less_one(second)]):
            yield "index", _with(node, slice=_with(node.slice, elts=elements))
    elif not isinstance(node.slice, ast.Constant | ast.Slice):
        yield "index", _with(node, slice=_less_one(node.slice))


def _calls(node: ast.Call) -> Iterator[tuple[str, ast.AST]]:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if name in ("min", "max"):
        yield "call", _with(node, func=ast.Name("max" if name == "min" else "min", ast.Load()))
        for argument in node.args:
            yield "call", copy.deepcopy(argument)
    elif name == "range":
        for i, bound in enumerate(node.args):
            for operation in (ast.Add(), ast.Sub()):
                new = ast.BinOp(copy.deepcopy(bound), operation, ast.Constant(1))
                yield "range", _with(node, args=[*node.args[:i], new, *node.args[i + 1 :]])


def _statements(node: ast.stmt) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(node, ast.Assign | ast.AugAssign | ast.Expr | ast.Break | ast.Continue):
        yield "delete", ast.Pass()
    if isinstance(node, ast.AugAssign):
        for operation in BINARY.get(type(node.op), ()):
            yield "augmented", _with(node, op=operation())
        yield "augmented", ast.Assign([copy.deepcopy(node.target)], copy.deepcopy(node.value))
    elif isinstance(node, ast.Break):
        yield "loop", ast.Continue()
    elif isinstance(node, ast.Continue):
        yield "loop", ast.Break()
    elif isinstance(node, ast.If):
        yield "condition", _with(node, test=ast.Constant(True))
        yield "condition", _with(node, test=ast.Constant(False))
    elif isinstance(node, ast.While):
        yield "loop", _with(node, test=ast.Constant(False))
        yield "loop", _with(node, body=[*node.body, ast.Break()])
    elif isinstance(node, ast.For):
        yield "loop", _with(node, iter=ast.Tuple([], ast.Load()))
        yield "loop", _with(node, body=[*node.body, ast.Break()])
    elif isinstance(node, ast.Return) and node.value is None:
        yield "delete", ast.Pass()
    elif isinstance(node, ast.Return) and node.value is not None:
        if isinstance(node.value, ast.Compare | ast.BoolOp):
            yield "return", ast.Return(ast.Constant(True))
            yield "return", ast.Return(ast.Constant(False))
        elif not (isinstance(node.value, ast.Constant) and isinstance(node.value.value, bool)):
            yield "return", ast.Return(ast.Constant(0))
            more = ast.BinOp(copy.deepcopy(node.value), ast.Add(), ast.Constant(1))
            yield "return", ast.Return(more)


def _with(node: Any, **fields: Any) -> Any:
    new = copy.deepcopy(node)
    for name, value in fields.items():
        setattr(new, name, copy.deepcopy(value))
    return new


def _less_one(node: ast.expr) -> ast.expr:
    return ast.BinOp(copy.deepcopy(node), ast.Sub(), ast.Constant(1))


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _kernel_name(node: ast.stmt) -> str:
    """Name of a function decorated with ``@kernel``, "" for anything else."""
    if not isinstance(node, ast.FunctionDef):
        return ""
    decorators = [decorator.id for decorator in node.decorator_list if isinstance(decorator, ast.Name)]
    return node.name if "kernel" in decorators else ""


def _header_end(statement: ast.stmt) -> int:
    """Last line of a statement, without its body."""
    if isinstance(statement, ast.If | ast.While):
        return statement.test.end_lineno or statement.lineno
    if isinstance(statement, ast.For):
        return statement.iter.end_lineno or statement.lineno
    return statement.end_lineno or statement.lineno


def _text(node: ast.AST) -> str:
    """Source of a statement on one line, of a compound one only its head (and whether a ``break`` ends its body)."""
    if isinstance(node, ast.If | ast.While | ast.For):
        ends = isinstance(node.body[-1], ast.Break) and not isinstance(node, ast.If)
        head = _with(node, body=[ast.Pass()], orelse=[])
        return ast.unparse(head).splitlines()[0] + (" ... break" if ends else "")
    return " ".join(ast.unparse(node).split())


def _compile(body: list[ast.stmt], path: Path) -> CodeType:
    return compile(ast.Module(body, []), str(path), "exec", dont_inherit=True)


def _bytecode(code: CodeType) -> bytes:
    """Everything that runs, without line numbers."""
    consts = tuple(_bytecode(c) if isinstance(c, CodeType) else (type(c).__name__, c) for c in code.co_consts)
    return marshal.dumps((code.co_code, consts, code.co_names, code.co_varnames, code.co_exceptiontable))


def _enum_members(path: Path) -> dict[str, list[str]]:
    members: dict[str, list[str]] = {}
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef) and node.name in ENUMS:
            targets = [statement.targets[0] for statement in node.body if isinstance(statement, ast.Assign)]
            members[node.name] = [target.id for target in targets if isinstance(target, ast.Name)]
    return members


def find_mutants() -> list[Mutant]:
    """All mutants of all files of the rules."""
    return [mutant for module in RULES for mutant in Source(module).mutants]
