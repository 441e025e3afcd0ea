"""The only file that knows torch's private names: where the agent touches the framework.

Owns the patch of the autograd engine's entry, the optimizer hook, and every look at a graph
node's inside. Must not know what is done with it: a `Listener` is told, and asked nothing.

Private names used, all seen in torch 2.4 to 2.13, and what the agent does without them:
  torch.autograd._engine_run_backward   the one call that backward() and grad() both make;
                                        without it the agent refuses to start
  torch._C._current_graph_task_id       tells a backward inside a backward (checkpointing);
                                        without it the agent refuses to start
  torch._C._autograd._get_sequence_nr   the counter that numbers nodes, one for each thread;
                                        without it the agent refuses to start
  Node._raw_saved_*                     saved tensors, read without unpacking (no hook runs);
                                        without them saved memory reads as 0
  SavedTensor.register_hooks            refuses what was freed in words of its own; without them
                                        a second backward is told only once it has failed
  torch.fx.traceback.format_stack       what anomaly mode writes into each new node; without it the
                                        lines of graphs that died unreached are not known
  torch._C._FunctionBase                the base of custom Functions
  Optimizer.step.hooked                 set once an optimizer of the class was made;
                                        without it the first iterations end at each backward
"""

from __future__ import annotations

import functools
import operator
import sys
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from threading import get_ident
from typing import Any, Final, Protocol

import torch
import torch.fx.traceback
from torch.optim.optimizer import Optimizer, register_optimizer_step_post_hook

from gradwatch_agent import training
from gradwatch_agent.doze import Doze
from gradwatch_agent.guard import Guard
from gradwatch_agent.sites import Site, call_site
from gradwatch_agent.wire import Call

OLDEST_TORCH: Final = (2, 4)

Node = Any
"""An autograd node; torch exports no useful type for it."""

Context: Final = torch._C._FunctionBase
"""The base of custom Functions: an instance is the node, and the ctx that the user sees."""

LEAF: Final = 1 << 62
"""Sequence numbers at or above this belong to AccumulateGrad, which has the maximum."""

SECOND_TIME: Final = "backward through the graph a second time"
INPLACE: Final = "modified by an inplace operation"

_FREED: Final = "after it has been freed"
"""What torch says of a saved tensor whose buffer is gone; seen in 2.4 to 2.13."""
NO_GRAPH: Final = "does not require grad"

_SAVED: Final = "gradwatch.saved"
"""A note on a custom Function's node that it had saved something, for once freed it forgets."""

sequence_number: Callable[[], int] = torch._C._autograd._get_sequence_nr
"""The number that the calling thread's next node will get."""

sequence_of: Callable[[Node], int] = operator.methodcaller("_sequence_nr")
"""The number of a node; one C call, for the census makes it for every node it walks."""

plainly: Callable[[], AbstractContextManager[None]] = torch._C.DisableTorchFunctionSubclass
"""While it is on, asking a tensor of a subclass runs no code of that."""

_autograd: Any = torch.autograd
"""The module whose global is patched; its stubs do not export the name."""

_format_stack: Final = torch.fx.traceback.format_stack


def note_writer(write: Callable[[], list[str]] | None) -> None:
    """Has anomaly mode write such notes into new nodes; None: torch's own tracebacks."""

    def format_stack() -> list[str]:
        try:
            own = write is None or torch.fx.traceback.should_preserve_node_meta
            return _format_stack() if own or write is None else write()
        except Exception:  # noqa: BLE001  - torch's C++ calls this while it makes a node
            return _format_stack()

    torch.fx.traceback.format_stack = _format_stack if write is None else format_stack


class UnsupportedTorch(RuntimeError):
    """The torch here is older than what the agent was run with, or lacks what it needs."""


