"""What is moved as a whole where it changes weights too soon, and whether it waits for gradients.
Pure but for reading.
"""

from __future__ import annotations

import ast
import builtins

from gradwatch_agent.lines.sites import Site
from gradwatch_agent.source.flow.entering import BLOCKS
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.statements import body_around, functions_of


def goes_along(file: str, line: int, failing: Site) -> ast.stmt | None:
    """The outermost loop or `with` around the line that the failing backward, of the same function,
    does not stand in: what is changed there, for each of many or without gradients, goes as a
    whole.
    """
    body = body_around(file, line)
    if body is None or body is not body_around(failing.file, failing.line):
        return None
    for node in ast.walk(body):  # the outer ones first
        if isinstance(node, (*BLOCKS, ast.For)):
            lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
            if line in lines and line != node.lineno and failing.line not in lines:
                return node
    return None


def uses_gradients(file: str, change: ast.stmt | None) -> bool:
    """Whether the change is a step: by its name, or by gradients that it reads, as far as the file
    tells of what is called there.
    """
    own = {function.name: function for function in functions_of(file)}
    waiting: list[ast.AST] = [change] if change is not None else []
    known: set[str] = set()
    while waiting:
        for node in ast.walk(waiting.pop()):
            if isinstance(node, ast.Attribute) and node.attr in ("grad", "step"):
                return True
            name = called(node) if isinstance(node, ast.Call) else ""
            if name in own and name not in known:
                known.add(name)
                waiting.append(own[name])
            if _is_anybodys(node) and not (name in own or hasattr(builtins, name)):
                return True  # nobody knows what it does
    return change is None


def _is_anybodys(node: ast.AST) -> bool:
    """Whether it calls a plain function, not an object's method."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
