"""What is said of what grows in no container: hooks, parts and attributes, a linked list."""

from __future__ import annotations

from gradwatch_agent.advice.bounding import cut_the_list, name_the_same, remove_hooks
from gradwatch_agent.diagnosis.place.at_line import at_statement
from gradwatch_agent.diagnosis.place.stored import (
    Aliases,
    as_stored_into,
    best,
    of_any_attribute,
    spoken,
    store_of,
)
from gradwatch_agent.growing.measuring import Strewn
from gradwatch_agent.naming import Path, own_files
from gradwatch_agent.source.flow.calls import calls_of
from gradwatch_agent.source.gradients.hooks import Registration, registration
from gradwatch_agent.source.syntax.text import code_of, statement_at
from gradwatch_agent.verdicts.case import Answer


def of_strewn(size: Strewn, aliases: Aliases) -> Answer:
    """At the statement that puts one more of it there."""
    match size.how:
        case "hooks":
            return _of_hooks(size)
        case "links":
            return _of_a_list(size.path, size.things, aliases)
    return _of_parts(size, aliases)


def _of_hooks(size: Strewn) -> Answer:
    root = size.example.root
    found = registration(root.file, root.line, own_files()) or _registered(size.path.name)
    return at_statement(Answer(holder=spoken(size.path), suggestion=remove_hooks()), found)


def _of_a_list(link: Path, count: int, aliases: Aliases) -> Answer:
    """Where it is made longer; else where it begins with the next."""
    head = _head(link, aliases)
    name = spoken(head)
    store = (
        store_of(head, aliases, graphs=False)
        or store_of(link, aliases, graphs=False)
        or store_of(head, aliases)
    )
    change = cut_the_list(f"{name}.{link.name}", count)
    return at_statement(Answer(holder=name, suggestion=change), store)


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


def _of_parts(size: Strewn, aliases: Aliases) -> Answer:
    """Where something is surely put there; else where it is given an attribute of any name; else
    where something may be put there.
    """
    whole, example = size.path, size.example
    part = next((step for step in example.back() if step.parent is whole), example)
    store = store_of(whole, aliases, graphs=False)
    if store is None or not store.certain:
        store = best(of_any_attribute(part), part, graphs=False) or store
    name = spoken(as_stored_into(whole, store, aliases))
    return at_statement(Answer(holder=name, suggestion=name_the_same(name, size.things)), store)


def _registered(kind: str) -> Registration | None:
    """The only statement that registers hooks of that kind, as `_forward_hooks`."""
    found = list(calls_of(f"register{kind.removesuffix('s')}", own_files()))
    statement = statement_at(found[0][0], found[0][1].lineno) if len(found) == 1 else None
    if statement is None:
        return None
    return Registration(found[0][0], statement.lineno, code_of(found[0][0], statement))
