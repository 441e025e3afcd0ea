"""The user's source as syntax: which statement stores into a name, and which names it reads.

Owns the reading of source files; must not know torch, graphs or frames. Pure but for reading.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

_ADDING: Final = frozenset(
    (
        "append",
        "appendleft",
        "extend",
        "extendleft",
        "add",
        "insert",
        "update",
        "put",
        "push",
        "setdefault",
        "put_nowait",
        "store",
        "record",
    )
)
"""Methods by which things get into a container."""

_FRESH: Final = frozenset(
    (
        "zeros",
        "ones",
        "empty",
        "full",
        "randn",
        "rand",
        "zeros_like",
        "ones_like",
        "tensor",
        "detach",
        "item",
        "init_hidden",
        "numpy",
        "tolist",
        "list",
        "dict",
        "deque",
        "set",
        "defaultdict",
        "OrderedDict",
    )
)
"""Calls whose result carries no graph: what is stored so is not what leaks."""

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(frozen=True, slots=True)
class Store:
    """A statement that puts something under a name."""

    file: str
    line: int
    end_line: int
    code: str
    """Its source, joined into one line."""
    node: ast.stmt
    function: str
    """The innermost function around it; empty at module level."""
    owner: str
    """The class around it, if any."""
    in_loop: bool
    how: str
    """"assign", "augment" or the method's name."""
    fresh: bool
    """What it stores can carry no graph."""
    key: str | None = None
    """Under which constant key of a container, as Python writes it: "'loss'"."""

    @property
    def accumulates(self) -> bool:
        """Whether what was there before stays in it: an addition, or x = f(x)."""
        if self.how != "assign":
            return True
        value = getattr(self.node, "value", None)
        targets = getattr(self.node, "targets", ())
        return value is not None and any(ast.unparse(t) in reads(value) for t in targets)


@lru_cache(maxsize=64)
def _tree(file: str) -> ast.Module | None:
    """The syntax tree of a file; None if it has no source or does not parse."""
    lines = linecache.getlines(file)
    try:
        return ast.parse("".join(lines)) if lines else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def source_line(file: str, line: int) -> str | None:
    """The line as written, stripped; None where there is no source."""
    return linecache.getline(file, line).strip() or None


def statement_at(file: str, line: int) -> ast.stmt | None:
    """The innermost simple statement that covers the line."""
    tree = _tree(file)
    if tree is None:
        return None
    best: ast.stmt | None = None
    for node in ast.walk(tree):
        if not isinstance(node, ast.stmt) or not _covers(node, line):
            continue
        if best is None or node.lineno >= best.lineno:
            best = node
    return best


def code_of(file: str, node: ast.stmt) -> str:
    """The statement's own text in one line; of a compound statement, its head."""
    last = node.end_lineno or node.lineno
    body = getattr(node, "body", None)
    if body:
        last = max(node.lineno, body[0].lineno - 1)
    lines = [linecache.getline(file, n).strip() for n in range(node.lineno, last + 1)]
    return " ".join(line for line in lines if line)


def stores(file: str, name: str, *, attribute: bool) -> list[Store]:
    """Every statement of the file that stores into a variable, or into an attribute, so named."""
    tree = _tree(file)
    if tree is None:
        return []
    found = []
    for node, around in _statements(tree, ()):
        how = _how(node, name, attribute=attribute)
        if how is not None:
            found.append(_store(file, node, around, how))
    return found


def _store(file: str, node: ast.stmt, around: tuple[ast.AST, ...], how: str) -> Store:
    functions = [a for a in around if isinstance(a, ast.FunctionDef | ast.AsyncFunctionDef)]
    classes = [a for a in around if isinstance(a, ast.ClassDef)]
    return Store(
        file=file,
        line=node.lineno,
        end_line=node.end_lineno or node.lineno,
        code=code_of(file, node),
        node=node,
        function=functions[-1].name if functions else "",
        owner=classes[-1].name if classes else "",
        in_loop=any(isinstance(a, ast.For | ast.While | ast.AsyncFor) for a in around),
        how=how,
        fresh=_is_fresh_store(node, how),
        key=_key(node),
    )


