"""For a function that keeps a graph by what it was made of. Pure."""

from __future__ import annotations

from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.rewriting import all_replaced, detached


def cut_from_within(kept: Kept, code: str) -> str | None:
    """For what only functions know that close over it: whoever trains has no name for it."""
    if not kept.via.startswith("the closure of") or kept.expression != kept.name:
        return None
    if kept.empty:
        name = kept.name
        code = f"{code} if torch.is_tensor({name}) else {name}"
    within = kept.via.removeprefix("the closure of ")
    return (
        f"Only {within} knows `{kept.name}`: let another function beside it cut it, `def cut(): "
        f"nonlocal {kept.name}; {code}`, and call that at the start of each iteration."
    )


def for_a_function(kept: Kept) -> str:
    """What is stored is a function: it has nothing to detach, but what it was made of has. Or it
    is one that waits to go on, and keeps its variables.
    """
    if kept.default is not None:
        every = (kept.default.value, *kept.default.beside)
        code = all_replaced(kept.default.statement, [(each, detached(each)) for each in every])
        return f"Give the function that is kept its default without the graph: `{code}`."
    name, plain = kept.closed, f"{kept.closed}_now"
    if kept.via.endswith("waits"):
        return (
            f"`{kept.expression}` keeps what waits with `{name}` among its variables, graph and "
            "all: let it go on before the next iteration, or hand it numbers (x.item()) and "
            "detached tensors."
        )
    value = f"{plain} = {name}.item()" if kept.scalar else f"{plain} = {name}.detach()"
    has = "closes over" if "closure" in kept.via else "has as a default"
    return (
        f"The function that `{kept.expression}` keeps {has} `{name}`, graph and all: write "
        f"`{value}` before it is made, and let it use that; or keep what it returns."
    )