class Pass:
    """One call into the autograd engine, as a lane sees it; read only as far as is asked."""

    __slots__ = ("_args", "_kwargs", "_outputs", "context", "create_graph", "retain_graph")

    def __init__(self, outputs: Sequence[Any], args: Sequence[Any], kwargs: dict[str, Any]) -> None:
        """What is asked of the engine: (roots, grads, retain_graph, create_graph, inputs, ...)."""
        self._outputs, self._args, self._kwargs = outputs, args, kwargs
        self.retain_graph: bool = args[RETAIN]
        self.create_graph: bool = args[CREATE]
        self.context: Any = None
        """The listener's own, from before to after."""

    @property
    def roots(self) -> list[Node]:
        """Where it starts: inner nodes, no leaf."""
        return list(_roots(self._outputs))

    @property
    def call(self) -> Call:
        """Which of torch's two functions was called."""
        return "backward" if self._kwargs.get("accumulate_grad") else "grad"

    @property
    def partial(self) -> bool:
        """Whether only the paths to given inputs are run."""
        return len(self._args) > INPUTS and bool(self._args[INPUTS])

    @property
    def site(self) -> Site | None:
        """The line that called; to be asked while the call is under way."""
        return call_site(sys._getframe(1))

    def release(self) -> None:
        """A traceback may keep this object: it must not keep the graph."""
        self._outputs = ()


RETAIN, CREATE, INPUTS = 1, 2, 3
"""Places of retain_graph, create_graph and inputs among the engine's arguments after the roots."""


