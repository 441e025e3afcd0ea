"""What is said of something that grows: by which name, by which statement, what to change."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from gradwatch_agent.advice.bounding import (
    bound,
    cut_the_list,
    keep_of_it,
    let_go_early,
    name_the_same,
    remove_hooks,
)
from gradwatch_agent.advice.caching import ask_by_value, limit
from gradwatch_agent.advice.copies import store_copies
from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.diagnosis.place.at_line import at_cache, at_line
from gradwatch_agent.diagnosis.place.stored import (
    Aliases,
    best,
    candidates,
    is_of_others,
    is_set_once,
    of_any_attribute,
    spoken,
    store_of,
)
from gradwatch_agent.kept.guards import is_guarded
from gradwatch_agent.kept.measuring import Filled, Size, Strewn
from gradwatch_agent.kept.taking import takes_out
from gradwatch_agent.naming import Path, own_files
from gradwatch_agent.source.flow.calls import calls_of
from gradwatch_agent.source.flow.loops import is_beginning, is_made_once, loops_at
from gradwatch_agent.source.gradients.hooks import Registration, registration
from gradwatch_agent.source.stored.stores import Store, attribute, stores
from gradwatch_agent.source.syntax.statements import body_around, is_in
from gradwatch_agent.source.syntax.text import code_of, source_line, statement_at
from gradwatch_agent.verdicts.case import Answer

_VIEWS: Final = 2
"""What keeps so many times as much as it shows are views."""


def answer_for(size: Size, before: Size | None, aliases: Aliases) -> Answer:
    """`before`: what it was at the first look."""
    if isinstance(size, Filled):
        return _filled(size, before, aliases)
    if isinstance(size, Strewn):
        return _strewn(size, aliases)
    answer = Answer(holder=spoken(size.path), suggestion=keep_of_it(spoken(size.path), size.things))
    return _at(answer, store_of(size.path, aliases, graphs=False))


def is_made_longer(size: Size, aliases: Aliases) -> bool:
    """Whether what it was stays in it, as in `seen = torch.cat([seen, x])`: an accumulation, and no
    statement beside it that begins anew each time.
    """
    found = candidates(size.path, aliases)
    store = best(found, size.path, graphs=False)
    if store is None:  # one that is made but once, and written to by what it is given to
        return bool(found) and all(map(is_made_once, found))
    return store.accumulates and not any(_begins_anew(other, store) for other in found)


def _begins_anew(other: Store, store: Store) -> bool:
    """Whether it gives the name something else, in a loop around the one that adds to it, or for
    each call of the function where that is done in none.
    """
    body = body_around(store.file, store.line)
    if other.accumulates or other.how not in ("assign", "bind") or body is None:
        return False
    if (other.file, other.scope) != (store.file, store.scope) or is_beginning(other):
        return False
    return not store.in_loop or any(
        is_in([loop], other.line) for loop in loops_at(body, store.line)
    )


def _at(answer: Answer, found: Store | Registration | None) -> Answer:
    return answer if found is None else at_line(answer, found.file, found.line, found.code)


def _filled(size: Filled, before: Size | None, aliases: Aliases) -> Answer:
    """Of a container."""
    path, store = _grown_by(size.path, aliases)
    if isinstance(before, Filled) and before.count == size.count:  # what lies in it grows
        size = replace(size, count=size.things)
    told = Answer(
        holder=spoken(path), fills=_fills(store, size), suggestion=_change(path, store, size)
    )
    if store is not None and store.how == "return":
        change = told.suggestion if size.lost else None
        return at_cache(told, store, lambda cache: change or limit(cache, size.count))
    if store is None and size.logged is not None:
        return at_line(told, *size.logged, source_line(*size.logged))
    return _at(told, store)


def _grown_by(path: Path, aliases: Aliases) -> tuple[Path, Store | None]:
    """What makes it grow, and what that puts things into: what another's class keeps to itself, as
    an `ExitStack` what it leaves, grows by calls of its object.
    """
    if path.field:
        return path, best(stores([attribute(path.field)], own_files()), path, graphs=False)
    store = store_of(path, aliases, graphs=path.container == "tee")
    if store is not None or path.parent is None:
        return path, store
    given = store_of(path.parent, aliases, graphs=False)
    if not is_of_others(path):
        return path, given if is_set_once(path) else None
    given = given if given is not None and given.certain else None
    return path.parent if given is not None or path.name[:1] == "_" else path, given


def _change(path: Path, store: Store | None, size: Filled) -> str:
    labels = ("[0]",) if size.tensors else ()
    kept = Kept(spoken(size.path), kinds=(size.path.kind,), labels=labels)
    weight = size.weight
    if size.lost:
        return ask_by_value(kept, size.count)
    if weight.kept >= _VIEWS * weight.shown:
        return store_copies(kept, store, weight.shown / size.count, weight.kept / size.count)
    if path is not size.path and not size.limited:
        return let_go_early(spoken(path), size.count)
    return bound(kept, size.count, limited=size.limited)


def _fills(store: Store | None, size: Filled) -> bool:
    """Whether it ends some time: it is made to hold so many, throws out what is old, or is a cache
    by the way it is made or filled, and what it is asked for comes again.
    """
    path = size.path
    if size.limited:
        return True
    if store is None:
        return size.keyed and not size.endless
    if takes_out([store.file], path.name, attribute=path.attribute):
        return True
    is_cache = store.how == "return" or is_guarded(store.file, store.line)
    return is_cache and not size.endless


def _strewn(size: Strewn, aliases: Aliases) -> Answer:
    """Of what lies in no container."""
    whole, name = size.path, spoken(size.path)
    match size.how:
        case "hooks":
            root = size.example.root
            found = registration(root.file, root.line, own_files()) or _registered(whole.name)
            return _at(Answer(holder=name, suggestion=remove_hooks()), found)
        case "links":
            head = _head(whole, aliases)
            name = spoken(head.to(whole.name, whole.owners))
            change = cut_the_list(name, size.things)
            stores = [store_of(way, aliases, graphs=False) for way in (head, whole)]
        case _:
            change = name_the_same(name, size.things)
            stores = _of_parts(size, aliases)
    store = next((each for each in stores if each is not None), None)
    return _at(Answer(holder=name, suggestion=change), store)


def _head(link: Path, aliases: Aliases) -> Path:
    """Where the list begins: rather than one of the elements that were gathered from it, what one
    of them goes by besides.
    """
    head = link.parent if link.parent is not None else link
    if not head.index:
        return head
    gathered = f"{head.holder.expression}["
    names = (way for first, ways in aliases.items() if first.startswith(gathered) for way in ways)
    own = (way for way in names if not any(step.index for step in way.back()))
    head = min(own, key=lambda way: len(way.expression), default=head)
    while head.label == link.label and head.parent is not None:
        head = head.parent
    return head


def _of_parts(size: Strewn, aliases: Aliases) -> list[Store | None]:
    """What surely puts something there; what gives it an attribute of any name; what may do so."""
    whole, example = size.path, size.example
    part = next((step for step in example.back() if step.parent is whole), example)
    into = store_of(whole, aliases, graphs=False)
    by_name = best(of_any_attribute(part), part, graphs=False)
    return [into, by_name] if into is not None and into.certain else [by_name, into]


def _registered(kind: str) -> Registration | None:
    """The only statement that registers hooks of that kind, as `_forward_hooks`."""
    found = list(calls_of(f"register{kind.removesuffix('s')}", own_files()))
    statement = statement_at(found[0][0], found[0][1].lineno) if len(found) == 1 else None
    if statement is None:
        return None
    return Registration(found[0][0], statement.lineno, code_of(found[0][0], statement))
