"""The search: breadth first, so that the shortest expressions come first, and bounded."""

from __future__ import annotations

import functools
import gc
import threading
import types
from collections import deque
from collections.abc import Callable, Collection, Iterable
from typing import Any, Final

import torch

from gradwatch_agent.naming import inside
from gradwatch_agent.naming.frames import Locals, alone, live, own_modules, waiting
from gradwatch_agent.naming.orphans import orphans
from gradwatch_agent.naming.paths import Path
from gradwatch_agent.sites import is_own
from gradwatch_agent.torch_seam import Node, graph_of, has_readable_node, plainly

_MOST_OBJECTS: Final = 40_000
"""Objects looked at; about 0.3 s. The nearest names come first."""

_FOR_MODULES: Final = _MOST_OBJECTS // 2
"""Of those, what is left for the globals of modules when the frames have been looked through."""

_MOST_ALIASES: Final = 6
"""Names of one object that are remembered."""

_DEPTH: Final = 10
"""Steps from a name to a tensor."""

_LINKS: Final = 64
"""Elements of a linked list that are looked at."""

_CHILDREN: Final = ("_modules", "_buffers", "_parameters")
"""Where a module keeps what its user calls its attributes."""

_CALLABLE: Final = (types.FunctionType, types.MethodType, functools.partial)

_RESUMABLE: Final = (types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType)

Contained = Callable[[Collection[Any], Path], None]


class Found:
    """What is told of a search; a caller overrides what he wants to know."""

    def node(self, node: Node, path: Path) -> None:
        """A graph that a name leads to: by a tensor, or by a node itself."""

    def tensor(self, tensor: torch.Tensor, path: Path) -> None:
        """A tensor that a name leads to, with or without a graph."""

    def container(self, container: Collection[Any], path: Path) -> None:
        """A list, dict, ... that a name leads to."""


def search(
    found: Found, skip: types.FrameType | None = None, *, closely: bool = False
) -> dict[str, list[Path]]:
    """Tells of everything that names lead to. `skip` and all frames below it are the agent's.

    `closely`: looks for generators besides that wait without a name, which costs some 20 ms.

    Returns the other names of what was met by more than one, by the first.
    """
    return _run(found, lambda walk: walk.begin(skip, closely=closely))


def search_orphans(found: Found) -> dict[str, list[Path]]:
    """Tells of what lies behind objects that keep themselves alive: closures, contexts.

    Of nothing while other threads train: some of it might be theirs.
    """
    return _run(found, lambda walk: walk.begin_with(orphans() if alone() else []))


def own_files() -> list[str]:
    """The files of the user's modules."""
    return sorted({file for file, _ in own_modules()})


def _run(found: Found, begin: Callable[[_Search], None]) -> dict[str, list[Path]]:
    walk = _Search(found)
    collecting = gc.isenabled()
    gc.disable()  # the many small objects made here would set off collections of all others
    try:
        with plainly():
            begin(walk)
            walk.run()
        return walk.aliases
    finally:
        walk.clear()
        if collecting:
            gc.enable()


