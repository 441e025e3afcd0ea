"""Where what is put away is made of what lay there before: cut as that is read, it still trains
what has made the new one. Pure.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.rewriting import all_replaced, detached, name_detached, parsed
from gradwatch_agent.advice.stored import inner_labels, stored
from gradwatch_agent.advice.whole import whole_detached
from gradwatch_agent.source.flow.loops import follows_a_backward, loops_at
from gradwatch_agent.source.flow.onward import runs_in_a_round
from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.source.syntax.reading import called, names_given, reads
from gradwatch_agent.source.syntax.statements import body_around, statements_of
from gradwatch_agent.source.syntax.vocabulary import works_in_place

_TAKING: Final = ("pop", "popleft")


def cut_as_read(kept: Kept, store: Store) -> str | None:
    """`hs.append(cell(x, hs[-1].detach()))`; None where the statement reads nothing that lay there,
    or what lies there is no tensor itself.
    """
    if works_in_place(store.how):
        return None  # the tensor that is written to would keep the graph of what is written
    value = stored(store)
    old = list(_old(value, store.target)) if value is not None else []
    if not old or inner_labels(kept, store) or (kept.empty and any(map(_takes, old))):
        return None
    return all_replaced(store.node, [(each, _cut(each, kept)) for each in old])


def cut_as_it_goes_on(kept: Kept, store: Store) -> str | None:
    """`w = w.detach() - rate * step`, where that stands behind the backward: cut when the next
    iteration starts, what has made the step would be trained by nothing. None elsewhere.
    """
    if not follows_a_backward(store.file, store.line):
        return None
    match stored(store):
        case ast.BinOp() if not kept.kinds:
            return name_detached(store.node, store.target)
        case (
            ast.ListComp(elt=ast.BinOp(), generators=[drawn])
            | ast.DictComp(value=ast.BinOp(), generators=[drawn])
        ):
            name = _drawn_of(drawn.target, drawn.iter, store.target)
            return name_detached(store.node, name) if name is not None else None
    return None


def _drawn_of(target: ast.expr, source: ast.expr, whole: str) -> str | None:
    """By which name a loop has each element of that: `w` of `for w, g in zip(self.w, grads)`."""
    match target, source:
        case ast.Name(id=name), _ if ast.unparse(source) == whole:
            return name
        case ast.Tuple(elts=[_, each]), ast.Call(func=ast.Attribute(attr="items", value=of)):
            return _drawn_of(each, of, whole)
        case ast.Tuple(elts=parts), ast.Call(func=ast.Name(id="zip"), args=sources):
            pairs = zip(parts, sources, strict=False)
            return next((n for p, s in pairs if (n := _drawn_of(p, s, whole)) is not None), None)
    return None


def _takes(read: ast.expr) -> bool:
    """Whether it cannot be asked twice."""
    return isinstance(read, ast.Call) and called(read) in _TAKING


def _cut(read: ast.expr, kept: Kept) -> ast.expr:
    """The same detached, if there is one yet."""
    if not kept.empty:
        return detached(read)
    return ast.IfExp(parsed(f"{ast.unparse(read)} is None"), ast.Constant(None), detached(read))


def _old(value: ast.AST, target: str) -> Iterator[ast.expr]:
    """What of it reads an element of what is stored into, or the attribute."""
    owner = target.partition("[")[0]
    match value:
        case ast.Subscript(value=whole, slice=key) if ast.unparse(whole) == owner:
            if not isinstance(key, ast.Slice):
                yield value
        case ast.Call(func=ast.Attribute(value=whole)) if (
            called(value) in ("get", *_TAKING) and ast.unparse(whole) == owner
        ):
            yield value
        case ast.Call(
            func=ast.Name(id="getattr"), args=[whole, ast.Constant(value=str(name)), *_]
        ) if f"{ast.unparse(whole)}.{name}" == target:
            yield value
        case _:
            for part in ast.iter_child_nodes(value):
                yield from _old(part, target)


def as_it_is_read(kept: Kept, store: Store) -> str | None:
    """The statement that makes it of what it was, once in each iteration, reading that detached; or
    what is to stand ahead of the one that reads it first.
    """
    if store.how != "assign" or kept.kinds:
        return None
    if runs_in_a_round(store.file, store.line, kept.files):
        return None
    value = getattr(store.node, "value", None)
    read = [
        node
        for node in (ast.walk(value) if value is not None else ())
        if isinstance(node, ast.expr) and ast.unparse(node) == store.target
    ]
    if not read:
        return None
    old = store.target
    if (first := _read_ahead(store)) is not None:
        return f"ahead of `{ast.unparse(first)}`, `{whole_detached(kept, store)}`"
    cut = f"None if {old} is None else {old}.detach()" if kept.empty else f"{old}.detach()"
    return f"`{all_replaced(store.node, [(each, parsed(cut)) for each in read])}`"


def _read_ahead(store: Store) -> ast.stmt | None:
    """The first statement of the same round that reads it as well, and gives a value to what the
    storing one reads.
    """
    body = body_around(store.file, store.line)
    rounds = loops_at(body, store.line) if body is not None else []
    first = rounds[-1].lineno if rounds else 0
    used = set(reads(store.node))
    for each in statements_of(store.file, store.line):
        between = first < each.lineno < store.line and isinstance(each, ast.Assign)
        if between and store.target in reads(each) and not used.isdisjoint(names_given(each)):
            return each
    return None
