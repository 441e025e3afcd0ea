"""The statement that put something where a name leads to.

Owns the choice among all that may have. Must not know graphs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from gradwatch_agent.lines.sites import Site
from gradwatch_agent.naming import Path, own_files
from gradwatch_agent.source.flow.beginning import is_beginning
from gradwatch_agent.source.flow.filling import filled
from gradwatch_agent.source.flow.loops import is_preparing
from gradwatch_agent.source.gradients.cut import hands_back_cut
from gradwatch_agent.source.stored.stores import (
    ANY,
    Place,
    Store,
    attribute,
    passed_to,
    stores,
    variable,
)
from gradwatch_agent.source.syntax.places import contents
from gradwatch_agent.source.syntax.reading import speaks_of
from gradwatch_agent.source.syntax.statements import classes_named
from gradwatch_agent.source.syntax.vocabulary import ADDING

_FAILED_CUTS = ("clone", "requires_grad_", "deepcopy", "copy")
"""Of several statements that carry the graph on, one that does so is meant to end it."""

Aliases = dict[str, list[Path]]
"""Other names of things that have several, by the first."""


def place_of(path: Path) -> Place:
    """What statements store into, to get there."""
    if path.attribute:
        return attribute(path.name)
    return variable(path.file, path.line, path.name)


def candidates(path: Path, aliases: Aliases | None = None) -> list[Store]:
    """Every statement that may have stored what lies there, those that carry no graph too."""
    ways = [
        path,
        *(
            other
            for step in path.back()
            if step.name == path.name
            for other in _others(step, aliases)
        ),
    ]
    files = {*own_files(), *(way.file for way in ways if way.file)}
    own = [name for s in path.back() if s.named is path.named for name in s.classes[:-1]]
    found = stores([*map(place_of, ways), *map(contents, own)], sorted(files))
    if not found and path.root.behind is not None and not path.attribute:  # a maker's parameter
        found = stores([*passed_to(place_of(path), sorted(files))], sorted(files))
    keys = {step.label[1:-1] for step in path.back() if step.label.startswith("[")}
    return [
        store
        for store in found
        if (store.key is None or store.key in keys or not keys) and _may_be_his(store, path)
    ]


def by_any_key(path: Path) -> bool:
    """Whether it is an element that is stored under a key which the program makes up."""
    into = [store for store in candidates(path) if "[" in store.target]
    named = path.label.startswith("['") and bool(into)
    return named and all(store.key is None for store in into)


def spoken(path: Path) -> str:
    """The way as a user would write it; where it leads over what has no name, and then to an
    attribute that its class stores into, more than `None` to begin with: as that class does.
    """
    if "[...]" not in path.expression:
        return path.expression
    steps = list(path.back())
    outer = next(number for number, step in enumerate(steps) if step.label == "[...]")
    inner = [number for number, step in enumerate(steps[:outer]) if step.label[:1] == "."]
    if not inner:
        return path.expression
    owner = steps[inner[-1]]
    own = (s for s in candidates(owner) if s.own and s.owner in owner.owners)
    if all(s.fresh and s.how == "assign" for s in own):
        return path.expression
    return "self" + "".join(step.label for step in reversed(steps[: inner[-1] + 1]))


def as_stored_into(path: Path, store: Store | None, aliases: Aliases) -> Path:
    """The way by the name that the statement says, where the thing goes by that one, too."""
    said = store.target.partition("[")[0].rpartition(".")[2] if store is not None else path.name
    if path.name == said or path.index:
        return path
    return next((way for way in _others(path, aliases) if way.name == said), path)


def known_as(path: Path) -> str:
    """The same, but not into what an object of another's class keeps to itself, nor into what a
    distribution was made with.
    """
    for step in [*path.back()][::-1]:
        if step.parent is not None and _is_within_others(step) and not candidates(step):
            return spoken(step.parent)
    return spoken(path)


def _is_within_others(step: Path) -> bool:
    """Whether no user would speak of the attribute; a module's hooks are known by theirs."""
    hidden = step.label.startswith("._") and not step.label.endswith("_hooks")
    hidden = hidden and not any(any(classes_named(k, own_files())) for k in step.owners[:1])
    return hidden or ("Distribution" in step.owners and step.label[:1] == ".")


def of_any_attribute(known: Path) -> list[Store]:
    """The statements that may have stored an attribute under a name made up at run time, those that
    speak of its object by its name before any others; none if there is one that spells the
    attribute's own, or that gives it to a record as it is made.
    """
    if candidates(known) or any(filled(kind, known.name, own_files()) for kind in known.owners):
        return []
    found = stores([ANY], own_files())
    found = [s for s in found if not _is_of_self(s) or s.owner in ("", *known.owners)]
    owner = known.parent.name if known.parent is not None else ""
    return [s for s in found if s.target.rpartition(".")[2] == owner] or found


