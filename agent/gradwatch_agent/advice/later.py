"""For what changes weights, or what else a backward still needs, too soon: let it wait. Pure."""

from __future__ import annotations

import ast
import os
from typing import Final

from gradwatch_agent.advice.meantime import meantime
from gradwatch_agent.lines.sites import Lines, Site
from gradwatch_agent.source.flow.entering import BLOCKS
from gradwatch_agent.source.gradients.moving import goes_along, uses_gradients
from gradwatch_agent.source.syntax.reading import called, names_given, reads
from gradwatch_agent.source.syntax.statements import body_around, functions_named, statements_of
from gradwatch_agent.source.syntax.text import code_of, statement_at

SOME_LOSS: Final = "the loss"
"""One whose name is not known."""

_FORWARD: Final = "do the forward anew"

_CHANGES: Final = "changes the weights in place"


def step_later(
    file: str,
    line: int,
    loss: str | None,
    waits: str | None = None,
    step: Lines = (),
    failing: Lines = (),
    made: Lines = (),
) -> str:
    """For a step between a forward and its backward, to be told by its line; `step` are those of
    its call, `failing` the backward's, `waits` names what the forward has made, `made` where the
    weight was used.
    """
    statement, fails = statement_at(file, line), failing[0] if failing else None
    code = code_of(file, statement).partition("  #")[0] if statement is not None else "the step"
    named = waits or (loss if loss != SOME_LOSS else None)
    anew = f"compute `{named}` anew{_from(named, file, line, made)}" if named else _FORWARD
    backward = f"`{loss}.backward()`" if loss not in (None, SOME_LOSS) else "the loss's backward"
    if loss is not None and (ahead := _ahead(file, line, backward, fails, made)) is not None:
        return ahead
    if loss is not None and isinstance(statement, BLOCKS):
        return (
            f"Call {backward} within `{code}`, which changes the weights in place when it "
            f"is left, or {anew} after it."
        )
    block = goes_along(file, line, fails) if fails is not None else None
    move, what = ("Call", f"`{code}`") if block is None else ("Move", _lines_of(block))
    why = f"{'a step' if '.step(' in code else 'it'} {_CHANGES}"
    between, comes_round = meantime(step or (Site(file, line, ""),), failing)
    cleared = [(at, node.lineno) for at, node in between if _clears(node)]
    later = cleared and loss is not None and not uses_gradients(file, block or statement)
    given = named is not None and any(_gives(node, named) for at, node in between if at == file)
    if later or given:
        return f"{move} {what} behind {backward}, or {anew} after it: {why}."
    if cleared:
        return (
            f"{anew[0].upper()}{anew[1:]} after {what}: {why}, and a backward ahead "
            f"of it would lose its gradients in line {_told(*cleared[0], file)}."
        )
    if loss is None:
        return f"Call every backward before {what}, or {anew} after it."
    if comes_round:
        return f"Call the backwards of all first, then {what}; or {anew} after it: {why}."
    return f"Call {backward} before {what}, or {anew} after it: {why}."


def _told(file: str, line: int, beside: str) -> str:
    """The line, as one file speaks of it beside a line of its own."""
    return str(line) if file == beside else f"{line} of {file.rpartition(os.sep)[2]}"


def _ahead(file: str, line: int, backward: str, failing: Site | None, made: Lines) -> str | None:
    """For what may go ahead of where the weight is used, in the same function: what is no step."""
    statement, used = statement_at(file, line), _begun(file, line, made)
    if statement is None or failing is None or used is None:
        return None
    step = code_of(file, statement).partition("  #")[0]
    where = f"ahead of line {used}, where the weight is used"
    if isinstance(statement, BLOCKS):
        behind = "" if _is_read(statement, failing) else f", or behind {backward}"
        return f"Move {_lines_of(statement)} {where}{behind}: it {_CHANGES}."
    if given := _made_since(file, statement, used):
        return _of_the_call(file, statement, given, where)
    elsewhere = body_around(file, line) is not body_around(failing.file, failing.line)
    if elsewhere and ".step(" not in step:
        return f"Move `{step}` {where}, or behind {backward}: it {_CHANGES}."
    return f"Move `{step}` {where}: it {_CHANGES}." if _is_read(statement, failing) else None


def _made_since(file: str, statement: ast.stmt, used: int) -> set[str]:
    """What it reads that was made on that line or since: it cannot go ahead of that as a whole."""
    since = (s for s in statements_of(file, statement.lineno) if used <= s.lineno)
    ahead = (each for each in since if each.lineno < statement.lineno)
    given = {name for each in ahead for name in names_given(each)}
    return given & set(reads(statement.value)) if isinstance(statement, ast.Assign) else set()


def _of_the_call(file: str, statement: ast.stmt, given: set[str], where: str) -> str:
    """The same of the one call in it that may do so, and reads none of what is `given` since."""
    calls = [node for node in ast.walk(statement) if isinstance(node, ast.Call)]
    own = [call for call in calls if any(functions_named(called(call), [file]))]
    copied = f"work on a copy of the module (copy.deepcopy): it {_CHANGES}."
    if len(own) != 1:
        return f"Let what it calls {copied}"
    read = {name for each in own[0].args for name in reads(each)}
    if given.isdisjoint(read):
        code = ast.unparse(own[0])
        return f"Compute `{code}` {where}, and use here what it gives: it {_CHANGES}."
    return f"Let `{called(own[0])}` {copied}"


def _lines_of(block: ast.stmt) -> str:
    return f"the block in lines {block.lineno} to {block.end_lineno}"


def _from(name: str, file: str, line: int, made: Lines) -> str:
    """Where that begins, if it is not with the statement that makes it: what it is made of has
    been computed with the weights as they were, too.
    """
    body, begun = body_around(file, line), _begun(file, line, made)
    nodes = ast.walk(body) if body is not None else ()
    given = {node.lineno for node in nodes if isinstance(node, ast.expr) and _gives(node, name)}
    return f", from line {begun} on," if begun is not None and given and begun not in given else ""


def _begun(file: str, line: int, made: Lines) -> int | None:
    """Where the same function has used the weight, ahead of the line."""
    body = body_around(file, line)
    used = (site.line for site in made if body_around(site.file, site.line) is body)
    return next((at for at in used if at < line), None)


def _is_read(statement: ast.stmt, failing: Site) -> bool:
    """Whether what it gives a name is read ahead of the backward, which needs it then."""
    given = (node for node in ast.walk(statement) if isinstance(node, ast.Assign))
    names = {name for node in given for name in names_given(node)}
    body = body_around(failing.file, failing.line)
    return any(
        isinstance(node, ast.Name)
        and node.id in names
        and isinstance(node.ctx, ast.Load)
        and (statement.end_lineno or statement.lineno) < node.lineno <= failing.line
        for node in (ast.walk(body) if body is not None else ())
    )


def _clears(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and called(node) == "zero_grad"


def _gives(node: ast.AST, name: str) -> bool:
    """Whether it gives the variable or attribute something: the loss is made no sooner."""
    stored = isinstance(getattr(node, "ctx", None), ast.Store)
    return stored and isinstance(node, ast.Name | ast.Attribute) and ast.unparse(node) == name


def call_later(file: str, line: int) -> str:
    """For a call that changes what a backward still needs, by one of several statements."""
    statement = statement_at(file, line)
    call = code_of(file, statement).partition("  #")[0] if statement is not None else "the call"
    return f"Call `{call}` after the backward, or let it change a copy (x = x.clone())."