class Lane(Protocol):
    """What is told when a thread trains; called in that thread."""

    doze: Doze
    """While it lasts, nothing is told: the seam counts."""

    def before(self, outputs: Sequence[Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Pass:
        """A backward is about to start."""

    def after(self, run: Pass) -> None:
        """It has ended."""

    def failed(self, run: Pass, error: BaseException) -> None:
        """It raised."""

    def stepped(self, serial: int, optimizer: Optimizer) -> None:
        """An optimizer, told apart by a serial number, has stepped."""


class Listener(Protocol):
    """Who listens to the seam."""

    @property
    def lanes(self) -> Mapping[int, Lane]:
        """By the threads' identities."""

    def lane(self) -> Lane | None:
        """The calling thread's, made if need be; None if it is not to be watched."""

    def forget(self, serial: int) -> None:
        """That optimizer is gone."""


def require_torch() -> None:
    """Raises `UnsupportedTorch` with a sentence that tells what is needed."""
    version = tuple(int(part) for part in torch.__version__.split("+")[0].split(".")[:2])
    if version < OLDEST_TORCH:
        raise UnsupportedTorch(
            f"torch {torch.__version__} is too old: gradwatch needs "
            f"{'.'.join(map(str, OLDEST_TORCH))} or newer; training goes on unwatched"
        )


class Seam:
    """The patch and the hook; `remove` leaves torch exactly as it was found."""

    def __init__(self, listener: Listener, guard: Guard) -> None:
        self._listener = listener
        self._guard = guard
        self._serials: dict[int, tuple[weakref.ref[Optimizer], int]] = {}
        self._given = 0
        self._original: Callable[..., Any] | None = None
        self._patched: Callable[..., Any] | None = None
        self._hook: Any = None

    def install(self) -> None:
        """Raises `UnsupportedTorch`."""
        require_torch()
        self._original = _autograd._engine_run_backward
        self._patched = self._watched(self._original)
        _autograd._engine_run_backward = self._patched
        self._hook = register_optimizer_step_post_hook(self._stepped)

    def remove(self) -> None:
        """Takes back what `install` did; a patch that someone laid over ours is left alone."""
        if _autograd._engine_run_backward is self._patched:
            _autograd._engine_run_backward = self._original
        self._guard.close("hooks")  # where it cannot be taken out, ours only passes through
        if self._hook is not None:
            self._hook.remove()
        self._serials.clear()

    def _watched(self, original: Callable[..., Any]) -> Callable[..., Any]:
        guard, listener, nested = self._guard, self._listener, torch._C._current_graph_task_id
        lanes = listener.lanes

        @functools.wraps(original)
        def _engine_run_backward(t_outputs: Any, *args: Any, **kwargs: Any) -> Any:
            # Checkpointing runs a backward inside the backward, which is no pass of its own.
            if nested() != -1 or "hooks" in guard.closed:
                return original(t_outputs, *args, **kwargs)
            lane, run = lanes.get(get_ident()), None
            doze = lane.doze if lane is not None and lane.doze.left and not args[CREATE] else None
            # The guard's own call is spared here: it would cost as much as what it guards.
            try:
                if lane is None:
                    training.threads.add(get_ident())
                    lane = listener.lane()
                if doze is None and lane is not None:
                    run = lane.before(t_outputs, args, kwargs)
            except Exception as error:  # noqa: BLE001
                guard.fail("hooks", error)
            try:
                result = original(t_outputs, *args, **kwargs)
            except BaseException as error:
                if lane is not None:
                    guard.call("hooks", lane.failed, run or Pass(t_outputs, args, kwargs), error)
                raise
            try:
                if doze is not None:
                    doze.backward()
                elif lane is not None and run is not None and "hooks" not in guard.closed:
                    lane.after(run)
            except Exception as error:  # noqa: BLE001
                guard.fail("hooks", error)
            return result

        return _engine_run_backward

    def _stepped(self, optimizer: Optimizer, _args: Any, _kwargs: Any) -> None:
        lane = self._listener.lanes.get(get_ident())
        if lane is None or "hooks" in self._guard.closed:
            return
        try:
            known = self._serials.get(id(optimizer)) or self._number(optimizer)
            if lane.doze.left:
                lane.doze.step(known[1])
            else:
                lane.stepped(known[1], optimizer)
        except Exception as error:  # noqa: BLE001
            self._guard.fail("hooks", error)

    def _number(self, optimizer: Optimizer) -> tuple[weakref.ref[Optimizer], int]:
        """A serial for an optimizer first seen; it is not kept alive."""
        key, serial = id(optimizer), self._given
        self._given += 1

        def gone(_: Any) -> None:
            self._serials.pop(key, None)
            self._listener.forget(serial)

        known = (weakref.ref(optimizer, gone), serial)
        self._serials[key] = known
        return known


def optimizer_exists() -> bool:
    """Whether any optimizer was ever made in this process, stepped or not."""
    waiting = [Optimizer]
    while waiting:
        kind = waiting.pop()
        if kind is not Optimizer and getattr(kind.step, "hooked", False):
            return True
        waiting.extend(kind.__subclasses__())
    return False


def _roots(outputs: Any) -> Iterator[Node]:
    for output in outputs:
        if type(output) is torch.Tensor:
            node = output.grad_fn
        elif isinstance(output, torch.Tensor):  # a subclass might run code of its own
            with plainly():
                node = output.grad_fn
        else:
            node = output.node  # a GradientEdge
        if node is not None and sequence_of(node) < LEAF:
            yield node


def graph_of(tensor: torch.Tensor) -> Node | None:
    """The node that made a tensor met in the user's program; None for a leaf."""
    if not tensor.requires_grad or not has_readable_node(tensor):
        return None
    node = tensor.grad_fn
    return node if node is not None and sequence_of(node) < LEAF else None


def version_of(leaf: Node) -> tuple[weakref.ref[torch.Tensor], int]:
    """The parameter behind an AccumulateGrad, and how often it was changed in place."""
    variable = leaf.variable
    return weakref.ref(variable), variable._version


def is_outdated_leaf(seen: tuple[weakref.ref[torch.Tensor], int]) -> bool:
    """Whether the parameter has been changed since it was seen."""
    parameter = seen[0]()
    return parameter is not None and parameter._version != seen[1]


def has_readable_node(tensor: torch.Tensor) -> bool:
    """Whether torch tells the tensor's node, if only that there is none.

    Not so of one of several views whose base was changed in place since; and a view of a
    parameter that was changed is not asked, for the asking would make a node.
    """
    base = tensor._base if tensor._is_view() else None
    if base is not None and base.is_leaf and tensor._version > 0:
        return False
    try:
        _ = tensor.grad_fn
    except RuntimeError:
        return False
    return True


def edges(node: Node) -> Iterator[Node]:
    """The nodes this one hands its gradients to."""
    return (child for child, _ in node.next_functions if child is not None)


_saved_names: dict[type, tuple[str, ...]] = {}
"""The names of a node type's saved tensors; bounded by the operators of the program."""


def _names(kind: type) -> tuple[str, ...]:
    names = _saved_names.get(kind)
    if names is None:
        names = tuple(name for name in dir(kind) if name.startswith("_raw_saved_"))
        _saved_names[kind] = names
    return names


def saves(node: Node) -> bool:
    """Whether nodes of this type save anything that a backward frees."""
    return bool(_names(type(node)))


def _saved(node: Node) -> Iterator[tuple[Any, Any]]:
    """What was saved, and what is in it as it is: a tensor, a hook's own object, None once freed.

    Raises RuntimeError for a freed list of tensors, and for a freed custom Function.
    """
    for name in _names(type(node)):
        value = getattr(node, name)
        if name == "_raw_saved_tensors" and value:
            node.metadata[_SAVED] = True
        for saved in value if isinstance(value, tuple) else (value,):
            yield saved, saved.data


def saved_storages(node: Node) -> Iterator[tuple[int, int]]:
    """Address and size in bytes of each storage the node keeps for backward."""
    try:
        for _, data in _saved(node):
            if type(data) is torch.Tensor or type(data) is torch.nn.Parameter:
                storage = data.untyped_storage()
            elif issubclass(type(data), torch.Tensor):
                with plainly():
                    storage = data.untyped_storage()
            else:
                continue  # a hook's own object, or nothing
            yield storage.data_ptr(), storage.nbytes()
    except (RuntimeError, AttributeError):
        return  # freed, or a tensor without a storage (sparse, functorch)


def leaf_storage(leaf: Node) -> int:
    """Address of the storage of the parameter behind an AccumulateGrad; 0 if it has none."""
    try:
        return storage_of(leaf.variable)
    except AttributeError:
        return 0


def storage_of(tensor: torch.Tensor) -> int:
    """Address of the tensor's storage; 0 if it has none."""
    try:
        with plainly():
            return int(tensor.untyped_storage().data_ptr())
    except (RuntimeError, AttributeError):
        return 0


def is_freed(node: Node) -> bool:
    """Whether a backward freed what the node saved, so that another one must fail.

    A custom Function does not tell whether it had saved anything: it counts if it was seen to,
    when its saved tensors were read before. A change in place of a view tells nothing at all.
    """
    try:
        return any(data is None and _was_freed(saved) for saved, data in _saved(node))
    except RuntimeError:  # how a freed list of tensors answers
        return not isinstance(node, torch._C._FunctionBase) or _SAVED in node.metadata


def holds_saved(node: Node) -> bool:
    """Whether something that the node saved is still there; a custom Function's does not count."""
    try:
        return any(data is not None for _, data in _saved(node))
    except RuntimeError:
        return False


def is_outdated(node: Node) -> bool:
    """Whether a tensor that the node saved was changed in place since: backward must refuse it."""
    return not isinstance(node, torch._C._FunctionBase) and outdated(node) is not None


def outdated(node: Node) -> torch.Tensor | None:
    """The saved tensor that was changed in place since; of a custom Function, its only one.

    Tensors saved through hooks are left alone, for looking would run them.
    """
    try:
        for name in _names(type(node)):
            saved = getattr(node, name)
            for item in saved if isinstance(saved, tuple) else (saved,):
                data = item.data
                hooked = getattr(item, "unpack_hook", None)
                if isinstance(data, torch.Tensor) and not hooked and _refuses(node, name):
                    return data
    except RuntimeError:  # how a freed list of tensors answers
        return None
    return None


def _refuses(node: Node, name: str) -> bool:
    """Whether what the node saved under the name cannot be unpacked, for it was changed."""
    try:
        getattr(node, _unpacking(name))
    except RuntimeError as refusal:
        return INPLACE in str(refusal)
    return False


def _unpacking(name: str) -> str:
    """The attribute that unpacks what a raw one holds; a custom Function's has another name."""
    return "saved_tensors" if name == "_raw_saved_tensors" else name.replace("_raw", "", 1)


def saves_in(node: Node, name: str) -> list[int]:
    """The addresses of the storages of what the node saved under a name."""
    saved = getattr(node, f"_raw_saved_{name}", ())
    items = saved if isinstance(saved, tuple) else (saved,)
    return [storage_of(item.data) for item in items if isinstance(item.data, torch.Tensor)]


def _was_freed(saved: Any) -> bool:
    """Tells what was freed from an optional input that was never there.

    Both read as None, but torch refuses to put hooks on them with different words, and only
    those of the first are looked for. It always refuses: nothing is changed.
    """
    try:
        saved.register_hooks(_unchanged, _unchanged)
    except RuntimeError as refusal:
        return _FREED in str(refusal)
    return False


def _unchanged(data: Any) -> Any:
    return data
