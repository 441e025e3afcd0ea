"""Other names of what is carried on, where its first one carries nothing: a variable that each
round gives a new value, an argument, a part by a name of its own, what a method hands back of its
object. Holds nothing.
"""

from __future__ import annotations

import ast

from gradwatch_agent.diagnosis.chain.names import Named
from gradwatch_agent.diagnosis.lasting.anew import Anew
from gradwatch_agent.diagnosis.lasting.variables import is_given_anew, is_variable_of, may_last
from gradwatch_agent.diagnosis.place.stored import Aliases, candidates, place_of
from gradwatch_agent.naming import Path, own_files
from gradwatch_agent.naming.frames import line_of
from gradwatch_agent.source.stored.stores import known_places, place_read
from gradwatch_agent.source.syntax.places import Store


def lasting(path: Path, aliases: Aliases, anew: Anew = frozenset()) -> Path:
    """By another name of what it begins with, where that is a variable which carries nothing over:
    one that each round gives a new value, or that is only ever another name of an attribute
    (`mark = self.bookmark`), of a part (`h, cell = state`), or of what each iteration draws from
    somewhere (`snapshot = self.repo.load(desk)`) or is given (`update(self.theta)`).
    """
    root = path.root
    if root is path:
        return path
    return _by_its_root(path, aliases, anew) or _by_an_element(path, aliases, anew) or path


def _by_an_element(path: Path, aliases: Aliases, anew: Anew) -> Path | None:
    """Of a list that a function makes anew of what lies elsewhere (`random.sample(self.rows, 8)`),
    or each round anew to be put there, the way from there.
    """
    if not (is_variable_of(path.root, anew) or is_given_anew(path.root, candidates(path.root))):
        return None
    for step in path.back():
        others = aliases.get(step.expression, []) if step is not path.root else []
        for other in others:
            if other.root is not path.root and may_last(other, anew):
                return path.by_way_of(step, other)
    return None


def _by_its_root(path: Path, aliases: Aliases, anew: Anew) -> Path | None:
    root = path.root
    found = candidates(root)
    others = [each for each in aliases.get(root.expression, []) if each is not root]
    if is_given_anew(root, found):
        others = [each for each in others if may_last(each) and not is_only_given(each)]
    elif root.line and (_is_another_name(found) or (found and is_variable_of(root, anew))):
        others = [each for each in others if each.attribute or _is_part(each)]
    elif (
        root.line and is_variable_of(root, anew) and not any(step.attribute for step in path.back())
    ):
        others = [e for e in others if e.attribute or e.field]  # an argument, and no object's own
        others.sort(key=lambda each: not may_last(each, anew))
    elif is_only_given(root) and not any(step.attribute for step in path.back()):
        others = [each for each in others if each.attribute or candidates(each)]
    else:
        return None
    return path.begun_by(others[0]) if others else None


def unpacked(path: Path, names: list[Named]) -> Named | None:
    """Of a variable that is but another name of a part (`states, log_prob = batch`), or was given
    one, the way to that part, if one of the tensor's names is.
    """
    if path.steps or not path.line:
        return None
    if not is_only_given(path) and not _is_another_name(candidates(path)):
        return None
    return min((e for e in names if e[0].steps), key=lambda each: each[0].steps, default=None)


def handed_out(path: Path, names: list[Named]) -> Named | None:
    """Of a variable that a loop's head gives something, the one of the generator that waits there,
    if it keeps that for several rounds.
    """
    found = candidates(path) if path.line and not path.steps else []
    if not found or not all(isinstance(store.node, ast.For | ast.AsyncFor) for store in found):
        return None
    variables = (each for each in names if each[0].line and not each[0].steps)
    waiting = (each for each in variables if not line_of(each[0].file, each[0].line))
    return next((each for each in waiting if candidates(each[0]) and may_last(each[0])), None)


def given_by(path: Path, names: list[Named]) -> Named | None:
    """Of an attribute that is only ever another name of a part of something, as a hook that gives
    its module `state["weight"]` makes of it, or of a variable (`row = self.rows[at]`), the way to
    that part, if one of the tensor's names is.
    """
    named = path if path.attribute else path.root
    found = [store for store in candidates(named) if store.certain]
    if not _is_another_name(found):
        return None
    values = ((store.file, getattr(store.node, "value", None)) for store in found)
    read = {place_read(file, value) for file, value in values if value is not None}
    others = (each for each in names if each[0] is not path and place_of(each[0]) in read)
    return next((each for each in others if may_last(each[0])), None)


def handed_back(path: Path, names: list[Named]) -> Named | None:
    """Of a variable that is only ever given what methods hand back of their own object (`state =
    plant.apply(push)`, which ends with `return self.state`), that attribute, if one of the tensor's
    names is: cut there, it is cut in the variable.
    """
    found = candidates(path) if path.line and not path.steps else []
    values = [(store.file, getattr(store.node, "value", None)) for store in found if store.certain]
    read = {place_read(file, value) if value is not None else None for file, value in values}
    if not any(isinstance(value, ast.Call) for _, value in values) or None in read:
        return None
    attributes = (each for each in names if each[0].attribute and may_last(each[0]))
    return next(
        (e for e in attributes if read <= known_places([place_of(e[0])], own_files())), None
    )


def but_for_the_call(
    new: list[Named], old: list[Named], aliases: Aliases
) -> tuple[list[Named], list[Named]]:
    """Both without those that begin with an argument which nobody else has by any name, a list that
    was put together to be given; if some begin elsewhere.
    """
    given = {
        place_of(path.root)
        for path, _ in new
        if path.steps and is_only_given(path.root) and not aliases.get(path.root.expression)
    }
    if all(place_of(path.root) in given for path, _ in new):
        return new, old
    new, old = ([e for e in names if place_of(e[0].root) not in given] for names in (new, old))
    return new, old


def is_only_given(path: Path) -> bool:
    """Whether it is a function's argument, and no statement is sure to store there."""
    if path.attribute or path.steps or not path.line:
        return False
    return not any(store.certain for store in candidates(path))


def _is_another_name(found: list[Store]) -> bool:
    """Whether all that is ever stored there is some object's attribute, or a part of one."""
    return bool(found) and all(store.how == "assign" and _reads_part(store.node) for store in found)


def _reads_part(statement: ast.AST) -> bool:
    """`mark = self.bookmark`, `h = state["h"]`, `h, cell = state`."""
    match statement:
        case ast.Assign(value=ast.Attribute() | ast.Subscript()):
            return True
        case ast.Assign(targets=[ast.Tuple() | ast.List()], value=ast.Name()):
            return True
        case ast.AnnAssign(value=ast.Attribute() | ast.Subscript()):
            return True
        case ast.Assign(targets=[ast.Tuple() | ast.List()], value=ast.Tuple(elts=values)):
            return all(isinstance(value, ast.Attribute | ast.Subscript) for value in values)
    return False


def _is_part(path: Path) -> bool:
    """Whether it leads into a variable that is more than a function's argument."""
    return bool(path.steps) and not is_only_given(path.root)
