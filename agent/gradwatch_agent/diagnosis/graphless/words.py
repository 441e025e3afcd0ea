"""What is said of a lost graph, and of how to mend it. Pure but for reading."""

from __future__ import annotations

import ast
from typing import Final

from gradwatch_agent.advice.rewriting import all_replaced, replaced
from gradwatch_agent.advice.uncut import TO_NUMPY, uncut, uncut_beside, whole_cut
from gradwatch_agent.diagnosis.graphless.ways import Named, Way, Why
from gradwatch_agent.naming import own_files
from gradwatch_agent.source.flow.bindings import bindings
from gradwatch_agent.source.flow.containing import contains, given_to
from gradwatch_agent.source.gradients.severing import wants_gradient
from gradwatch_agent.source.syntax.reading import called, reads
from gradwatch_agent.source.syntax.statements import body_around
from gradwatch_agent.source.syntax.text import statement_at

_LONG: Final = 60
"""Of code within a sentence; the statement stands below it anyway."""

_SAID: Final = {
    Why.MODE: (
        "What it was made of was computed where gradients are switched off.",
        "Compute what the loss is made of outside of it, or let it switch nothing off in training.",
    ),
    Why.LEFT_OFF: (
        "Gradients are off at this backward; what switched them off may be the statement below.",
        "Put `with torch.no_grad():` around what needs no gradients: behind it they are on again.",
    ),
    Why.WAITING: (
        "A generator waits in the block below: gradients are off for whoever draws from it.",
        "Let the block end ahead of each yield.",
    ),
    Why.FROZEN: (
        "None of the weights that it was made of requires a gradient.",
        "Leave those weights unfrozen that are to be trained: `requires_grad_(True)`.",
    ),
    Why.ANOTHER: (
        "None of the weights that it was made of requires a gradient, and no optimizer steps them.",
        "Compute the loss by what is trained: what is called there is not.",
    ),
    Why.HOOKED: (
        "A forward hook returns what has none, which takes the place of what the module gives.",
        "Let a hook that only looks on return nothing, or let what it returns keep the graph.",
    ),
    Why.MARKED: (
        "What it was made of is marked as having no gradient, whatever its backward would give.",
        "Do without `mark_non_differentiable` for what is to be trained through.",
    ),
    Why.REENTRANT: (
        "A reentrant checkpoint gives no graph where nothing that it is given requires a gradient.",
        "Pass use_reentrant=False to the checkpoint.",
    ),
}

_SOMEHOW: Final = (
    "It was detached, made under no_grad, or made from nothing that requires a gradient."
)


def sentence(name: str | None, way: Way | None) -> str:
    """Why a backward on what goes by that name has nothing to walk."""
    what = f"`{name}`" if name else "a tensor"
    why = _SOMEHOW if way is None else words(way)[0]
    return f"backward was called on {what}, which has no graph. {why}"


def of_an_input(name: str) -> tuple[str, str]:
    """Of `autograd.grad`, asked for a gradient that there is none of."""
    return (
        f"autograd.grad was asked for the gradient of `{name}`, which requires none.",
        f"Let it require one before it is used: `{name}.requires_grad_()`.",
    )


_BEFORE: Final = "Compute the loss from what lies before that: nothing can be trained through it."


def _instead(way: Way) -> str:
    """The statement as it would keep the graph, if that can be written."""
    node = way.node if isinstance(way.node, ast.expr) else None
    statement = statement_at(way.file, node.lineno) if node is not None else None
    whole = whole_cut(statement, node) if node is not None and statement is not None else None
    better = uncut(whole, _lists_at(way.file, node)) if whole and node else None
    if statement is None or whole is None or better is None or hasattr(statement, "body"):
        return _drawn(statement, node) or _BEFORE
    idle = isinstance(statement, ast.Expr) and statement.value is whole
    if idle or _is_idle(statement, whole, better):
        change = f"Leave it out: `{ast.unparse(statement)}`"
    else:
        changes = [(whole, better), *uncut_beside(statement, whole)]
        change = f"Keep the graph: `{all_replaced(statement, changes)}`"
    left = any(isinstance(n, ast.Call) and called(n) in TO_NUMPY for n in ast.walk(whole))
    later = f" `{way.copied}`, further on, cuts as well." if way.copied else ""
    return f"{change}{', and go on with functions of torch' if left else ''}.{later}"


def _in_place(way: Way) -> str:
    """For what is trained itself and gets another in its place: `w = w.data.clamp(0, 1)`."""
    here = Named(way.name, way.file, way.node) if way.node is not None else None
    match here if way.why is Why.PLAIN else way.named:
        case Named(name, file, ast.Assign(targets=[target], value=value)) if ast.unparse(
            target
        ) == name and name in reads(value):
            if any(map(wants_gradient, given_to(target, file))):
                return (
                    f"Change `{name}` in place, under `with torch.no_grad():`, as by "
                    f"`{name}.copy_({ast.unparse(value)})`: another tensor is not the one trained."
                )
    return ""


def _is_idle(statement: ast.stmt, whole: ast.expr, better: ast.expr) -> bool:
    """Whether nothing would be left but `out = out`."""
    match statement:
        case ast.Assign(targets=[target], value=value):
            return value is whole and ast.unparse(target) == ast.unparse(better)
    return False


def _drawn(statement: ast.stmt | None, node: ast.expr | None) -> str | None:
    """For what is drawn from a distribution: by what its gradient passes through."""
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr="sample" | "sample_n")) if statement:
            draw = ast.Call(ast.Attribute(owner, "rsample"), node.args, node.keywords)
            code, whose = replaced(statement, node, draw), ast.unparse(owner)
            return (
                f"Draw it by `{code.partition(chr(10))[0]}`, through which gradients pass; a "
                f"distribution that has no rsample is trained by `{whose}.log_prob(...)`."
            )
    return None


def _lists_at(file: str, node: ast.expr) -> set[str]:
    """The names of lists that are read there."""
    body = body_around(file, node.lineno)
    names = {part.id: part for part in ast.walk(node) if isinstance(part, ast.Name)}
    return {
        name
        for name, part in names.items()
        if body is not None and (_is_list(body, name) or contains(part, file, own_files()))
    }


def _is_list(body: ast.AST, name: str) -> bool:
    given = bindings(body, name, None)[0]
    return any(each.key == () or isinstance(each.value, ast.List | ast.ListComp) for each in given)


def words(way: Way) -> tuple[str, str]:
    """What cuts, and what to change."""
    if way.why is Why.EXPRESSION:
        code = way.name if len(way.name) <= _LONG else f"{way.name[: _LONG - 1]}…"
        change = _in_place(way) or _instead(way)
        return f"What `{code}` gives has none, whatever it is made of.", change
    if way.why is Why.PLAIN:
        plain = hasattr(ast.parse(way.name, mode="eval").body, "ctx")
        code = f": `{way.name}.requires_grad_()`" if plain else ""
        return (
            f"`{way.name}`, which is to be trained, does not require a gradient.",
            _in_place(way) or f"Let it, or each tensor in it, require one before use{code}.",
        )
    if way.why is not None:
        return _SAID[way.why]
    return (
        "It was made from nothing that requires a gradient.",
        "Call backward only where the loss was made of what is trained.",
    )
