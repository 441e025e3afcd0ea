"""What nodes saved for backward: its memory, and whether it was freed or changed since.

Reads saved tensors as they are, without unpacking, so that no hook of the user's runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import torch

from gradwatch_agent.torch_seam.nodes import Context, Node, plainly, storage_of
from gradwatch_agent.torch_seam.refusals import FREED, INPLACE

_SAVED: Final = "gradwatch.saved"
"""A note on a custom Function's node that it had saved something, for once freed it forgets."""

_VERSIONS: Final = re.compile(r"version (\d+)")
"""Of a refusal: which one the tensor is, and which one was saved."""

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


def _kept(node: Node) -> list[Any]:
    """What was saved; the `data` of each is what is in it as it is: a tensor, a hook's own object,
    None once freed. Read for every node that is counted, so without a generator's steps.

    Raises RuntimeError for a freed list of tensors, and for a freed custom Function.
    """
    kept: list[Any] = []
    for name in _names(type(node)):
        value = getattr(node, name)
        if name == "_raw_saved_tensors" and value:
            node.metadata[_SAVED] = True
        if isinstance(value, tuple):
            kept += value
        else:
            kept.append(value)
    return kept


def saved_storages(node: Node, into: dict[int, int]) -> bool:
    """Adds address and size in bytes of each storage the node keeps for backward. Whether nodes of
    its type save anything that a backward frees.
    """
    if not saves(node):
        return False
    try:
        for saved in _kept(node):
            data = saved.data
            kind = type(data)
            if kind is torch.Tensor or kind is torch.nn.Parameter:
                storage = data.untyped_storage()
            elif issubclass(kind, torch.Tensor):
                with plainly():
                    storage = data.untyped_storage()
            else:
                continue  # a hook's own object, or nothing
            into[storage.data_ptr()] = storage.nbytes()
    except (RuntimeError, AttributeError):
        return True  # freed, or a tensor without a storage (sparse, functorch)
    return True


def is_freed(node: Node) -> bool:
    """Whether a backward freed what the node saved.

    A custom Function does not tell whether it had saved anything: it counts if it was seen to,
    when its saved tensors were read before. A change in place of a view tells nothing at all.
    """
    try:
        return any(saved.data is None and _was_freed(saved) for saved in _kept(node))
    except RuntimeError:  # how a freed list of tensors answers
        return not isinstance(node, Context) or _SAVED in node.metadata


def must_fail(node: Node) -> bool:
    """Whether one more backward of the node is sure to raise: that of a custom Function may never
    look at what was saved.
    """
    return not isinstance(node, Context) and is_freed(node)


def holds_saved(node: Node) -> bool:
    """Whether something that the node saved is still there; a custom Function's does not count."""
    try:
        return any(saved.data is not None for saved in _kept(node))
    except RuntimeError:
        return False


def is_outdated(node: Node) -> bool:
    """Whether a tensor that the node saved was changed in place since: backward must refuse it."""
    return not isinstance(node, Context) and any(_refused(node))


def outdated(node: Node) -> list[torch.Tensor]:
    """The saved tensors that were changed in place since; of a custom Function, its only one."""
    return [tensor for tensor, _ in _refused(node)]


def changes_since(node: Node) -> int:
    """How often a tensor was changed in place since the node saved it: the most, of several."""
    versions = (_VERSIONS.findall(refusal) for _, refusal in _refused(node))
    return max((int(now) - int(then) for now, then in versions), default=0)


def _refused(node: Node) -> Iterator[tuple[torch.Tensor, str]]:
    """The saved tensors that cannot be unpacked, for they were changed, and what torch says.

    Tensors saved through hooks are left alone, for looking would run them.
    """
    try:
        for name in _names(type(node)):
            saved = getattr(node, name)
            for item in saved if isinstance(saved, tuple) else (saved,):
                data = item.data
                hooked = getattr(item, "unpack_hook", None)
                if isinstance(data, torch.Tensor) and not hooked:
                    refusal = _refusal(node, name)
                    if INPLACE in refusal:
                        yield data, refusal
                        break  # of several under one name torch does not say which
    except RuntimeError:  # how a freed list of tensors answers
        return


def _refusal(node: Node, name: str) -> str:
    """What torch says when what the node saved under the name is to be unpacked; empty if it is."""
    try:
        getattr(node, _unpacking(name))
    except RuntimeError as refusal:
        return str(refusal)
    return ""


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
        return FREED in str(refusal)
    return False


def _unchanged(data: Any) -> Any:
    return data
