"""The names by which a running program holds its tensors: a search from frames and modules.

Owns the walk over locals, globals, closures, attributes and containers, each found thing with
the expression that leads to it. Nothing it meets is kept when it returns, and none of it is
asked anything: no code of the user's runs, were it only a __repr__. Must not know graphs.
"""

from __future__ import annotations

import dis
import functools
import inspect
import sys
import threading
import types
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import torch

from gradwatch_agent import training
from gradwatch_agent.sites import is_own
from gradwatch_agent.torch_seam import gradient_of, has_readable_node, plainly

_MOST_OBJECTS: Final = 60_000
"""Objects looked at; about 0.1 s. The nearest names come first."""

_MOST_ELEMENTS: Final = 4_096
"""Elements of one container looked at: the newest of them."""

_DEPTH: Final = 9
"""Steps from a name to a tensor."""


@dataclass(frozen=True, slots=True)
class Path:
    """How to get at something: `expression` in the user's words."""

    expression: str
    name: str
    """The last variable or attribute in it, that statements store into."""
    attribute: bool
    """Whether that is an attribute, not a variable."""
    file: str
    """Where the variable lives: the file of the frame or module."""
    function: str
    """The frame's function; empty for a global."""
    owner: str = ""
    """The class of the object whose attribute it is."""
    owner_file: str = ""
    container: str = ""
    """The kind of container it lies in ("list"), if it does."""
    size: int = 0
    """That container's number of elements."""
    via: str = ""
    """What keeps it if no name of the user's does: "hook", "closure", "traceback"."""
    steps: int = 0


Found = Callable[[torch.Tensor, Path], None]
Contained = Callable[[Collection[Any], Path], None]


def visit(
    found: Found | None, contained: Contained | None, skip: types.FrameType | None = None
) -> None:
    """Calls `found` with every tensor a name leads to, the shortest expressions first.

    `contained` is called with every container. `skip` and all frames below it are the agent's.
    """
    search = _Search(found, contained)
    try:
        with plainly():
            search.frames(skip)
            search.run()
    finally:
        search.clear()


