"""A backward on a tensor that has no graph: which statement made it."""

from __future__ import annotations

import ast

from gradwatch_agent.diagnosis.place.at_line import at, loss_of
from gradwatch_agent.lines.sites import Site
from gradwatch_agent.naming import own_files
from gradwatch_agent.source.calls import fits
from gradwatch_agent.source.cut import is_cut
from gradwatch_agent.source.reading import called
from gradwatch_agent.source.statements import function_at, functions_named
from gradwatch_agent.source.stores import Store, attribute, stores, variable
from gradwatch_agent.verdicts.case import Answer


def of_graphless(site: Site | None) -> Answer:
    """Which statement made the tensor that a backward was called on, and that has no graph."""
    if site is None:
        return Answer()
    name = loss_of(site)
    suggestion = "Call backward on the tensor that the graph leads to, before it is detached."
    if name is None:
        return at(site, suggestion)
    before = [store for store in _stores(site, name) if store.line < site.line]
    if not before:
        return at(site, suggestion, name)
    store = before[-1]
    returned = _handed_back(store)
    if returned is not None:
        return at(returned, suggestion, name)
    return Answer(store.file, store.line, store.code, name, suggestion)


def _handed_back(store: Store) -> Site | None:
    """Where it comes from a function of the program's, the one of its returns that has no graph."""
    value = getattr(store.node, "value", None)
    if store.how != "assign" or not isinstance(value, ast.Call):
        return None
    known = functions_named(called(value), own_files())
    fitting = [(file, function) for file, function in known if fits(value, function)]
    lost = [
        Site(file, part.lineno, function.name)
        for file, function in fitting
        for part in ast.walk(function)
        if isinstance(part, ast.Return) and is_cut(part.value)
    ]
    return lost[0] if len(fitting) == len(lost) == 1 else None


def _stores(site: Site, name: str) -> list[Store]:
    last = name.rpartition(".")[2]
    if "." in name:
        found = stores([attribute(last)], {*own_files(), site.file})
        return sorted((s for s in found if s.file == site.file), key=lambda s: s.line)
    place = variable(site.file, function_at(site.file, site.line), name)
    found = stores([place], [site.file])
    return sorted((s for s in found if s.how in ("assign", "augment")), key=lambda s: s.line)
