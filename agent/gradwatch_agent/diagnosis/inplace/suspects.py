"""Statements that may have changed a tensor in place, where no graph leads to the one that did."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable

import torch

from gradwatch_agent.diagnosis.place.stored import place_of
from gradwatch_agent.lines.sites import Site
from gradwatch_agent.naming import Found, Path, own_files, search
from gradwatch_agent.source.flow.ahead import is_set_up
from gradwatch_agent.source.flow.calls import only_call
from gradwatch_agent.source.gradients.changing import InPlace, changes, changes_of_weights
from gradwatch_agent.source.gradients.hooks import heard_by_hooks
from gradwatch_agent.source.stored.stores import known_places, places_read, targets_at
from gradwatch_agent.source.syntax.places import Place, attribute
from gradwatch_agent.source.syntax.statements import body_around, function_at
from gradwatch_agent.torch_seam import Node, forward_of, storage_of


class _Sharing(Found):
    """The names of what lies in the same memory, and the variables that do not."""

    def __init__(self, storage: int) -> None:
        self._storage = storage
        self.paths: list[Path] = []
        self.others: list[Path] = []

    def tensor(self, tensor: torch.Tensor, path: Path) -> None:
        if storage_of(tensor) == self._storage:
            self.paths.append(path)
        elif path is path.root:
            self.others.append(path)


def suspects(whole: torch.Tensor, made: tuple[Site, ...], *, weights: bool) -> list[InPlace]:
    """By the names that lead to the same memory, and by the one it was given where it was made;
    where those are gone, by what was read there.

    `weights`: it is one, so that those count, too, that go over all parameters.
    """
    sharing = _Sharing(storage_of(whole))
    search(sharing, sys._getframe(1))  # noqa: SLF001
    files = own_files()
    places = [place_of(path) for path in sharing.paths]
    others = {place_of(path) for path in sharing.others}
    places += [attribute(path.field) for path in sharing.paths if path.field]
    if made and not weights:  # a weight was made by no statement that saved it
        places += targets_at(made[0].file, made[0].line)
    found = _changing(places, files)
    for site in made if not weights else ():
        found = found or _changing(places_read(site.file, site.line), files)
    if weights:
        found += [change for file in files for change in changes_of_weights(file)]
    if weights and not found:
        return loads()
    others -= set(places)
    # What an element was put into (`out[i] = h[i]`) has a copy of it.
    found = [each for each in found if each.place not in others] or found
    # What makes things ready, as `nn.init.normal_`, ran before the tensor was saved.
    return [each for each in found if not is_set_up(each.file, each.line, files)] or found


def loads() -> list[InPlace]:
    """The statements that give all of a module's weights other values while it trains."""
    files = own_files()
    loaded = [change for file in files for change in changes(file) if change.how == "weights"]
    return [each for each in loaded if not is_set_up(each.file, each.line, files)]


def named(weight: torch.Tensor) -> str | None:
    """The shortest name that leads to it, if any does but its optimizer's."""
    sharing = _Sharing(storage_of(weight))
    search(sharing, sys._getframe(1))  # noqa: SLF001
    names = [path.expression for path in sharing.paths]
    own = [name for name in names if "[...]" not in name and ".param_groups[" not in name]
    return min(own, key=len, default=None)


def _changing(places: Iterable[Place], files: list[str]) -> list[InPlace]:
    """The statements that change what lies in one of the places, by whatever name."""
    every = known_places(places, files, views=True)
    files = sorted({*files, *(place.file for place in every if place.file)})
    return [c for file in files for c in changes(file) if c.place in every]


def in_its_forward(node: Node) -> list[InPlace]:
    """Those of a custom Function's forward: what it saves may be changed by its next call."""
    code = forward_of(node)
    if code is None:
        return []
    file, line = code.co_filename, code.co_firstlineno
    return [each for each in changes(file) if function_at(file, each.line) == line]


def in_hooks() -> list[InPlace]:
    """Those by which forward hooks change what a module gives, or have it changed."""
    files = own_files()
    return _changing(heard_by_hooks(files), files)


def call_of_all(lines: list[tuple[str, int]], made: tuple[Site, ...]) -> Site | None:
    """The call of the function that all these lines are of: whichever it was, that call changed it.

    None if others may call it, or if what was changed was saved in there, too.
    """
    bodies = {(file, function_at(file, line)) for file, line in lines}
    if len(bodies) > 1 or not made:
        return None
    file, begins = bodies.pop()
    body = body_around(file, lines[0][1])
    inside = (made[0].file, function_at(made[0].file, made[0].line)) == (file, begins)
    if inside or body is None or isinstance(body, ast.Module):
        return None
    call = only_call(body, own_files())
    return Site(call[0], call[1].lineno, "") if call is not None else None