class _Search:
    """One breadth-first walk."""

    def __init__(self, found: Found | None, contained: Contained | None) -> None:
        self._found = found
        self._contained = contained
        self._seen: set[int] = set()
        self._waiting: deque[tuple[Any, Path]] = deque()
        self._left = _MOST_OBJECTS
        self._snapshots: list[dict[str, Any]] = []

    def clear(self) -> None:
        """Lets go of all that was met; a snapshot of locals would keep it alive in its frame."""
        self._waiting.clear()
        for snapshot in self._snapshots:
            snapshot.clear()
        self._snapshots.clear()

    def frames(self, skip: types.FrameType | None) -> None:
        """Begins with the own modules' globals and every live frame's locals."""
        for module in list(sys.modules.values()):
            if (file := file_of_module(module)) and is_own(file):
                self._names(vars(module), file, "")
        mine = skip.f_back if skip is not None else None
        frames = sys._current_frames()  # noqa: SLF001
        del frames[threading.get_ident()]  # this very frame: a cycle that would keep them all
        for ident in training.threads:
            frames.pop(ident, None)
        stacks = [mine, *(f for f in frames.values() if not _is_below(f, skip))]
        for top in stacks:
            for frame in reversed(list(_outward(top))):
                if is_own(frame.f_code.co_filename):
                    self._frame(frame)

    def _frame(self, frame: types.FrameType, via: str = "") -> None:
        code = frame.f_code
        if frame.f_locals is frame.f_globals:
            self._names(frame.f_globals, code.co_filename, "", via)
            return
        local = frame.f_locals
        self._names(local, code.co_filename, code.co_name, via)
        # Up to Python 3.12 the frame keeps this snapshot, and all that was in it, alive.
        keeps = sys.version_info < (3, 13) and code.co_flags & inspect.CO_OPTIMIZED
        if keeps and not _reads_snapshot(code):
            self._snapshots.append(local)

    def _names(self, names: dict[str, Any], file: str, function: str, via: str = "") -> None:
        for name, value in list(names.items()):
            if not name.startswith("__") and _may_hold(value):
                path = Path(name, name, attribute=False, file=file, function=function, via=via)
                self._waiting.append((value, path))

    def run(self) -> None:
        """Walks until all has been seen, or enough."""
        while self._waiting and self._left > 0:
            value, path = self._waiting.popleft()
            if issubclass(type(value), torch.Tensor):
                self._tensor(value, path)
            elif id(value) not in self._seen:
                self._seen.add(id(value))
                self._left -= 1
                if path.steps < _DEPTH:
                    self._into(value, path)

    def _tensor(self, value: torch.Tensor, path: Path) -> None:
        """A tensor may be met again under another name: each is told."""
        self._left -= 1
        if self._found is None or not has_readable_node(value):
            return
        self._found(value, path)
        if value.is_leaf and value.requires_grad:
            gradient = gradient_of(value)
            if gradient is not None:
                self._found(gradient, _attribute(path, value, "grad"))

    def _into(self, value: Any, path: Path) -> None:
        """What an object holds."""
        kind = type(value)
        if issubclass(kind, dict):
            self._elements(value, ((_key(key), item) for key, item in _newest(value)), path)
        elif issubclass(kind, _SEQUENCES):
            newest = enumerate(list(elements(value))[-_MOST_ELEMENTS:])
            self._elements(value, ((f"[{index}]", item) for index, item in newest), path)
            self._attributes(value, path)
        elif issubclass(kind, types.FunctionType | types.MethodType | functools.partial):
            self._function(value, path)
        elif issubclass(kind, types.GeneratorType | types.CoroutineType):
            frame = getattr(value, "gi_frame", None) or getattr(value, "cr_frame", None)
            if frame is not None:
                self._frame(frame)
        elif issubclass(kind, BaseException):
            self._exception(value, path)
        else:
            self._attributes(value, path)

    def _elements(self, container: Any, items: Iterable[tuple[str, Any]], path: Path) -> None:
        kind, size = type(container).__name__, size_of(container)
        if self._contained is not None:
            self._contained(container, path)
        for label, item in items:
            if _may_hold(item):
                inside = Path(
                    path.expression + label,
                    path.name,
                    attribute=path.attribute,
                    file=path.file,
                    function=path.function,
                    owner=path.owner,
                    owner_file=path.owner_file,
                    container=path.container or kind,
                    size=path.size or size,
                    via=path.via,
                    steps=path.steps + 1,
                )
                self._waiting.append((item, inside))

    def _attributes(self, value: Any, path: Path) -> None:
        """An object's own attributes; of a module, its children by their plain names."""
        own = _own_attributes(value)
        if own:
            for name, item in list(own.items()):
                if name in ("_modules", "_buffers", "_parameters") and isinstance(item, dict):
                    for child, part in list(item.items()):
                        self._attribute(value, path, child, part)
                elif name.endswith("_hooks") and isinstance(item, dict):
                    for hook in list(item.values()):
                        self._attribute(value, path, name, hook)
                else:
                    self._attribute(value, path, name, item)
        for kind in type(value).__mro__[:-1]:
            slots = kind.__dict__.get("__slots__", ())
            for name in (slots,) if isinstance(slots, str) else slots:
                self._attribute(value, path, name, _slot(kind, name, value))
        if issubclass(type(value), type) and is_own(_file_of(value)):
            for name, item in list(vars(value).items()):
                self._attribute(value, path, name, item)

    def _attribute(self, owner: Any, path: Path, name: str, item: Any) -> None:
        if not name.startswith("__") and _may_hold(item):
            self._waiting.append((item, _attribute(path, owner, name)))

    def _function(self, value: Any, path: Path) -> None:
        """A function's closure and defaults, a method's object, a partial's arguments."""
        if isinstance(value, types.MethodType):
            self._waiting.append((value.__self__, _deeper(path)))
            value = value.__func__
        if isinstance(value, functools.partial):
            self._waiting.append(((value.func, value.args, value.keywords), _deeper(path)))
            return
        if not isinstance(value, types.FunctionType):
            return
        code = value.__code__
        if not is_own(code.co_filename):
            return
        for name, cell in zip(code.co_freevars, value.__closure__ or (), strict=False):
            item = _content(cell)
            if _may_hold(item):
                place = Path(
                    name,
                    name,
                    attribute=False,
                    file=code.co_filename,
                    function="",
                    via="closure",
                    steps=path.steps + 1,
                )
                self._waiting.append((item, place))
        if value.__dict__:
            self._attributes(value, path)
        for item in value.__defaults__ or ():
            if _may_hold(item):
                self._waiting.append((item, _deeper(path)))

    def _exception(self, error: BaseException, path: Path) -> None:
        """An exception kept by a name keeps the frames of its traceback."""
        trace = error.__traceback__
        while trace is not None:
            if is_own(trace.tb_frame.f_code.co_filename):
                self._frame(trace.tb_frame, via=f"traceback of `{path.expression}`")
            trace = trace.tb_next


