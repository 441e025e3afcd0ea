"""What is done with one of several that go side by side, and is forgotten for this one. Pure but
for reading.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gradwatch_agent.source.flow.emptying import emptied_beside
from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.source.syntax.comments import without_comment
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.statements import body_around, is_within
from gradwatch_agent.source.syntax.text import code_of, nodes


def empty_it_too(store: Store, code: str | None = None) -> str | None:
    """Where a list is emptied that is filled with this one; `code`: the statement that stores, of
    what has no graph.
    """
    emptied = emptied_beside(store)
    if emptied is None:
        return None
    own = _of_the_same(emptied.what, store)
    alone = "or, unless the loss trains by what lies there, store it without its graph"
    more = f"; {alone}: `{code}`" if code is not None else ""
    if emptied.gone:
        shorter = f"del {own}[{emptied.gone}]"
        return f"Shorten it, too, where `{emptied.code}` stands: `{shorter}`{more}."
    return f"Empty it, too, where `{emptied.code}` stands: `{own}.clear()`{more}."


def cut_it_too(store: Store) -> str | None:
    """Where another variable or attribute is cut, which the function of this one goes on with, too:
    `self.fast = self.fast.detach()`.
    """
    body = body_around(store.file, store.line)
    if body is None or "[" in store.target:
        return None
    own, beside = store.target.rpartition(".")[2], _last_names(body)
    for node in (each for each in nodes(store.file) if isinstance(each, ast.stmt)):
        for target in _cut_by(node):
            name = target.rpartition(".")[2]
            if name != own and name in beside and _goes_with(store, target, node, body):
                same = _of_the_same(target, store)
                where = without_comment(code_of(store.file, node))
                return f"Cut it, too, where `{where}` stands: `{same} = {same}.detach()`."
    return None


def _goes_with(store: Store, target: str, node: ast.stmt, body: ast.AST) -> bool:
    """Whether what is cut there may be beside the other: a variable of the same function, or an
    attribute; of `self`, one of the same class.
    """
    if "." not in target or "." not in store.target:
        return "." not in target + store.target and body_around(store.file, node.lineno) is body
    if not (target.startswith("self.") and store.own):
        return True
    around = [
        each
        for each in nodes(store.file)
        if isinstance(each, ast.ClassDef) and is_within(each, node.lineno)
    ]
    return bool(around) and max(around, key=lambda each: each.lineno).name == store.owner


def _of_the_same(other: str, store: Store) -> str:
    """The own list or tensor, by the owner's name that stands there."""
    owner, name = other.rpartition(".")[0], store.target.rpartition(".")[2]
    return f"{owner}.{name}" if owner else name


def _last_names(body: ast.AST) -> set[str]:
    """What is given something there, by last names."""
    kinds = (ast.Name, ast.Attribute)
    every = (node for node in ast.walk(body) if isinstance(node, kinds))
    stored = (node for node in every if isinstance(node.ctx, ast.Store))
    return {ast.unparse(node).rpartition(".")[2] for node in stored}


def _cut_by(node: ast.stmt) -> Iterator[str]:
    """What the statement cuts, `h = h.detach()` or `h.detach_()`, and nothing else."""
    match node:
        case ast.Assign(targets=[target], value=ast.Call(func=ast.Attribute(value=whole)) as call):
            if called(call) == "detach" and ast.unparse(target) == ast.unparse(whole):
                yield ast.unparse(target)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=whole, attr="detach_"))):
            yield ast.unparse(whole)
