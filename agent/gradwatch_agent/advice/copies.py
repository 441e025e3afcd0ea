"""For a container of views: copies of what they show instead. Pure."""

from __future__ import annotations

from gradwatch_agent.advice.changed import changed
from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.rewriting import method
from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.verdicts.case import amount


def store_copies(kept: Kept, store: Store | None, shown_bytes: float, kept_bytes: float) -> str:
    """`shown_bytes`, `kept_bytes`: of one element on average."""
    code = None
    if store is not None and kept.labels == ("[0]",):
        code = changed(kept, store, lambda value: method(value, "clone"))
    what = f"`{code}`" if code is not None else "x.clone() in place of x"
    return (
        f"Each element of `{kept.expression}` is a view of {amount(shown_bytes)} that keeps all it "
        f"was cut from, {amount(kept_bytes)}: store a copy, {what}."
    )