def _is_fresh_store(node: ast.stmt, how: str) -> bool:
    """Whether the statement only ever stores what carries no graph."""
    if how not in ("assign", "augment"):
        return False
    value = getattr(node, "value", None)
    return (how == "assign" or value is not None) and _is_fresh(value)


def _key(node: ast.stmt) -> str | None:
    """The constant key of the container's element that an assignment stores into."""
    target: ast.expr | None = None
    if isinstance(node, ast.AugAssign | ast.AnnAssign):
        target = node.target
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target = node.targets[0]
    inner: ast.expr | None = None
    while isinstance(target, ast.Subscript):
        inner, target = target.slice, target.value
    return repr(inner.value) if isinstance(inner, ast.Constant) else None


def _statements(
    node: ast.AST, around: tuple[ast.AST, ...]
) -> Iterator[tuple[ast.stmt, tuple[ast.AST, ...]]]:
    """Every statement with what is around it, from the outside in."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            yield child, around
        yield from _statements(child, (*around, child))


def _how(node: ast.stmt, name: str, *, attribute: bool) -> str | None:
    """How the statement stores under the name, if it does."""
    if isinstance(node, ast.AugAssign):
        return "augment" if _names(node.target, name, attribute=attribute) else None
    if isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        parts = [part for target in targets for part in _parts(target)]
        return "assign" if any(_names(part, name, attribute=attribute) for part in parts) else None
    if isinstance(node, ast.Expr | ast.Return):
        for call in ast.walk(node):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
                adds = call.func.attr in _ADDING and call.args
                if adds and _names(call.func.value, name, attribute=attribute):
                    return call.func.attr
    return None


def _parts(target: ast.expr) -> Iterator[ast.expr]:
    """The single targets of an assignment."""
    if isinstance(target, ast.Tuple | ast.List):
        for element in target.elts:
            yield from _parts(element)
    elif isinstance(target, ast.Starred):
        yield from _parts(target.value)
    else:
        yield target


def _names(target: ast.expr, name: str, *, attribute: bool) -> bool:
    """Whether an expression is the name, or an element of it."""
    while isinstance(target, ast.Subscript):
        target = target.value
    if attribute:
        return isinstance(target, ast.Attribute) and target.attr == name
    return isinstance(target, ast.Name) and target.id == name


def _is_fresh(value: ast.expr | None) -> bool:
    """Whether the value can carry no graph: a constant, an empty container, a new tensor."""
    if value is None or isinstance(value, ast.Constant):
        return True
    if isinstance(value, ast.List | ast.Tuple | ast.Set):
        return all(_is_fresh(element) for element in value.elts)
    if isinstance(value, ast.Dict):
        return all(_is_fresh(element) for element in value.values)
    if isinstance(value, ast.Call):
        called = value.func
        name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        return name in _FRESH
    return False


def reads(node: ast.AST) -> list[str]:
    """The dotted names an expression or statement reads, e.g. ["Yest", "self.state"]."""
    found: list[str] = []
    for child in ast.walk(node):
        dotted = _dotted(child)
        if dotted is not None and dotted not in found:
            found.append(dotted)
    return found


def receiver(node: ast.stmt) -> str | None:
    """The dotted name on which the statement calls backward, or that it hands to it."""
    for call in ast.walk(node):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            continue
        if call.func.attr not in ("backward", "grad"):
            continue
        own = _dotted(call.func.value)
        if own in ("torch.autograd", "autograd", "accelerator", "fabric") and call.args:
            own = _dotted(call.args[0])
        return own
    return None


def _dotted(node: ast.AST) -> str | None:
    """The dotted name a node reads; None for anything else."""
    if isinstance(node, ast.Name):
        return node.id if isinstance(node.ctx, ast.Load) else None
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
        inner = _dotted(node.value)
        return f"{inner}.{node.attr}" if inner else None
    return None


def _covers(node: ast.stmt, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or node.lineno)