class _Search:
    """One walk."""

    def __init__(self, found: Found) -> None:
        self._found = found
        self._first: dict[int, Path] = {}
        """The first way to each object that was met."""
        self._waiting: deque[tuple[Any, Path]] = deque()
        self._left = _MOST_OBJECTS
        self._locals = Locals()
        self._frames: set[int] = set()
        self._alone = alone()
        self._owners: dict[int, tuple[str, ...]] = {}
        self._into: dict[int, Callable[[Any, Path], None]] = {}
        self.aliases: dict[str, list[Path]] = {}

    def clear(self) -> None:
        """Lets go of all that was met."""
        self._waiting.clear()
        self._first.clear()
        self._locals.clear()
        self._into.clear()  # bound methods: a cycle that would keep what was found
        self._found = Found()

    def begin(self, skip: types.FrameType | None, *, closely: bool) -> None:
        """With every live frame's locals, and only then with the own modules' globals.

        A big program's modules would use up the search before it comes to what training holds.
        """
        for frame in (*live(skip), *(waiting() if closely else ())):
            self._frame(frame)
        self.run(_FOR_MODULES)
        for file, names in own_modules():
            self._names(names, file)

    def begin_with(self, ways: Iterable[tuple[Any, Path]]) -> None:
        """With these."""
        self._waiting.extend(ways)

    def run(self, leave: int = 0) -> None:
        """Walks until all has been seen, or enough; so many objects are left to look at."""
        while self._waiting and self._left > leave:
            self._left -= 1
            value, path = self._waiting.popleft()
            kind = type(value)
            if issubclass(kind, torch.Tensor):
                self._tensor(value, path)
                continue
            first = self._first.setdefault(id(value), path)
            if first is not path:
                self._known_again(first, path)
            elif path.steps < _DEPTH and path.links < _LINKS:
                into = self._into.get(id(kind))
                if into is None:
                    into = self._into[id(kind)] = self._way_into(kind)
                into(value, path)

    def _known_again(self, first: Path, path: Path) -> None:
        if not path.index:
            others = self.aliases.setdefault(first.expression, [])
            if len(others) < _MOST_ALIASES:
                others.append(path)

    def _way_into(self, kind: type) -> Callable[[Any, Path], None]:
        """How objects of a type are looked into."""
        if issubclass(kind, inside.CONTAINERS):
            return self._elements
        if issubclass(kind, _CALLABLE):
            return self._function
        if issubclass(kind, _RESUMABLE):
            return self._resumable
        if issubclass(kind, BaseException):
            return self._exception
        if issubclass(kind, threading.local):
            return self._of_this_thread
        if inside.is_node(kind):
            return self._node
        return self._object

    def _names(
        self,
        names: dict[str, Any],
        file: str,
        code: types.CodeType | None = None,
        via: str = "",
        behind: Path | None = None,
    ) -> None:
        line, function = (code.co_firstlineno, code.co_name) if code is not None else (0, "")
        for name, value in list(names.items()):
            if name.isidentifier() and not name.startswith("__") and inside.may_hold(value):
                path = Path.of(name, file, line, function, via)
                path.behind = behind
                self._waiting.append((value, path))

    def _frame(self, frame: types.FrameType) -> None:
        code = frame.f_code
        if id(frame) in self._frames:
            return
        self._frames.add(id(frame))
        if frame.f_locals is frame.f_globals:
            self._names(frame.f_globals, code.co_filename)
        else:
            self._names(self._locals.of(frame), code.co_filename, code)

    def _tensor(self, value: torch.Tensor, path: Path) -> None:
        """A tensor may be met again under another name: each is told."""
        if not has_readable_node(value):
            return
        self._found.tensor(value, path)
        if (node := graph_of(value)) is not None:
            self._found.node(node, path)
        elif self._alone and value.requires_grad and value.is_leaf and value.grad is not None:
            gradient = value.grad
            self._found.tensor(gradient, (behind := path.to("grad", ("Tensor",))))
            if (node := graph_of(gradient)) is not None:
                self._found.node(node, behind)
        if id(value) not in self._first:
            self._first[id(value)] = path
            self._of_tensor(value, path)

    def _of_tensor(self, value: torch.Tensor, path: Path) -> None:
        """What hangs on a tensor itself: attributes of the user's, and its hooks."""
        own = inside.own_attributes(value)
        if own:
            self._attributes(value, own.items(), path)
        hooks = value._backward_hooks  # noqa: SLF001
        if hooks:
            self._waiting.extend((hook, path.within("a hook on it")) for hook in hooks.values())

    def _node(self, node: Node, path: Path) -> None:
        self._found.node(node, path)
        self._attributes(node, inside.own_attributes(node).items(), path)

    def _elements(self, container: Any, path: Path) -> None:
        kind = type(container)
        path.container, path.fields = kind.__name__, inside.fields_of(kind)
        self._found.container(container, path)
        for label, index, item in inside.labelled(container):
            if len(self._waiting) > self._left:
                break
            if inside.may_hold(item):
                self._waiting.append((item, path.element(label, index=index)))
        self._attributes(container, inside.own_attributes(container).items(), path)

    def _object(self, value: Any, path: Path) -> None:
        """An object's own attributes; of a module, its children by their plain names."""
        own = inside.own_attributes(value)
        for name, item in list(own.items()):
            if name in _CHILDREN and isinstance(item, dict):
                self._attributes(value, item.items(), path)
            elif name.endswith("_hooks") and isinstance(item, dict):
                hooks = list(item.values())
                way = path.to(name, ()).within("a hook")
                self._waiting.extend((hook, way) for hook in hooks)
            else:
                self._attributes(value, ((name, item),), path)
        self._attributes(value, inside.slots(value), path)
        if issubclass(type(value), type):
            if is_own(inside.file_of(value)):
                self._attributes(value, list(vars(value).items()), path)
        else:
            self._waiting.extend((item, path.within()) for item in inside.referents(value))

    def _attributes(self, owner: Any, items: Iterable[tuple[str, Any]], path: Path) -> None:
        kind = owner if issubclass(type(owner), type) else type(owner)
        owners = self._owners.get(id(kind))
        if owners is None:
            mro = type.__getattribute__(kind, "__mro__")
            owners = self._owners[id(kind)] = tuple(base.__name__ for base in mro[:-1])
        hidden = inside.is_internal(kind)
        for name, item in list(items):
            if type(name) is not str or name.startswith("__") or not inside.may_hold(item):
                continue
            self._waiting.append((item, path.within() if hidden else path.to(name, owners)))

    def _of_this_thread(self, value: Any, path: Path) -> None:
        """A threading.local keeps its attributes in one dict for each thread."""
        for every in gc.get_referents(value):
            for own in dict.values(every) if type(every) is dict else ():
                if type(own) is dict:
                    self._attributes(value, own.items(), path)

    def _resumable(self, value: Any, _: Path) -> None:
        """A generator or coroutine that waits keeps its locals."""
        for attribute in ("gi_frame", "cr_frame", "ag_frame"):
            frame = getattr(value, attribute, None)
            if frame is not None and is_own(frame.f_code.co_filename):
                self._frame(frame)

    def _function(self, value: Any, path: Path) -> None:
        """A function's closure and defaults, a method's object, a partial's arguments."""
        for part, is_code in inside.unwrapped(value):
            if is_code:
                self._function(part, path)
            elif inside.may_hold(part):
                self._waiting.append((part, path.within()))
        if not isinstance(value, types.FunctionType):
            return
        code = value.__code__
        cells = zip(code.co_freevars, value.__closure__ or (), strict=False)
        closed = {name: inside.content(cell) for name, cell in cells}
        if not is_own(code.co_filename):  # a library's wrapper around what it was given
            held = [item for item in closed.values() if inside.may_hold(item)]
            self._waiting.extend((item, path.within()) for item in held)
            return
        self._names(closed, code.co_filename, code, f"the closure of `{code.co_name}`", path)
        self._attributes(value, value.__dict__.items(), path)
        given = value.__defaults__ or ()
        names = code.co_varnames[: code.co_argcount][code.co_argcount - len(given) :]
        defaults = {**dict(zip(names, given, strict=False)), **(value.__kwdefaults__ or {})}
        self._names(defaults, code.co_filename, code, f"a default of `{code.co_name}`", path)

    def _exception(self, error: BaseException, path: Path) -> None:
        """An exception kept by a name keeps the frames of its traceback."""
        self._attributes(error, inside.own_attributes(error).items(), path)
        trace = error.__traceback__
        while trace is not None:
            frame = trace.tb_frame
            if is_own(frame.f_code.co_filename):
                way = path.within(
                    f"a traceback, which keeps the locals of `{frame.f_code.co_name}`"
                )
                items = list(self._locals.of(frame).values())
                self._waiting.extend((item, way) for item in items if inside.may_hold(item))
            trace = trace.tb_next
        for cause in (error.__cause__, error.__context__):
            if cause is not None:
                self._waiting.append((cause, path.within()))