_READERS: Final = frozenset({"locals", "vars", "exec", "eval"})
"""The builtins through which a function may read the snapshot of its own locals."""


@functools.lru_cache(maxsize=1_024)
def _reads_snapshot(code: types.CodeType) -> bool:
    """Whether the function calls one of them; `model.eval()` has the name, but is none."""
    return not _READERS.isdisjoint(code.co_names) and any(
        step.opname in ("LOAD_GLOBAL", "LOAD_NAME") and step.argval in _READERS
        for step in dis.get_instructions(code)
    )


def _attribute(path: Path, owner: Any, name: str) -> Path:
    kind = owner if issubclass(type(owner), type) else type(owner)
    return Path(
        f"{path.expression}.{name}",
        name,
        attribute=True,
        file=path.file,
        function=path.function,
        owner=kind.__name__,
        owner_file=_file_of(kind),
        via=path.via,
        steps=path.steps + 1,
    )


def _deeper(path: Path) -> Path:
    return Path(
        path.expression,
        path.name,
        attribute=path.attribute,
        file=path.file,
        function=path.function,
        owner=path.owner,
        owner_file=path.owner_file,
        container=path.container,
        size=path.size,
        via=path.via,
        steps=path.steps + 1,
    )


_SEQUENCES: Final[tuple[Any, ...]] = (list, tuple, set, frozenset, deque)


def elements(container: Any) -> Iterator[Any]:
    """What a container holds (of a dict, its values), whatever its class would say."""
    if issubclass(type(container), dict):
        return iter(dict.values(container))
    plain: Iterator[Any] = _plain(container).__iter__(container)
    return plain


def size_of(container: Any) -> int:
    """How many those are."""
    return int(_plain(container).__len__(container))


def _plain(container: Any) -> Any:
    """The builtin container that it is one of."""
    return next(kind for kind in (dict, *_SEQUENCES) if issubclass(type(container), kind))


def _slot(kind: type, name: str, value: Any) -> Any:
    slot = kind.__dict__.get(name)
    if not isinstance(slot, types.MemberDescriptorType):
        return None
    try:
        return slot.__get__(value)
    except AttributeError:  # empty
        return None


def _own_attributes(value: Any) -> dict[str, Any]:
    """The object's __dict__, without running any code of its class."""
    try:
        own = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return {}
    return own if type(own) is dict else {}


def _key(key: Any) -> str:
    """How an element is asked for; a key of a kind not known is not asked for its name."""
    return f"[{key!r}]" if type(key) in (str, int, float, bool) else "[...]"


def _newest(mapping: dict[Any, Any]) -> list[tuple[Any, Any]]:
    return list(dict.items(mapping))[-_MOST_ELEMENTS:]


def _content(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # empty
        return None


def _file_of(kind: type) -> str:
    return file_of_module(sys.modules.get(type.__getattribute__(kind, "__module__")))


def file_of_module(module: Any) -> str:
    """Its file, if it is a module and has one; a lazy module is not made to load."""
    if not issubclass(type(module), types.ModuleType):
        return ""
    file = types.ModuleType.__getattribute__(module, "__dict__").get("__file__")
    return file if isinstance(file, str) else ""


_PLAIN: Final = (
    type(None),
    bool,
    int,
    float,
    complex,
    str,
    bytes,
    bytearray,
    types.ModuleType,
    types.BuiltinFunctionType,
    torch.dtype,
    torch.device,
    torch.Size,
    torch.Generator,
)


def _may_hold(value: Any) -> bool:
    """Whether a tensor could lie behind it."""
    return not issubclass(type(value), _PLAIN)


def _outward(frame: types.FrameType | None) -> Iterator[types.FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


def _is_below(frame: types.FrameType, skip: types.FrameType | None) -> bool:
    """Whether the frame is one that the agent itself runs in."""
    return skip is not None and any(above is skip for above in _outward(frame))
