"""For a function that remembers what it returns, graph and all: what to do instead. Pure."""

from __future__ import annotations

import ast

from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.remembering import (
    DESCRIBING,
    is_of_a_made_up_attribute,
    made_within,
    used_as,
)
from gradwatch_agent.advice.storing import without_graph
from gradwatch_agent.source.flow.beginning import flag_of
from gradwatch_agent.source.gradients.cut import is_cut
from gradwatch_agent.source.stored.caches import cache_made
from gradwatch_agent.source.stored.stores import Store


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
        "graph it was computed with; or empty it in each iteration, once backward is done: "
        f"`{_emptied(kept, code)}`."
    )


def forget(kept: Kept, store: Store) -> str:
    """For one of which a later iteration asks what an earlier one has computed."""
    if (cache := cache_made(store.node)) is not None:
        return leave_away(kept, cache, decorates=False)
    code = without_graph(kept, store)
    cut = code is not None and not kept.alone_teaches
    each = f", or `{code}` if nothing behind it is trained" if cut else ""
    if is_of_a_made_up_attribute(store) and store.function != DESCRIBING:
        return (
            "What it remembers belongs to the iteration that computed it: keep it in a variable, "
            f"or by one name, so that the next takes its place{each}."
        )
    if (maker := made_within(store)) is not None:
        return (
            f"What `{maker.name}` makes remembers each result with its graph for good: do without "
            f"{used_as(maker, kept.files)} where it is trained through{each}."
        )
    empty = _emptied_there(kept, store)
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


def _emptied_there(kept: Kept, store: Store) -> str:
    """What to call, as whoever has it calls what it fills."""
    if store.function == DESCRIBING:
        return f"`del {kept.expression}`"
    kept_in, by_key, _ = store.target.partition("[")
    if store.how == "setdefault":
        kept_in, by_key = kept.expression, "["
    whose, dot, rest = kept_in.partition(".")
    if whose in ("self", "cls") and kept.expression.endswith(f"{dot}{rest}"):
        kept_in = kept.expression  # whoever empties it is another than its owner
    elif by_key and kept_in.isidentifier() and kept_in != kept.name:
        kept_in = kept.expression.partition("[")[0]  # nor does he know it by a variable's name
    return f"`{kept_in}.clear()`" if by_key else f"`{kept_in} = None`"


def anew_for_each(kept: Kept | None, store: Store | None) -> str:
    """For what is made now and then, and walked by one backward after the other."""
    code = without_graph(kept, store) if kept is not None and store is not None else None
    plain = f": `{code}`" if code is not None else " (x.detach())"
    needed = kept is not None and kept.alone_teaches
    cut = "" if needed else f", or keep it without its graph{plain}"
    return (
        "It is made only now and then, and the first backward frees it: compute it anew for "
        f"each{cut}."
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
