"""Small jobs in the modules of a package: where each is, and which lines are marked for it."""

from __future__ import annotations

import ast
import contextlib
import functools
import importlib.util
import inspect
import pkgutil
import sys
import textwrap
from collections.abc import Callable
from types import FunctionType, ModuleType

Marked = set[tuple[str, int]]
"""Lines, each with its file."""


def places(package: ModuleType, is_job: Callable[[FunctionType], bool]) -> list[str]:
    """Of each job its module's name and its own, in the order of these.

    Names, not functions: each search goes through lists of functions, and through all that these
    keep.
    """
    found = {}
    for each in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        module = importlib.import_module(each.name)
        for name, function in inspect.getmembers(module, inspect.isfunction):
            if function.__module__ == module.__name__ and is_job(function):
                assert name not in found, f"in {found[name]}, too"
                found[name] = f"{module.__name__}:{name}"
    return [found[name] for name in sorted(found)]


def name_of(place: str) -> str:
    return place.partition(":")[2]


def unload(package: ModuleType, monkeypatch, *, but: str = "") -> None:
    """The package's modules are none of the program's, until the test is done: `but` that one, with
    what all use.
    """
    kept = (but, f"{package.__name__}.common") if but else ()
    for name in [name for name in sys.modules if name.startswith(f"{package.__name__}.")]:
        if name not in kept:
            monkeypatch.delitem(sys.modules, name)


def changed(job: FunctionType, lines: list[str]) -> FunctionType:
    """The job as these lines have it, as a function of the same module."""
    space = dict(vars(sys.modules[job.__module__]))
    exec(compile(textwrap.dedent("".join(lines)), "<changed>", "exec"), space)
    return space[job.__name__]


def told(watching, function: Callable[[], object]) -> dict:
    """What is told of a job, the last state of each kind."""
    with watching() as said, contextlib.suppress(RuntimeError):
        function()
    return {finding.kind: finding for finding in said.findings if finding.state != "resolved"}


def marked(job: FunctionType) -> Marked:
    """The lines that are marked in the job and in all that it uses."""
    parts = _parts(job.__module__)
    seen, ahead = set(), {job.__name__}
    while ahead:
        seen |= ahead
        ahead = {n for each in ahead for n in parts[each][1] if n in parts} - seen
    return {line for each in seen for line in parts[each][0]}


@functools.cache
def _parts(name: str) -> dict[str, tuple[Marked, set[str]]]:
    """What the module defines and gives names, and what lies beside what it takes from its package:
    each by its marked lines, and what it speaks of.
    """
    module, found = sys.modules[name], {}
    lines = inspect.getsource(module).splitlines()
    for each in ast.parse("\n".join(lines)).body:
        if isinstance(each, ast.ImportFrom) and each.level:
            beside = "." * each.level + (each.module or "")
            found |= _parts(importlib.util.resolve_name(beside, module.__package__))
            continue
        named = {node.id for node in ast.walk(each) if isinstance(node, ast.Name)}
        numbers = range(each.lineno, (each.end_lineno or 0) + 1)
        own = {(module.__file__, n) for n in numbers if "# <-" in lines[n - 1]}
        for given in [each.name] if hasattr(each, "name") else named:
            marks, spoken = found.get(given, (set(), set()))
            found[given] = (marks | own, spoken | named)
    return found
