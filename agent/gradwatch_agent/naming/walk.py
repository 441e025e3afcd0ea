"""One walk over everything that names lead to: breadth first, so that the shortest expressions come
first, and bounded.
"""

from __future__ import annotations

import functools
import types
from collections import deque
from collections.abc import Callable, Collection, Iterable
from typing import Any, Final

import torch

from gradwatch_agent.naming import inside
from gradwatch_agent.naming.callables import ON_A_TENSOR
from gradwatch_agent.naming.found import Found
from gradwatch_agent.naming.frames import Locals, alone, live, running, waiting
from gradwatch_agent.naming.modules import own_modules
from gradwatch_agent.naming.openings import way_into
from gradwatch_agent.naming.paths import Path
from gradwatch_agent.source.flow.loops import names_in_loop
from gradwatch_agent.torch_seam import graph_of, has_readable_node

_MOST_OBJECTS: Final = 40_000
"""Objects looked at; about 0.3 s. The nearest names come first."""

_FOR_MODULES: Final = _MOST_OBJECTS // 2
"""Of those, what is left for the globals of modules when the frames have been looked through."""

_FOR_WAITING: Final = _MOST_OBJECTS // 4
"""What is left, where that is asked for, for the variables of what waits without a name."""

_MOST_ALIASES: Final = 6
"""Names of one object that are remembered."""

_DEPTH: Final = 10
"""Steps from a name to a tensor."""

WAITING: Final = "`{}`, which waits"
"""How a generator or a coroutine that somebody has keeps its variables."""

MOST_LINKS: Final = 64
"""Elements of a linked list that are looked at."""


