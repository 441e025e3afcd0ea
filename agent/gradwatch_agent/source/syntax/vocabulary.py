"""What the names of methods and functions say of what they do with things. Pure."""

from __future__ import annotations

from typing import Final

CONSTRUCTING: Final = frozenset(("__init__", "__post_init__", "__attrs_post_init__"))
"""Methods that run once for each object, as it is made."""

ADDING: Final = frozenset(
    (
        "append",
        "appendleft",
        "extend",
        "extendleft",
        "add",
        "insert",
        "update",
        "put",
        "push",
        "setdefault",
        "put_nowait",
        "store",
        "record",
        "remember",
        "write",
        "log",
        "collect",
        "register_buffer",
        "__setitem__",
        "__setattr__",
        "send",
        "set",
        "submit",
        "save",
        "track",
        "observe",
        "cache",
        "enqueue",
        "enter_context",
        "add_scalar",
        "add_scalars",
        "add_",
    )
)
"""Methods by which things get into what they are called on."""

NAMING: Final = (
    "__setattr__",
    "register_buffer",
    "register_parameter",
    "add_module",
    "register_module",
)
"""Those of an object that give it an attribute: its name, then what it is."""

WALKING: Final = ("backward", "grad", "manual_backward")
"""Calls that walk a graph."""

READING: Final = frozenset(
    (
        "backward",
        "item",
        "detach",
        "index",
        "count",
        "get",
        "pop",
        "popleft",
        "keys",
        "values",
        "items",
        "copy",
        "clear",
        "remove",
        "sort",
        "reverse",
        "join",
        "format",
        "mean",
        "sum",
        "view",
        "reshape",
        "size",
        "to",
        "split",
        "chunk",
        "register_hook",
        "rotate",
        "pow",
        "_replace",
        "_asdict",
    )
)
"""Methods that put nothing in."""

PUTTING: Final = frozenset(
    (
        "heappush",
        "heapreplace",
        "heappushpop",
        "insort",
        "insort_left",
        "insort_right",
        "setitem",
        "iadd",
        "iconcat",
    )
)
"""Functions that put what they are given into their first argument."""


CALLING: Final = frozenset(("partial", "submit", "apply_async", "call_soon", "to_thread"))
"""Functions that call their first argument with the others, now or later."""

VIEWING: Final = frozenset(
    (
        "detach",
        "view",
        "view_as",
        "reshape",
        "flatten",
        "unflatten",
        "ravel",
        "squeeze",
        "unsqueeze",
        "expand",
        "expand_as",
        "transpose",
        "permute",
        "movedim",
        "t",
        "narrow",
        "select",
        "diagonal",
        "unbind",
        "unfold",
        "chunk",
        "split",
        "numpy",
        "contiguous",
    )
)
"""Methods of a tensor that give another one of the same memory."""

TRAINING_NOTHING: Final = frozenset(
    (
        *("range", "enumerate", "zip", "reversed", "sorted", "len", "list", "tuple", "dict"),
        *("isinstance", "hasattr", "getattr", "setattr", "float", "int", "str", "print"),
        *("items", "values", "keys", "get", "setdefault", "append", "extend", "add", "update"),
        *("format", "item", "tolist"),
        *("parameters", "named_parameters", "buffers", "named_buffers", "state_dict"),
        *("modules", "named_modules", "children", "named_children", "register_buffer"),
        *("detach", "clone", "copy", "deepcopy", "copy_", "zero_", "fill_", "requires_grad_"),
        *("zeros_like", "ones_like", "empty_like", "zeros", "ones", "empty", "tensor", "full"),
        *("randn", "randn_like", "rand", "rand_like", "normal_", "uniform_", "to", "cpu"),
    )
)
"""Functions and methods by which things are made ready; none of them calls the user's code."""

_NOT_CHANGING: Final = frozenset(("requires_grad_", "detach_", "share_memory_", "retain_grad_"))
"""Methods that end like those in place, and change no value."""


def works_in_place(method: str) -> bool:
    """Whether a method of that name changes the tensor that it is called on in place."""
    return method.endswith("_") and not method.endswith("__") and method not in _NOT_CHANGING
