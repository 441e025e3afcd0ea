"""For a function that remembers what it returns, graph and all: what to do instead. Pure."""

from __future__ import annotations

import ast
from collections.abc import Collection

from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.rewriting import parsed
from gradwatch_agent.advice.storing import without_graph
from gradwatch_agent.kept.guards import is_guarded
from gradwatch_agent.source.flow.loops import flag_of, is_beginning
from gradwatch_agent.source.gradients.cut import is_cut
from gradwatch_agent.source.stored.caches import cache_made
from gradwatch_agent.source.stored.stores import Store, variable
from gradwatch_agent.source.syntax.reading import base
from gradwatch_agent.source.syntax.scopes import first_line
from gradwatch_agent.source.syntax.statements import (
    Body,
    Function,
    body_around,
    choices_of,
    functions_of,
    is_in,
)
from gradwatch_agent.source.syntax.targets import is_of_a_made_up_name

_DESCRIBING = "__get__"
"""The method of a property made by hand."""


def leave_away(
    kept: Kept, cache: ast.expr, back: ast.stmt | None = None, *, decorates: bool = True
) -> str:
    """No `.detach()`: who trains through the function would train it no more. `back`: what hands
    back the result; where that has no graph, it is what the function is asked with that does.
    """
    code = f"{'@' if decorates else ''}{ast.unparse(cache)}"
    if is_cut(getattr(back, "value", None)):
        return (
            f"`{code}` keeps what `{kept.name}` is asked with, its graph too: ask with a number "
            "(x.item()), or remove it, for a tensor is not found again by its value."
        )
    plain = f"Let `{code}` be a plain `@property`" if "property" in code else f"Remove `{code}`"
    return (
        f"{plain} where you train through `{kept.name}`, for each result keeps the "
        f"graph it was computed with; or empty it in each iteration: `{_emptied(kept, code)}`."
    )


def is_remembered(store: Store) -> bool:
    """Whether it fills a cache made by hand: under a key that is not there yet, or an attribute
    that is None yet; a dict's `__missing__`, and a descriptor's `__get__`, are asked for nothing
    else.
    """
    if cache_made(store.node) is not None or _hands_it_back(store):
        return True
    if store.function in ("__missing__", _DESCRIBING) and "[" in store.target:
        return True
    if store.how != "assign" or "[" not in store.target:
        lasts = "." in store.target or _is_of_others_too(store)
        return store.how == "assign" and lasts and is_beginning(store)
    if store.accumulates:  # what is there goes on: an average
        return False
    return store.key is None and is_guarded(store.file, store.line)


def _hands_it_back(store: Store) -> bool:
    """Whether the function hands back what it has put there: `return self.kept[key]`, `return
    getattr(self, name)`, `return kept.setdefault(key, made)`.
    """
    if not store.target:
        return False
    made_up = _is_of_a_made_up_name(store)
    by_key = store.how == "setdefault" or (store.how == "assign" and "[" in store.target)
    body = body_around(store.file, store.line)
    if body is None or not (made_up or by_key) or store.fresh:
        return False
    if store.how == "assign" and store.accumulates:  # a state, which goes on from itself
        return False
    if isinstance(store.node, ast.Return):
        return store.how == "setdefault"
    put_in = base(parsed(store.target))
    for node in ast.walk(body):
        value = node.value if isinstance(node, ast.Return) else None
        if made_up and value is not None and is_of_a_made_up_name(value):
            return True
        if isinstance(value, ast.Subscript) and ast.dump(base(value)) == ast.dump(put_in):
            return by_key
    return False


def _is_of_a_made_up_name(store: Store) -> bool:
    """Whether it gives an attribute something whose name is known at run time alone."""
    target = parsed(store.target) if store.target else None
    return store.how == "setattr" or (target is not None and is_of_a_made_up_name(target))


def _is_of_others_too(store: Store) -> bool:
    """Whether it is no variable of the function's own: `global table`."""
    body = body_around(store.file, store.line)
    said = (n for n in ast.walk(body) if isinstance(n, ast.Global | ast.Nonlocal)) if body else ()
    return any(store.target in each.names for each in said)


