"""How many keys a dict comes to have whose statements store under few: `latest[step % 60] = x`,
`by_slot[f"slot{i % 4}"] = x`, `pairs[a % 3, b % 5] = x`, `last[b] = x` for each b
of range(80). Must not know graphs.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Collection, Iterator, Sequence
from enum import Enum
from typing import Any

from gradwatch_agent.kept.bounds import ELSEWHERE
from gradwatch_agent.kept.spelled import Spelled, is_into, is_it, spelled
from gradwatch_agent.naming import Path, own_files
from gradwatch_agent.naming.containers import size_of
from gradwatch_agent.naming.lengths import length
from gradwatch_agent.naming.values import known_in, number
from gradwatch_agent.source.flow.callers import is_called_in_a_loop
from gradwatch_agent.source.flow.loops import loops_at
from gradwatch_agent.source.stored.stores import Store, stores, variable
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.statements import body_around, function_at


def keys_in(container: Collection[Any], path: Path, stored: list[Store]) -> int | None:
    """At most, of the container that the path leads to; None if that is not known, was proved
    wrong, or it is no dict. What is stored under constants is left out: of those there are as many
    as are written down.
    """
    if not issubclass(type(container), dict):
        return None
    there: list[Any] = list(dict.keys(container))  # type: ignore[arg-type]
    counted = [
        _Keys(store, path).count(key, there)
        for store in stored
        if not store.fresh or store.target.endswith("]")
        for key in _keys(store, spelled(path, store.file))
        if not isinstance(key, ast.Constant)
    ]
    known = [most for most in counted if most is not None]
    most = max(known, default=0) if len(known) == len(counted) else 0
    return most if size_of(container) <= most else None


def _keys(store: Store, it: Spelled) -> Iterator[ast.expr | None]:
    """Those by which it stores into the container, or an element of that; None for what does so by
    others.
    """
    parts = (part for target in getattr(store.node, "targets", ()) for part in ast.walk(target))
    into = [part for part in parts if isinstance(part, ast.Subscript) and is_it(part.value, it)]
    yield from (part.slice for part in into)
    if not into and is_into(store, it):
        yield None


class _Keys:
    """Counts those that an expression in the statement comes to be."""

    def __init__(self, store: Store, path: Path) -> None:
        self._file, self._line = store.file, store.line
        self._function = function_at(store.file, store.line)
        self._known = known_in(path, store.file, store.line)
        self._asked: set[str] = set()
        """Variables, each once: `key = str(key)` leads back to itself."""

    def count(self, key: ast.expr | None, there: Sequence[Any] = ()) -> int | None:
        """At most; None if that is not known. `there`: those that there are by now."""
        match key:
            case ast.Constant():
                return 1
            case ast.BinOp(left=left, op=ast.Mod(), right=most) if not _is_text(left):
                return self._number(most)
            case ast.BinOp(op=ast.BitAnd(), right=mask):
                highest = self._number(mask)
                return highest + 1 if highest is not None else None
            case ast.Tuple(elts=parts):
                return self._together(parts, _columns(there, len(parts)))
            case ast.JoinedStr(values=parts):
                return self._together(parts, [()] * len(parts))
            case ast.FormattedValue(value=inner):
                return self.count(inner)
            case ast.Call(args=[inner]) if called(key) in ("str", "int"):
                return self.count(inner)
            case ast.Name(id=name) if (known := self._of_variable(name)) is not None:
                return known
        return _of_their_kind(there)

    def _together(self, parts: Sequence[ast.expr], there: list[Sequence[Any]]) -> int | None:
        counted = map(self.count, parts, there)
        known = [most for most in counted if most is not None]
        return math.prod(known) if len(known) == len(parts) else None

    def _of_variable(self, name: str) -> int | None:
        """Where it is given a value by one statement, or by a loop that is begun again."""
        if name in self._asked:
            return None
        self._asked.add(name)
        if (drawn := self._of_loop(name)) is not None:
            return drawn
        given = stores([variable(self._file, self._function, name)], [self._file])
        match [store.node for store in given]:
            case [ast.Assign(targets=[ast.Name()], value=value)] if not isinstance(value, ast.Name):
                return self.count(value)
            case [
                ast.Assign(
                    targets=[ast.Tuple(elts=[_, ast.Name(id=rest)])],
                    value=ast.Call(func=ast.Name(id="divmod"), args=[_, most]),
                )
            ] if rest == name:
                return self._number(most)
        return None

    def _of_loop(self, name: str) -> int | None:
        """`for b in range(80)`, within another loop or one that calls the function; of no more
        rounds than an epoch of which all may be asked for.
        """
        body = body_around(self._file, self._line)
        around = loops_at(body, self._line) if body is not None else []
        loops = [loop for loop in around if isinstance(loop, ast.For)]
        drawing = [loop for loop in loops if _draws_the_same(loop, name, around)]
        if not drawing:
            return None
        if drawing[-1] is around[0] and (
            isinstance(drawing[-1].iter, ast.Name)  # another call may be given another one
            or not is_called_in_a_loop(self._file, self._line, own_files())
        ):
            return None
        rounds = length(drawing[-1].iter, self._file, self._function, loaders=True)
        return int(rounds) if 0 < rounds <= ELSEWHERE else None

    def _number(self, expression: ast.expr) -> int | None:
        return number(expression, self._file, self._function, self._known)


def _draws_the_same(loop: ast.For, name: str, around: Collection[ast.stmt]) -> bool:
    """Whether the variable is given the same values each time the loop begins: it counts up, or
    goes over what is not made anew in a loop around it.
    """
    match loop:
        case ast.For(target=ast.Name(id=drawn), iter=ast.Call(func=ast.Name(id="range"))):
            return drawn == name
        case ast.For(
            target=ast.Tuple(elts=[ast.Name(id=drawn), *_]),
            iter=ast.Call(func=ast.Name(id="enumerate")),
        ):
            return drawn == name
        case ast.For(target=ast.Name(id=drawn), iter=ast.Name(id=whole)):
            stored = (n for each in around for n in ast.walk(each) if isinstance(n, ast.Name))
            anew = any(n.id == whole and isinstance(n.ctx, ast.Store) for n in stored)
            return drawn == name and not anew
    return False


def _columns(there: Sequence[Any], parts: int) -> list[Sequence[Any]]:
    """What tuples have in each of their places."""
    if any(type(key) is not tuple or len(key) != parts for key in there):
        return [()] * parts
    return list(zip(*there, strict=True)) if there else [()] * parts


def _of_their_kind(there: Sequence[Any]) -> int | None:
    """How many such there are at all: members of one enumeration, or what is true or not."""
    kind = type(there[0]) if there else type(None)
    known = kind is bool or issubclass(kind, Enum)
    if not known or any(type(each) is not kind for each in there):
        return None
    members: Any = (False, True) if kind is bool else type.__getattribute__(kind, "_member_map_")
    return len(members)


def _is_text(part: ast.expr) -> bool:
    return isinstance(part, ast.JoinedStr) or (
        isinstance(part, ast.Constant) and isinstance(part.value, str)
    )