class Walk:
    """Made for one search, and cleared after it."""

    def __init__(self, found: Found) -> None:
        self.found = found
        self._first: dict[int, Path] = {}
        """The first way to each object that was met."""
        self.waiting: deque[tuple[Any, Path]] = deque()
        self.nameless: deque[tuple[Any, Path]] = deque()
        """What no expression leads to, a dict's keys: it may have a name elsewhere, and so is left
        until all that has names was met.
        """
        self.left = _MOST_OBJECTS
        self.locals = Locals()
        self._frames: set[int] = set()
        self._modules: set[int] = set()
        self._alone = alone()
        self._owners: dict[int, tuple[str, ...]] = {}
        self._into: dict[int, Callable[[Walk, Any, Path], None]] = {}
        self.aliases: dict[str, list[Path]] = {}

    @functools.cached_property
    def running(self) -> set[int]:
        """The ids of the frames that have not ended; asked for where an exception is met."""
        return running()

    def clear(self) -> None:
        """Lets go of all that was met."""
        self.waiting.clear()
        self.nameless.clear()
        self._first.clear()
        self.locals.clear()
        self.found = Found()

    def begin(self, skip: types.FrameType | None, *, closely: bool) -> None:
        """With every live frame's locals, and only then with the own modules' globals.

        A big program's modules would use up the search before it comes to what training holds; and
        what waits is called by what keeps it, if anything does.
        """
        for frame in live(skip):
            self.frame(frame)
        self.run(_FOR_MODULES)
        for file, names in own_modules():
            self._module(names, file)
        if closely:
            self.run(_FOR_WAITING)
            for frame in waiting():
                self.frame(frame)

    def begin_with(self, ways: Iterable[tuple[Any, Path]]) -> None:
        """With these."""
        self.waiting.extend(ways)

    def run(self, leave: int = 0) -> None:
        """Walks until all has been seen, or enough; so many objects are left to look at."""
        while self.left > leave:
            if self.waiting:
                value, path = self.waiting.popleft()
            elif self.nameless and not leave:
                value, path = self.nameless.popleft()
            else:
                return
            self.left -= 1
            self._meet(value, path)

    def _meet(self, value: Any, path: Path) -> None:
        kind = type(value)
        if issubclass(kind, torch.Tensor):
            self._tensor(value, path)
            return
        path.identity = id(value)
        first = self._first.setdefault(id(value), path)
        if first is not path:
            self._known_again(first, path)
        elif path.steps < _DEPTH and path.links < MOST_LINKS:
            into = self._into.get(id(kind))
            if into is None:
                into = self._into[id(kind)] = way_into(kind)
            into(self, value, path)

    def _known_again(self, first: Path, path: Path) -> None:
        if path.parent is not None and path.parent.container:
            self.found.again(first, path)
        element = path.index and not (path.parent is not None and path.parent.fields)
        # What a function has of many for a while, and what a loop's variable stands for.
        if not element or first.root.line or first.parent is None:
            others = self.aliases.setdefault(first.expression, [])
            if len(others) < _MOST_ALIASES:
                others.append(path)

    def names(
        self,
        names: dict[str, Any],
        file: str,
        code: types.CodeType | None = None,
        via: str = "",
        behind: Path | None = None,
    ) -> None:
        """Goes on from variables of a module, or of a function's `code`; from none called `_`."""
        line, function = (code.co_firstlineno, code.co_name) if code is not None else (0, "")
        for name, value in list(names.items()):
            told = name.isidentifier() and not name.startswith("__") and name != "_"
            if told and inside.may_hold(value):
                path = Path.of(name, file, line, function, via)
                path.behind = behind
                self.waiting.append((value, path))

    def frame(self, frame: types.FrameType, behind: Path | None = None) -> None:
        """Goes on from its variables, once; what goes by two is called by the one of which the loop
        speaks that is under way. `behind`: the way to what will go on with it.
        """
        code = frame.f_code
        if id(frame) in self._frames:
            return
        self._frames.add(id(frame))
        spoken = names_in_loop(code.co_filename, frame.f_lineno or 0)
        if frame.f_locals is frame.f_globals:
            self._module(frame.f_globals, code.co_filename, spoken)
        else:
            via = WAITING.format(code.co_name) if behind is not None else ""
            names = _first_of(self.locals.of(frame), spoken)
            self.names(names, code.co_filename, code, via, behind)

    def _module(
        self, names: dict[str, Any], file: str, spoken: Collection[str] = frozenset()
    ) -> None:
        """Goes on from its globals, once: the program's main module goes by several names."""
        if id(names) not in self._modules:
            self._modules.add(id(names))
            self.names(_first_of(names, spoken), file)

    def _tensor(self, value: torch.Tensor, path: Path) -> None:
        """A tensor may be met again under another name: each is told."""
        if not has_readable_node(value):
            return
        self.found.tensor(value, path)
        if (node := graph_of(value)) is not None:
            self.found.node(node, path)
        elif self._alone and value.requires_grad and value.is_leaf and value.grad is not None:
            gradient = value.grad
            self.found.tensor(gradient, (behind := path.to("grad", ("Tensor",))))
            if (node := graph_of(gradient)) is not None:
                self.found.node(node, behind)
        if id(value) not in self._first:
            self._first[id(value)] = path
            self._of_tensor(value, path)

    def _of_tensor(self, value: torch.Tensor, path: Path) -> None:
        """What hangs on a tensor itself: attributes of the user's, and its hooks."""
        own = inside.own_attributes(value)
        if own:
            self.attributes(value, own.items(), path)
        for hooks in (value._backward_hooks, value._post_accumulate_grad_hooks):  # noqa: SLF001
            if hooks:
                way = path.within(ON_A_TENSOR)
                self.waiting.extend((hook, way) for hook in list(hooks.values()))

    def attributes(self, owner: Any, items: Iterable[tuple[str, Any]], path: Path) -> None:
        """Goes on from attributes of the object that the way leads to."""
        kind = owner if issubclass(type(owner), type) else type(owner)
        owners = self._owners.get(id(kind))
        if owners is None:
            mro = type.__getattribute__(kind, "__mro__")
            owners = self._owners[id(kind)] = tuple(base.__name__ for base in mro[:-1])
        hidden = inside.is_internal(kind)
        for name, item in list(items):
            if type(name) is not str or name.startswith("__") or not inside.may_hold(item):
                continue
            self.waiting.append((item, path.within() if hidden else path.to(name, owners)))


def _first_of(names: dict[str, Any], spoken: Collection[str]) -> dict[str, Any]:
    """Those first that are spoken of."""
    known = {name: value for name, value in list(names.items()) if name in spoken}
    return {**known, **names} if known else names