def forget(kept: Kept, store: Store) -> str:
    """For one of which a later iteration asks what an earlier one has computed."""
    if (cache := cache_made(store.node)) is not None:
        return leave_away(kept, cache, decorates=False)
    code = without_graph(kept, store)
    each = f", or `{code}` if nothing behind it is trained" if code is not None else ""
    if _is_of_a_made_up_name(store) and store.function != _DESCRIBING:
        return (
            "What it remembers belongs to the iteration that computed it: keep it in a variable, "
            f"or by one name, so that the next takes its place{each}."
        )
    if (maker := _made_within(store)) is not None:
        return (
            f"What `{maker.name}` makes remembers each result with its graph for good: do without "
            f"{_its_use(maker, kept.files)} where it is trained through{each}."
        )
    kept_in, by_key, _ = store.target.partition("[")
    if store.how == "setdefault":
        kept_in, by_key = kept.expression, "["
    whose, dot, rest = kept_in.partition(".")
    if whose in ("self", "cls") and kept.expression.endswith(f"{dot}{rest}"):
        kept_in = kept.expression  # whoever empties it is another than its owner
    elif by_key and kept_in.isidentifier() and kept_in != kept.name:
        kept_in = kept.expression.partition("[")[0]  # nor does he know it by a variable's name
    empty = f"`{kept_in}.clear()`" if by_key else f"`{kept_in} = None`"
    empty = f"`del {kept.expression}`" if store.function == _DESCRIBING else empty
    flag, anew = flag_of(store), "empty it"
    if flag is not None:
        anew, owner = "have it computed", kept.expression.rpartition(".")[0]
        empty = f"`{owner}.{flag.name.rpartition('.')[2]} = {flag.asks}`"
    first = kept.constant or (flag is not None and not flag.asks)  # what is done but once
    if first and code is not None:
        return (
            f"Store it without its graph: `{code}`; or, if it is to be trained through, {anew} "
            f"in each iteration, {empty}."
        )
    return (
        f"What it remembers belongs to the iteration that computed it: {anew} in each one, "
        f"{empty}{each}."
    )


def _made_within(store: Store) -> Function | None:
    """The function that makes the cache and hands out the one that fills it: from elsewhere nobody
    has it by a name.
    """
    name, around = store.target.partition("[")[0], body_around(store.file, store.line)
    if not name.isidentifier() or around is None or isinstance(around, ast.Module):
        return None
    home = variable(store.file, first_line(around), name).scope
    makers = (each for each in functions_of(store.file) if first_line(each) == home)
    maker = next(makers, None)
    handed = (
        (node.value for node in ast.walk(maker) if isinstance(node, ast.Return)) if maker else ()
    )
    return maker if around.name in {getattr(value, "id", "") for value in handed} else None


def _its_use(maker: Function, files: Collection[str]) -> str:
    """`@memoize`, where functions are decorated so; else a call of it."""
    decorators = (each for f in files for one in functions_of(f) for each in one.decorator_list)
    used = {ast.unparse(d) for d in decorators if ast.unparse(d).partition("(")[0] == maker.name}
    return f"`@{used.pop()}`" if len(used) == 1 else f"`{maker.name}(...)`"


def is_refreshed(store: Store) -> bool:
    """Whether it is made anew every so many iterations, and not of what it was: a cache, and no
    state.
    """
    body = body_around(store.file, store.line)
    if store.how != "assign" or body is None or not _is_counted(body, store.line):
        return False
    waiting, seen = [store.node], {store.node}
    for statement in waiting:
        read = {ast.unparse(part) for part in ast.walk(getattr(statement, "value", statement))}
        if store.target in read:
            return False
        assigned = [n for n in ast.walk(body) if isinstance(n, ast.Assign) and n not in seen]
        made = [n for n in assigned if not read.isdisjoint(map(ast.unparse, n.targets))]
        waiting += made
        seen.update(made)
    return True


def _is_counted(body: Body, line: int) -> bool:
    """Whether the line stands under `if step % n == 0`."""
    return any(
        isinstance(part, ast.Mod)
        for choice in choices_of(body)
        if is_in(choice.body, line)
        for part in ast.walk(choice.test)
    )


def anew_for_each(kept: Kept | None, store: Store | None) -> str:
    """For what is made now and then, and walked by one backward after the other."""
    code = without_graph(kept, store) if kept is not None and store is not None else None
    plain = f": `{code}`" if code is not None else " (x.detach())"
    return (
        "It is made only now and then, and the first backward frees it: compute it anew for each, "
        f"or keep it without its graph{plain}."
    )


def limit(decorator: ast.expr, count: int) -> str:
    """For one that only fills, with no graph in it."""
    code = f"@{ast.unparse(decorator)}"
    own = "lru_cache" in code and not code.startswith("@functools.")
    return (
        f"`{code}` keeps every result ({count:,} by now): leave it away, or give it a bound, "
        f"`@{'' if own else 'functools.'}lru_cache(maxsize=...)`."
    )


def ask_by_value(kept: Kept, count: int) -> str:
    """For one whose keys are tensors, or objects: equal to none but themselves."""
    return (
        f"The keys of `{kept.expression}` are the same as themselves alone, so that what it "
        f"remembers is never found again ({count:,} by now): ask by a value, as x.item() or "
        "tuple(x.tolist()) of a tensor, or leave it away."
    )


def _emptied(kept: Kept, code: str) -> str:
    if "property" in code:
        return f"del {kept.expression}"
    return f"{kept.expression}.cache_clear()"
