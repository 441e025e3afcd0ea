"""How often a generator of the program's yields, and by whom it is sent what, as far as the source
tells. Pure but for reading.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from gradwatch_agent.source.flow.calls import calls_of
from gradwatch_agent.source.flow.giving import callees, given
from gradwatch_agent.source.flow.loops import loops_at
from gradwatch_agent.source.syntax.reading import reads
from gradwatch_agent.source.syntax.scopes import within
from gradwatch_agent.source.syntax.statements import (
    Function,
    body_around,
    choices_of,
    is_in,
)


def yields_for(call: ast.Call, files: Iterable[str]) -> tuple[Function, list[ast.expr]] | None:
    """The generator that is called, and over what the loops go around its only yield, once for each
    turn of all of them; None where it is not the only one of its name, or yields otherwise.
    """
    found = [function for _, function in callees(call, files)]
    yields = [n for n in within(found[0]) if isinstance(n, ast.Yield)] if len(found) == 1 else []
    if len(yields) != 1:
        return None
    line = yields[0].lineno
    loops = loops_at(found[0], line)
    chosen = any(is_in(part, line) for c in choices_of(found[0]) for part in (c.body, c.orelse))
    over = [loop.iter for loop in loops if isinstance(loop, ast.For)]
    return (found[0], over) if over and len(over) == len(loops) and not chosen else None


def given_to(
    call: ast.Call, function: Function, over: Iterable[ast.expr]
) -> Iterator[tuple[str, ast.expr]]:
    """What the call gives those of the function's parameters, by their names, that its loops go
    over.
    """
    used = {name for each in over for name in reads(each)}
    yield from ((name, value) for name, value in given(call, function).items() if name in used)


def sends(file: str, line: int, files: Iterable[str]) -> Iterator[tuple[str, ast.Call]]:
    """The calls by which the generator around the line may be sent something, as by `send`:
    of one that asks whether it is None, those that send None where the line stands under that.
    """
    body = body_around(file, line)
    if body is None or isinstance(body, ast.Module) or not loops_at(body, line):
        return
    if not any(isinstance(node, ast.Yield) for node in within(body)):
        return
    asks = [c for c in choices_of(body) if ast.unparse(c.test).endswith(" is None")]
    for at, call in calls_of("send", files) if asks else ():
        bare = bool(call.args) and isinstance(call.args[0], ast.Constant)
        if all(is_in(each.body, line) is bare for each in asks):
            yield at, call
