"""Which of a node's names carries it from one iteration to the next. Holds nothing."""

from __future__ import annotations

import ast

from gradwatch_agent.diagnosis.lasting.anew import Anew
from gradwatch_agent.diagnosis.place.stored import Aliases, candidates, place_of
from gradwatch_agent.graph.reached import Crossing
from gradwatch_agent.naming import Path, own_files
from gradwatch_agent.naming.frames import line_of
from gradwatch_agent.source.flow.carrying import is_reborn
from gradwatch_agent.source.stored.stores import known_places, place_read, places_read
from gradwatch_agent.source.syntax.places import Place, Store


def keeper(path: Path) -> Path:
    """What a user would call the carrier: of an attribute that is set when its object is made and
    never again, the container through which such objects pass.
    """
    elements = [step for step in path.back() if step.index and step.label]
    if path.label.startswith("['") and path.parent is not None and _by_any_key(path):
        return path.parent.holder
    if not path.attribute or not elements:
        return path.holder
    is_set = any(store.function != "__init__" for store in candidates(path))
    return path.holder if is_set else elements[-1].holder


def _by_any_key(path: Path) -> bool:
    """Whether the element is stored under a key that the program makes up: one of many."""
    into = [store for store in candidates(path) if "[" in store.target]
    return bool(into) and all(store.key is None for store in into)


def read_by(crossing: Crossing) -> set[Place]:
    """The places that the statement reads which uses the stale node."""
    return set().union(*(places_read(site.file, site.line) for site in crossing.used))


def is_read(path: Path, read: set[Place]) -> bool:
    """Whether that is what the name stands for, be it under another name."""
    return not read.isdisjoint(known_places([place_of(path)], [*own_files(), path.file]))


def carrier(
    new: list[tuple[Path, bool]],
    old: list[tuple[Path, bool]],
    read: set[Place],
    anew: Anew = frozenset(),
) -> tuple[Path, bool]:
    """Of a node's names of now and of the iteration before, the likeliest to be the carrier.

    One that had it then and has it still; of several the one that is read where it is used, which
    is the likeliest besides where it has been replaced meanwhile. What is read by its own name
    comes before what is known by another one, which may be that of a container around it.
    """
    stored = [each for each in new if each[0].attribute or each[0].steps]
    last = [[each for each in names if may_last(each[0], anew)] for names in (new, old)]
    read_now = [each for each in last[0] if place_of(each[0]) in read]
    if read_now and not last[1]:
        return _stored_first(read_now, last[0])
    if any(last) and (stored or not last[0]):  # else something carries it all the same
        new, old = last
        stored = [each for each in stored if each in new]
    before = {(place(path), _owner(path)) for path, _ in old}
    places = {place for place, _ in before}
    kept = [each for each in new if (place(each[0]), _owner(each[0])) in before]
    new = [each for each in new if each in kept or place(each[0]) not in places]
    for names in (kept, old, stored):
        named = [each for each in names if place_of(each[0]) in read]
        if named:
            return _stored_first(named, names)
    for names in (kept, old):
        named = [each for each in names if is_read(each[0], read)]
        if named:
            return _stored_first(named, names)
    named = [each for each in new if is_read(each[0], read)]
    return (kept or named or new or old)[0]


def _stored_first(
    named: list[tuple[Path, bool]], names: list[tuple[Path, bool]]
) -> tuple[Path, bool]:
    """The first that is more than an argument; else an attribute of the same graph: a function
    that is given a state, and trains with it for some iterations, did not store it.
    """
    attributes = [each for each in names if each[0].attribute]
    own = [each for each in named if not _is_only_given(each[0])]
    return (own or attributes or named)[0]


def may_last(path: Path, anew: Anew = frozenset()) -> bool:
    """Whether the name may stand from one iteration to the next: not a variable of a function that
    is called anew for each, which gives it a value once, nor one that each round of a loop gives a
    new value before it reads it.
    """
    if path.attribute:
        return True
    root = path.root
    found = candidates(root)
    if (found or not path.steps) and _is_of(root, anew):
        return False
    if path.line and not path.steps and found and not any(_is_stored_again(s, root) for s in found):
        return False
    return not _is_reborn(root, found)


def is_made_anew(root: Path, anew: Anew) -> bool:
    """Whether each iteration gives the variable a thing of its own."""
    found = candidates(root) if not root.attribute else []
    return _is_reborn(root, found) or (bool(found) and _is_of(root, anew))


def _is_reborn(root: Path, found: list[Store]) -> bool:
    return is_reborn(root.name, found, line_of(root.file, root.line))


