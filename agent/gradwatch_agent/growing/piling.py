"""Hooks that are registered in every iteration and removed in none: where, and on what.

Torch numbers the hooks, so that the first of an iteration costs nothing to see. Only where they go
on coming, the dicts are watched that they are put into; none is kept alive.
"""

from __future__ import annotations

import itertools
import sys
import weakref
from dataclasses import dataclass, replace
from types import FrameType
from typing import Any, Final

import torch

from gradwatch_agent.advice.bounding import remove_hooks
from gradwatch_agent.diagnosis.place.at_line import at
from gradwatch_agent.diagnosis.place.stored import spoken
from gradwatch_agent.guard import Guard
from gradwatch_agent.lines.sites import Site, call_sites
from gradwatch_agent.naming import Found, Path, search
from gradwatch_agent.naming.frames import Locals
from gradwatch_agent.torch_seam import Registrations, compiles, hooks_made
from gradwatch_agent.verdicts.case import Answer
from gradwatch_agent.verdicts.piled import Pile

_OFTEN: Final = 4
"""Iterations that register some before it is watched where: what is set up comes once or twice."""

_GROWS: Final = 16
"""Iterations in which the same dict has grown, so that it is no probe of each layer in its turn."""

_QUIET: Final = 16
"""Iterations without any after which it is no longer watched."""

_LATER: Final = 4
"""Times as many before it is watched again where none had: each was removed after its use."""

_REGISTERING: Final = 4
"""Frames from what notes a hook out to the method that registers it."""

_MOST: Final = 64
"""Dicts watched; tensors that come and go have one each."""


@dataclass(slots=True)
class _Dict:
    """One that hooks were put into."""

    there: weakref.ref[Any]
    owner: weakref.ref[Any] | None
    """The module or tensor whose hooks they are."""
    site: Site | None
    length: int = 0
    grew: int = 0
    last: int = 0
    """The iteration that was last seen to."""
    began: int = 0
    """The iteration that was first seen to put one there."""


class Piling:
    """Of one training thread."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard
        self._made = hooks_made()
        self._registering = 0
        """Iterations that did, since the last watch."""
        self._quiet = 0
        """Those in a row that did not."""
        self._due = _OFTEN
        self._watched: dict[int, _Dict] = {}
        self._registrations: Registrations | None = None
        self._pile: _Dict | None = None

    def over(self, number: int) -> Pile | None:
        """An iteration is. What has piled up by then, as long as it does."""
        made, self._made = self._made, hooks_made()
        if self._pile is not None:
            return self._still(self._pile, number)
        if made == self._made:
            self._quiet += 1
            if self._quiet >= _QUIET:
                self.end()
            return None
        self._quiet = 0
        self._registering += 1
        if self._registrations is None:
            if self._registering >= self._due and not compiles():
                self._watch()
            return None
        self._look(number)
        grown = [each for each in self._watched.values() if each.grew >= _GROWS]
        if grown:
            self._pile = max(grown, key=lambda each: each.length)
        if grown or self._registering >= self._due + 2 * _GROWS:
            self.end()
        return self._still(self._pile, number) if self._pile is not None else None

    @property
    def seems(self) -> bool:
        """Whether some seem to pile up, or do."""
        return self._pile is not None or any(each.grew > 1 for each in self._watched.values())

    def answer(self) -> Answer:
        """The statement that registers them, and what on."""
        pile = self._pile
        if pile is None:
            return Answer()
        answer = at(pile.site, remove_hooks())
        owner = pile.owner() if pile.owner is not None else None
        named = _Named(owner)
        search(named, sys._getframe(1))  # noqa: SLF001
        if named.path is None:
            return answer
        return replace(answer, holder=spoken(named.path) + _attribute(owner, pile.there()))

    def end(self) -> None:
        """None is watched any more: the patch is taken back."""
        if self._registrations is None:
            return
        self._registrations.ignore()
        self._registrations = None
        self._watched.clear()
        self._due = _LATER * self._registering
        self._registering = 0

    def _still(self, pile: _Dict, number: int) -> Pile | None:
        """None where it has not grown for as long as it took to be one: all that was to be set up
        is; or where some were removed.
        """
        there = pile.there()
        count = len(there) if there is not None else 0
        if count > pile.length:
            pile.length, pile.last = count, number
        over = number - pile.last > max(_GROWS, pile.last - pile.began)
        if there is None or over or 2 * count < pile.length:
            self._pile = None
            return None
        return Pile(count, pile.began, number - pile.began + 1)

    def _watch(self) -> None:
        self._registrations = Registrations(self._registered)
        self._registrations.hear()

    def _registered(self, hooks: dict[int, Any]) -> None:
        self._guard.call("diagnosis", self._note, hooks)

    def _note(self, hooks: dict[int, Any]) -> None:
        if id(hooks) in self._watched or len(self._watched) >= _MOST:
            return
        registering = sys._getframe(_REGISTERING)  # noqa: SLF001
        sites = call_sites(registering)
        owner = _reference(_owner(registering))
        self._watched[id(hooks)] = _Dict(weakref.ref(hooks), owner, next(iter(sites), None))

    def _look(self, number: int) -> None:
        """Which have grown since the last look; what has not, or is gone, is no pile."""
        for key, each in list(self._watched.items()):
            there = each.there()
            if there is None or len(there) <= each.length:
                del self._watched[key]
                continue
            each.began = each.began or number
            each.length, each.grew, each.last = len(there), each.grew + 1, number


class _Named(Found):
    """By which name a module or a tensor goes: a module by a parameter, its own or a part's."""

    def __init__(self, thing: object) -> None:
        self._thing = thing
        self.path: Path | None = None

    def tensor(self, tensor: torch.Tensor, path: Path) -> None:
        """Takes the first way there is."""
        if self.path is None:
            steps = [path] if tensor is self._thing else path.back()
            same = (step for step in steps if step.identity == id(self._thing))
            self.path = next(same, path if tensor is self._thing else None)


def _owner(frame: FrameType | None) -> object:
    """Whose method it is that puts the hook there."""
    local = Locals()
    try:
        return local.of(frame).get("self") if frame is not None else None
    finally:
        local.clear()


def _attribute(owner: object, hooks: object) -> str:
    """By which attribute a module has them; a tensor shows none."""
    found = (name for name, value in vars(owner).items() if value is hooks)
    return "".join(f".{name}" for name in itertools.islice(found, 1))


def _reference(thing: object) -> weakref.ref[Any] | None:
    """None of what cannot be referred to weakly."""
    try:
        return weakref.ref(thing)
    except TypeError:
        return None
