"""A function on the way back: what names mean there, as far as that is still known.

Of one that has not ended the frame tells; of one that has, the object whose method it is, and how
it was called. Reads without running any of the program's code.
"""

from __future__ import annotations

import ast
import builtins
import operator
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, Final

from gradwatch_agent.diagnosis.graphless.modules import children_of
from gradwatch_agent.diagnosis.graphless.standing import Standing
from gradwatch_agent.naming.attributes import MISSING, attribute_of
from gradwatch_agent.naming.containers import CONTAINERS, elements
from gradwatch_agent.naming.frames import COMPREHENSIONS, Locals
from gradwatch_agent.naming.modules import own_modules
from gradwatch_agent.source.flow.bindings import is_own
from gradwatch_agent.source.flow.giving import given
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.statements import (
    Body,
    Function,
    Located,
    body_around,
    choices_of,
    is_in,
)
from gradwatch_agent.source.syntax.text import statement_at
from gradwatch_agent.source.syntax.vocabulary import WALKING


@dataclass(frozen=True, slots=True)
class Spot:
    """An expression's surroundings: the function, and where in it."""

    scene: Scene
    node: Located
    """The statement, or what stands for one."""


@dataclass(eq=False, slots=True)
class Scene:
    """One call of a function, or the module."""

    file: str
    body: Body | ast.Lambda
    values: dict[str, Any] = field(default_factory=dict)
    """What its variables stand for."""
    given: dict[str, tuple[ast.expr, Spot]] = field(default_factory=dict)
    """What its parameters were given, by whom it was called."""

    @property
    def is_module(self) -> bool:
        """Whether it is the module itself."""
        return isinstance(self.body, ast.Module)

    def value(self, name: str) -> Any:
        """What the variable stands for; MISSING if that is not known."""
        if name in self.values:
            return self.values[name]
        if name in self.given:
            expression, spot = self.given[name]
            return spot.scene.meant(expression)
        if not self.is_module and is_own(self.body, name):
            return MISSING
        space = next((space for file, space in own_modules() if file == self.file), {})
        return space.get(name, vars(builtins).get(name, MISSING))

    def meant(self, expression: ast.expr) -> Any:
        """What a name, an attribute or an element stands for, without working anything out."""
        match expression:
            case ast.Constant(value=value) | Standing(value=value):
                return value
            case ast.Name(id=name):
                return self.value(name)
            case ast.Attribute(value=inner, attr=name):
                owner = self.meant(inner)
                return MISSING if owner is MISSING else _attribute(owner, name)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as number)):
                return -number
            case ast.Subscript(value=inner, slice=key):
                return _element(self.meant(inner), self.meant(key))
        return MISSING

    def truth(self, test: ast.expr) -> bool | None:
        """Whether a condition of plain values holds; None if that is not known."""
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                inside = self.truth(inner)
                return None if inside is None else not inside
            case ast.BoolOp(op=op, values=parts):
                known = [self.truth(part) for part in parts]
                ends = isinstance(op, ast.Or)  # what one part comes to for all
                return ends if ends in known else None if None in known else not ends
            case ast.Compare(left=left, ops=[how], comparators=[right]):
                return _compared(self.meant(left), how, self.meant(right))
        value = self.meant(test)
        return value if type(value) is bool else None

    def may_run(self, line: int) -> bool:
        """Whether no condition around the line is known to have kept it from running."""
        for choice in choices_of(self.body):
            inside = is_in(choice.body, line)
            if inside or is_in(choice.orelse, line):
                known = self.truth(choice.test)
                if known is not None and known is not inside:
                    return False
        return True


_PLAIN: Final = (bool, int, float, str, type(None))
_COMPARING: Final[dict[type, Callable[[Any, Any], bool]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def _is_plain(value: Any) -> bool:
    return any(type(value) is kind for kind in _PLAIN)


def _compared(left: Any, how: ast.cmpop, right: Any) -> bool | None:
    """Of values that run no code of the user's when they are compared."""
    compare = _COMPARING.get(type(how))
    if compare is None or not (_is_plain(left) and _is_plain(right)):
        return None
    try:
        return compare(left, right)
    except TypeError:  # of two kinds
        return None


def _attribute(owner: Any, name: str) -> Any:
    if type(owner) is types.ModuleType:
        return vars(owner).get(name, MISSING)
    return attribute_of(owner, name)


def _element(whole: Any, key: Any) -> Any:
    if whole is MISSING or not (type(key) is int or type(key) is str):
        return MISSING
    if issubclass(type(whole), dict):
        items = list(dict.items(whole))
        return next((item for k, item in items if type(k) is type(key) and k == key), MISSING)
    held = elements(whole) if issubclass(type(whole), CONTAINERS) else children_of(whole)
    return held[key] if isinstance(key, int) and -len(held) <= key < len(held) else MISSING


def scenes(frames: list[tuple[types.FrameType, int]], local: Locals) -> Iterator[Spot]:
    """Where each of the user's frames is, the outermost first, each with its line; `local` is to be
    cleared.
    """
    outer: Spot | None = None
    for (frame, line), inner in zip_longest(frames, frames[1:]):
        code = frame.f_code
        calling = WALKING if inner is None else (inner[0].f_code.co_name,)
        statement = statement_at(code.co_filename, line, calling=calling)
        body = body_around(code.co_filename, line)
        if statement is None or body is None:
            outer = None
            continue
        scene = Scene(code.co_filename, body)
        if code.co_name == "<lambda>":
            lambdas = [n for n in ast.walk(statement) if isinstance(n, ast.Lambda)]
            scene.body = lambdas[0] if len(lambdas) == 1 else body
        if code.co_name != "<module>":
            scene.values = local.of(frame)
        if code.co_name in COMPREHENSIONS and outer is not None:
            scene.values = {**outer.scene.values, **scene.values}
            scene.given = outer.scene.given
        elif isinstance(body, Function) and scene.body is body and outer is not None:
            calls = [n for n in ast.walk(outer.node) if isinstance(n, ast.Call)]
            named = [call for call in calls if called(call) == body.name] or calls[:1]
            scene.given = arguments(body, named[0], outer) if named else {}
        outer = Spot(scene, statement)
        yield outer


def arguments(
    function: Function | ast.Lambda, call: ast.Call, spot: Spot
) -> dict[str, tuple[ast.expr, Spot]]:
    """What each of the function's parameters is in a call, by the call or by itself."""
    every = {**dict(_defaults(function.args)), **given(call, function)}
    return {name: (value, spot) for name, value in every.items()}


def _defaults(taken: ast.arguments) -> Iterator[tuple[str, ast.expr]]:
    names = [each.arg for each in (*taken.posonlyargs, *taken.args)]
    yield from zip(names[::-1], taken.defaults[::-1], strict=False)
    for each, value in zip(taken.kwonlyargs, taken.kw_defaults, strict=True):
        if value is not None:
            yield each.arg, value