def _is_of(root: Path, anew: Anew) -> bool:
    """Whether it is a variable of one of the functions itself, not one that these close over."""
    home = place_of(root)
    return root.behind is None and (home.file, home.scope) in anew


def _is_stored_again(store: Store, variable: Path) -> bool:
    return store.in_loop or store.function != variable.named.function


def lasting(path: Path, aliases: Aliases, anew: Anew = frozenset()) -> Path:
    """By another name of what it begins with, where that is a variable which carries nothing over:
    one that each round gives a new value, or that is only ever another name of an attribute
    (`mark = self.bookmark`), of a part (`h, cell = state`), or of what each iteration draws from
    somewhere (`snapshot = self.repo.load(desk)`) or is given (`update(self.theta)`).
    """
    root = path.root
    if root is path:
        return path
    found = candidates(root)
    others = [each for each in aliases.get(root.expression, []) if each is not root]
    if _is_reborn(root, found):
        others = [each for each in others if may_last(each) and not _is_only_given(each)]
    elif root.line and (_is_another_name(found) or (found and _is_of(root, anew))):
        others = [each for each in others if each.attribute or _is_part(each)]
    elif root.line and _is_of(root, anew) and not any(step.attribute for step in path.back()):
        others = [each for each in others if each.attribute]  # an argument, and no object's own
    elif _is_only_given(root) and not any(step.attribute for step in path.back()):
        others = [each for each in others if each.attribute or candidates(each)]
    else:
        return path
    return path.begun_by(others[0]) if others else path


def unpacked(path: Path, names: list[tuple[Path, bool]]) -> tuple[Path, bool] | None:
    """Of a variable that is but another name of a part (`states, log_prob = batch`), or was given
    one, the way to that part, if one of the tensor's names is.
    """
    if path.steps or not path.line:
        return None
    if not _is_only_given(path) and not _is_another_name(candidates(path)):
        return None
    return min((e for e in names if e[0].steps), key=lambda each: each[0].steps, default=None)


def handed_out(path: Path, names: list[tuple[Path, bool]]) -> tuple[Path, bool] | None:
    """Of a variable that a loop's head gives something, the one of the generator that waits there,
    if it keeps that for several rounds.
    """
    found = candidates(path) if path.line and not path.steps else []
    if not found or not all(isinstance(store.node, ast.For | ast.AsyncFor) for store in found):
        return None
    variables = (each for each in names if each[0].line and not each[0].steps)
    waiting = (each for each in variables if not line_of(each[0].file, each[0].line))
    return next((each for each in waiting if candidates(each[0]) and may_last(each[0])), None)


def given_by(path: Path, names: list[tuple[Path, bool]]) -> tuple[Path, bool] | None:
    """Of an attribute that is only ever another name of a part of something, as a hook that gives
    its module `state["weight"]` makes of it, the way to that part, if one of the tensor's names is.
    """
    found = [store for store in candidates(path) if store.certain] if path.attribute else []
    if not _is_another_name(found):
        return None
    values = ((store.file, getattr(store.node, "value", None)) for store in found)
    read = {place_read(file, value) for file, value in values if value is not None}
    others = (each for each in names if each[0] is not path and place_of(each[0]) in read)
    return next((each for each in others if may_last(each[0])), None)


def but_for_the_call(
    new: list[tuple[Path, bool]], old: list[tuple[Path, bool]], aliases: Aliases
) -> tuple[list[tuple[Path, bool]], list[tuple[Path, bool]]]:
    """Both without those that begin with an argument which nobody else has by any name, a list that
    was put together to be given; if some begin elsewhere.
    """
    given = {
        place_of(path.root)
        for path, _ in new
        if path.steps and _is_only_given(path.root) and not aliases.get(path.root.expression)
    }
    if all(place_of(path.root) in given for path, _ in new):
        return new, old
    new, old = ([e for e in names if place_of(e[0].root) not in given] for names in (new, old))
    return new, old


def _is_only_given(path: Path) -> bool:
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
    return bool(path.steps) and not _is_only_given(path.root)


def place(path: Path) -> tuple[str, ...]:
    """What a name stands for, the same from another function: an attribute of a class, ..."""
    return (path.name, *path.owners) if path.attribute else (path.expression,)


def _owner(path: Path) -> int:
    """The identity of the object whose attribute the carrier is: another one that goes by the same
    name has been given the thing, and did not carry it.
    """
    step = keeper(path).parent
    while step is not None and not step.label:
        step = step.parent
    return step.identity if step is not None else 0
