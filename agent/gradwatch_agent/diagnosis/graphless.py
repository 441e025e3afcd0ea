"""A backward on a tensor that has no graph: which statement made it."""

from __future__ import annotations

from gradwatch_agent.diagnosis.place.at_line import at, loss_of
from gradwatch_agent.lines.sites import Site
from gradwatch_agent.naming import own_files
from gradwatch_agent.source.statements import function_at
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
    return Answer(store.file, store.line, store.code, name, suggestion)


def _stores(site: Site, name: str) -> list[Store]:
    last = name.rpartition(".")[2]
    if "." in name:
        found = stores([attribute(last)], {*own_files(), site.file})
        return sorted((s for s in found if s.file == site.file), key=lambda s: s.line)
    place = variable(site.file, function_at(site.file, site.line), name)
    found = stores([place], [site.file])
    return sorted((s for s in found if s.how in ("assign", "augment")), key=lambda s: s.line)