def _is_of_self(store: Store) -> bool:
    """Whether it stores into its own object, and not, as a descriptor does, into another's."""
    return re.match(r"self\b", store.target) is not None


def is_set_once(path: Path, *, tensor: bool = False) -> bool:
    """Whether only a constructor sets the attribute, and its object is what is replaced. A `tensor`
    is set by no call of what may only read it.
    """
    if not path.attribute or path.parent is None:
        return False
    every = candidates(path) or of_any_attribute(path)
    found = (store for store in every if store.certain or not tensor)
    set_by_others = any(not _sets_up(store) for store in found)
    return not set_by_others and any(not s.constructs for s in candidates(path.parent))


def _sets_up(store: Store) -> bool:
    """Whether it stands in a constructor, or in the class's body: a dataclass's default."""
    return store.constructs or (bool(store.owner) and not store.function)


def is_given_as_a_whole(path: Path, *, tensor: bool) -> bool:
    """Whether its object alone is given to anything: no statement of the program's stores into the
    attribute, as into a distribution's, or a constructor's only.
    """
    return is_of_others(path) or is_set_once(path, tensor=tensor)


def is_of_others(path: Path) -> bool:
    """Whether it is an attribute that the program stores nothing into, of another's class."""
    own = any(any(classes_named(kind, own_files())) for kind in path.owners[:1])
    if own or not path.attribute or path.index or not _CHANGING.isdisjoint(path.owners):
        return False
    return not candidates(path)


_CHANGING: Final = frozenset(("Tensor", "Module", "Optimizer"))
"""Kinds of torch's whose attributes come and go: they are not what such a thing was made with."""


def _others(step: Path, aliases: Aliases | None) -> list[Path]:
    return aliases.get(step.expression, []) if aliases else []


def _may_be_his(store: Store, path: Path) -> bool:
    """Not the attribute of the same name of quite another class; a decorator of methods speaks of
    `self` outside of any.
    """
    if not path.attribute or not store.owner or not path.owners:
        return True
    if not store.own and store.target != path.name:  # neither `self.x` nor a class's own `x`
        return True
    last = store.target.partition("[")[0].rpartition(".")[2]
    return last != path.name or store.owner in path.owners


def best(
    found: Iterable[Store],
    path: Path,
    made: tuple[Site, ...] = (),
    used: tuple[Site, ...] = (),
    *,
    inside: bool = False,
    graphs: bool = True,
) -> Store | None:
    """The likeliest of them: the one on the way of the thing's making, if any.

    `graphs`: what is sought has one; else it is what grows. `inside`: the thing lies in what the
    name stands for, so that giving the name something else explains nothing; else it is no
    container, to which something would be added. A call that merely was given the container counts
    only if nothing else stores into it, and if it is the only one.
    """
    able = [store for store in found if (_may_carry(store) if graphs else store.adds)]
    certain = [store for store in able if store.certain]
    if not certain:
        called = [store for store in able if is_on(store, (*made, *used))] or able
        certain = called if len(called) == 1 else []
    one = len({(store.file, store.function) for store in certain}) == 1
    within = inside or path.label.startswith("[")
    return max(certain, key=_Likelihood(path, made, used, within, one), default=None)


@dataclass(frozen=True, slots=True)
class _Likelihood:
    """Which of two statements is the likelier to have stored it: what tells most, first."""

    path: Path
    made: tuple[Site, ...]
    used: tuple[Site, ...]
    within: bool
    """Whether the thing lies in what the path leads to."""
    of_one: bool
    """Whether all of the statements are one function's."""

    def __call__(self, store: Store) -> tuple[bool, ...]:
        sites = (*self.made, *self.used)
        functions = {(site.file, site.function) for site in sites}
        return (
            is_on(store, sites) and speaks_of(store.node, *_FAILED_CUTS),
            is_on(store, sites) and store.adds_to_itself,
            is_on(store, self.made),
            is_on(store, self.used),
            not is_beginning(store) and not is_preparing(store),
            self.within or store.how not in ADDING,
            not self.within or store.how not in ("assign", "bind") or "[" in store.target,
            store.how != "bind",
            (store.file, store.function) in functions,
            bool(self.path.owners) and store.owner in self.path.owners,
            store.in_loop or (bool(store.function) and not store.constructs),
            store.in_loop or not self.of_one,
        )


def _may_carry(store: Store) -> bool:
    return not store.fresh and not hands_back_cut(store.node, own_files())


def is_on(store: Store, sites: tuple[Site, ...]) -> bool:
    """Whether one of the lines is the statement's."""
    span = range(store.line, store.end_line + 1)
    return any(site.file == store.file and site.line in span for site in sites)


def store_of(path: Path, aliases: Aliases | None = None, *, graphs: bool = True) -> Store | None:
    """The statement that stores into the name, where nothing is known of the thing's making."""
    return best(candidates(path, aliases), path, inside=bool(path.container), graphs=graphs)
