"""What a thing may be when training begins: nothing, a plain number, or not there."""

from __future__ import annotations

import ast

from gradwatch_agent.advice.stored import stored
from gradwatch_agent.diagnosis.place.stored import candidates
from gradwatch_agent.naming import Path, own_files
from gradwatch_agent.source.flow.ahead import is_set_up
from gradwatch_agent.source.stored.defaults import default_of, given_by
from gradwatch_agent.source.stored.fields import begins_as_none, fields_of
from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.source.syntax.reading import is_empty
from gradwatch_agent.source.syntax.statements import Function, body_around, classes_named
from gradwatch_agent.source.syntax.targets import pairs


def is_nothing(store: Store) -> bool:
    """Whether it stores a constant, maybe as one of several (`self.beta, self.h = beta, None`), or
    several of them: `self.hs = [None] * layers`.
    """
    match store.node:
        case ast.Assign(targets=[ast.Tuple(elts=into)], value=ast.Tuple(elts=values)):
            pairs = zip(map(ast.unparse, into), values, strict=False)
            return any(to == store.target and _are_constants(v) for to, v in pairs)
    return _are_constants(getattr(store.node, "value", None))


def has_no_keys(store: Store) -> bool:
    """Whether it stores a container in which nothing lies yet: `cache = {}`."""
    return is_empty(stored(store) or ast.Constant(0)) and store.how == "assign"


def begins_with_none(root: Path, keys: tuple[str, ...]) -> bool:
    """Whether it is a function's default, a dict in which None lies under the one key."""
    default = default_of(root.file, root.line, root.name) if len(keys) == 1 and root.line else None
    given = default.value if default is not None else None
    return isinstance(given, ast.Dict) and any(
        key is not None and f"[{ast.unparse(key)}]" == keys[0] and ast.unparse(value) == "None"
        for key, value in zip(given.keys, given.values, strict=True)
    )


def may_be_none(step: Path) -> bool:
    """Whether the attribute may be None at first, where its object is made anew each time: by its
    class's body, or a constructor's default; or may not be there, for nothing sets it up.
    """
    if not step.attribute:
        return False
    kinds = [kind for kind in step.owners if any(classes_named(kind, own_files()))]
    if any(begins_as_none(kind, step.name, own_files()) for kind in kinds):
        return True
    stored = candidates(step)
    if any(store.own and _is_given_none(store) for store in stored):
        return True
    named = any(step.name in fields_of(kind, own_files()) for kind in kinds)
    return bool(kinds) and not named and not any(map(_sets_up, stored))


def _sets_up(store: Store) -> bool:
    return store.constructs or is_set_up(store.file, store.line, own_files())


def _is_given_none(store: Store) -> bool:
    """By the default of a parameter."""
    function = body_around(store.file, store.line)
    values = [value for to, value in pairs(store.node) if ast.unparse(to) == store.target]
    if not isinstance(function, Function) or not values or not isinstance(values[0], ast.Name):
        return False
    default = given_by(function.args, values[0].id)
    return isinstance(default, ast.Constant) and default.value is None


def is_full_of_nothing(store: Store) -> bool:
    """Whether it stores many constants, one of which may lie there still: `[None] * slots`."""
    value = stored(store)
    if isinstance(value, ast.List) and any(map(_has_nothing, value.elts)):
        return True  # `[(None, start)]`: such an element comes again with the next run
    return not isinstance(value, ast.Constant | ast.Call) and _are_constants(value)


def _has_nothing(element: ast.expr) -> bool:
    parts = element.elts if isinstance(element, ast.Tuple) else ()
    return any(isinstance(part, ast.Constant) and part.value is None for part in parts)


def _are_constants(value: ast.expr | None) -> bool:
    match value:
        case ast.List(elts=[_, *_] as parts) | ast.Tuple(elts=[_, *_] as parts):
            return all(map(_are_constants, parts))
        case ast.BinOp(left=ast.List() as repeated, op=ast.Mult()):
            return _are_constants(repeated)
        case ast.ListComp(elt=each) | ast.DictComp(value=each):
            return _are_constants(each)
        case ast.Dict(values=[_, *_] as parts):
            return all(map(_are_constants, parts))
        case ast.Call(func=ast.Attribute(attr="fromkeys"), args=[_, *given]):
            return all(map(_are_constants, given))
        case ast.Call(keywords=[ast.keyword(arg="default", value=first)]):  # a context's variable
            return _are_constants(first)
    return isinstance(value, ast.Constant)
