"""Calls that nobody wrote: of what a module calls by itself, one after another."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any


class Standing(ast.expr):
    """An expression that stands for a value, and is spelled as another one."""

    _fields = ("spelled",)

    def __init__(self, value: Any, spelled: ast.expr) -> None:
        super().__init__()
        self.spelled = spelled
        self.value = value


def standing(value: Any, call: ast.Call, given: Sequence[ast.expr] | None = None) -> ast.Call:
    """The call of a value, with what is given to it, else with what that call gives."""
    args = list(call.args if given is None else given)
    return ast.copy_location(ast.Call(Standing(value, call.func), args, []), call)


def bare(call: ast.Call) -> ast.Call:
    """The call without what it gives."""
    return ast.copy_location(ast.Call(func=call.func, args=[], keywords=[]), call)
