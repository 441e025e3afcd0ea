"""How a statement calls what a name leads to. Pure but for reading."""

from __future__ import annotations

import ast
import itertools

from gradwatch_agent.naming import Path
from gradwatch_agent.source.flow.bindings import is_own
from gradwatch_agent.source.flow.drawing import drawn_name
from gradwatch_agent.source.syntax.reading import called, reads_closely
from gradwatch_agent.source.syntax.scopes import first_line
from gradwatch_agent.source.syntax.statements import (
    Function,
    body_around,
    functions_of,
    parameters_of,
)


def called_there(path: Path, statement: ast.stmt, file: str) -> str | None:
    """How the statement calls it, or each element of the list in which it lies."""
    name = spelled(path, statement)
    if name is not None and _is_another(path, name, file, statement):
        return None
    return drawn_name(file, statement, path.name) if name is None and path.index else name


def _is_another(path: Path, name: str, file: str, statement: ast.stmt) -> bool:
    """Whether the function of the statement has a variable of its own that merely has the name, and
    does not hand it over to the one whose it is.
    """
    body = body_around(file, statement.lineno)
    if path.parent is not None or not isinstance(body, Function):
        return False
    if (file, first_line(body)) == (path.file, path.line):
        return False
    of_path = {each.name for each in functions_of(path.file) if first_line(each) == path.line}
    handed = any(isinstance(n, ast.Call) and called(n) in of_path for n in ast.walk(statement))
    own = is_own(body, name) and name not in {each.arg for each in parameters_of(body)}
    return own and not handed


def spelled(path: Path, statement: ast.stmt) -> str | None:
    """How the statement calls what the path leads to, if it reads it."""
    if path.index and not path.field:  # what it speaks of is the list
        return None
    last = path.field or path.name
    keys = "".join(reversed([*itertools.takewhile(_is_key, (s.label for s in path.back()))]))
    if keys:  # of the dict as a whole there is nothing to be detached
        read = [ast.unparse(n) for n in ast.walk(statement) if isinstance(n, ast.Subscript)]
        return next((name for name in read if _ends_so(name, f"{path.name}{keys}")), None)
    read = reads_closely(statement)
    return next((name for name in read if name.rpartition(".")[2] == last), None)


def _is_key(label: str) -> bool:
    return label.startswith("['")


def _ends_so(code: str, end: str) -> bool:
    return code.endswith(end) and code.removesuffix(end)[-1:] in ("", ".")
