"""What a call gives a function's parameters, and of which functions it may be one. Pure but for
reading.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.statements import Function, functions_named


def given(call: ast.Call, function: Function | ast.Lambda) -> dict[str, ast.expr]:
    """By the parameters' names; of `*row` and `**options` what each takes of them, if it
    cannot do without. A `self` is none of them.
    """
    names = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
    names = names[1:] if names[:1] in (["self"], ["cls"]) else names
    found: dict[str, ast.expr] = {}
    for number, (name, value) in enumerate(zip(names, call.args, strict=False)):
        if isinstance(value, ast.Starred):
            parts = enumerate(names[number:])
            found |= {taken: _part_of(value.value, further) for further, taken in parts}
            break
        found[name] = value
    rest = call.args[len(names) :]
    if function.args.vararg is not None and rest:
        found[function.args.vararg.arg] = ast.Tuple(elts=rest, ctx=ast.Load())
    for keyword in call.keywords:
        if keyword.arg is not None:
            found[keyword.arg] = keyword.value
        else:
            asked = names[: len(names) - len(function.args.defaults)]
            others = [name for name in asked if name not in found]
            found |= {name: _part_of(keyword.value, name) for name in others}
    return found


def _part_of(whole: ast.expr, key: str | int) -> ast.expr:
    """The element of what is given by `*` or `**`."""
    part = ast.Subscript(whole, ast.Constant(key), ast.Load())
    return ast.fix_missing_locations(ast.copy_location(part, whole))


def given_as(value: str, call: ast.Call, function: Function) -> Iterator[str]:
    """By what names the function takes what a call spells so."""
    yield from (name for name, each in given(call, function).items() if ast.unparse(each) == value)


def callees(call: ast.Call, files: Iterable[str]) -> list[tuple[str, Function]]:
    """The functions of the program that it may be a call of, each with its file."""
    return [each for each in functions_named(called(call), files) if fits(call, each[1])]


def fits(call: ast.Call, function: Function) -> bool:
    """Whether the call gives what the function cannot do without, and nothing that it does not
    take: `optimizer.step()` is none of `def step(batch)`, nor `engine.run(data)` of `def run()`.
    """
    given = [*call.args, *call.keywords]
    if any(isinstance(each, ast.Starred) or not getattr(each, "arg", "-") for each in given):
        return True
    asked = function.args
    taken = [*asked.posonlyargs, *asked.args]
    bound = taken[:1] and taken[0].arg in ("self", "cls")
    enough = len(given) >= len(taken) - len(asked.defaults) - bool(bound)
    if function.decorator_list:
        return enough  # a wrapper may take more
    names = {each.arg for each in (*taken, *asked.kwonlyargs)}
    known = asked.kwarg or all(keyword.arg in names for keyword in call.keywords)
    return enough and bool(known) and (bool(asked.vararg) or len(call.args) <= len(taken))
