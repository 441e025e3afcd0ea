"""For a function that remembers what it returns, graph and all: what to do instead. Pure."""

from __future__ import annotations

import ast

from gradwatch_agent.advice.kept import Kept


def leave_away(kept: Kept, decorator: ast.expr) -> str:
    """No `.detach()`: who trains through the function would train it no more."""
    code = f"@{ast.unparse(decorator)}"
    return (
        f"Leave `{code}` away where you train through `{kept.name}`, for each result keeps the "
        f"graph it was computed with; or empty it in each iteration: `{_emptied(kept, code)}`."
    )


def _emptied(kept: Kept, code: str) -> str:
    if "property" in code:
        return f"del {kept.expression}"
    return f"{kept.expression}.cache_clear()"
