"""What a second backward needs is to be made again for it, by the statement that made it or by the
whole forward.
"""

from __future__ import annotations

import ast
from collections.abc import Set

from gradwatch_agent.advice.rewriting import is_bare
from gradwatch_agent.diagnosis.place.at_line import at, loss_of
from gradwatch_agent.graph.passes import Earlier
from gradwatch_agent.lines.sites import Site
from gradwatch_agent.naming import Path
from gradwatch_agent.source.stored.stores import stores, variable
from gradwatch_agent.source.syntax.reading import reads
from gradwatch_agent.source.syntax.statements import function_at, statements_of
from gradwatch_agent.verdicts.case import Answer


def the_same_again(now: Site, earlier: Earlier, holder: str | None, freed: Set[str]) -> Answer:
    """Two backwards of one loss: where it is made, in the same function, it can be made again.
    `freed`: the names of what lies in its graph, of which nothing can be made any more.
    """
    loss = loss_of(now)
    made = made_ahead(now, loss) if loss is not None else None
    bare = made is not None and is_bare(getattr(made, "value", None))
    if made is None or bare or not freed.isdisjoint(reads(made)):
        anew = "compute it anew for this one, from the model's outputs on"
    else:
        anew = f"compute it anew ahead of this one: `{ast.unparse(made)}`"
    advice = f"The backward in line {earlier.site.line} has freed this graph: {anew}"
    if not earlier.stepped:
        first = loss_of(earlier.lines[0])
        keep = f"`{first}.backward(retain_graph=True)`" if first else "pass retain_graph=True to it"
        advice += f"; or, if the weights are still the same, let that one keep it: {keep}"
    return at(now, f"{advice}.", holder or loss)


def added_up(now: Site) -> Answer:
    """A loss that each round of a loop adds to, and backwards: all that it has been so far."""
    loss, function = loss_of(now), function_at(now.file, now.line)
    if loss is None or not loss.isidentifier():
        return Answer()
    found = stores([variable(now.file, function, loss)], [now.file])
    if not any(each.in_loop and each.adds_to_itself for each in found):
        return Answer()
    advice = (
        f"`{loss}` adds up the losses of a loop, those that are backwarded already too: call "
        f"`{loss}.backward()` once, behind that loop, or start `{loss}` anew in each round."
    )
    return at(now, advice, loss)


def made_anew(
    now: Site, shared: Path | None, freed: Set[str] = frozenset(), *, stepped: bool = False
) -> Answer:
    """Each has its own gradients, and what they trained may have changed in between: surely, if
    anything `stepped`. `freed`: the names of what the first has freed, too.
    """
    if shared is None:
        return at(now, "Compute anew, for this backward, what the first one has freed.")
    name = shared.expression
    made = made_ahead(now, name)
    lower = (
        _first_of(now, freed - {name})
        if made is not None and not freed.isdisjoint(reads(made))
        else None
    )
    if lower is not None:
        again = f"Do the forward again for this backward, from `{ast.unparse(lower)}` on"
    else:
        anew = f"`{ast.unparse(made)}`" if made is not None else f"what `{name}` stands for"
        again = f"Compute {anew} again for this backward"
    cleared = "the gradients of the first are cleared by now, and what it trained may have changed"
    why = "a step has changed what the first one trained" if stepped else cleared
    both = "" if stepped else " Or, if both are to be used, add the losses."
    return at(now, f"{again}: {why}.{both}", name)


def whole_anew(now: Site, shared: Path | None, first: str | None) -> Answer:
    """The second loss is a part of the `first` one, and a step lies between the two."""
    name = shared.expression if shared is not None else None
    loss = f"`{name}`" if name is not None else "this loss"
    whole = f"`{first}`" if first else "another loss"
    advice = (
        f"The backward of {whole} has walked {loss} as a part of it, and a step has changed what "
        f"that trained: compute {loss} anew for this backward, or let one step train by both."
    )
    return at(now, advice, name)


def _first_of(now: Site, names: Set[str]) -> ast.stmt | None:
    """The first statement ahead of the line that gives one of them a value."""
    ahead = (each for each in statements_of(now.file, now.line) if each.lineno < now.line)
    return next((each for each in ahead if not names.isdisjoint(_assigned(each))), None)


def of_the_same_forward(
    site: Site, shared: Path | None, first: str | None, *, only: bool
) -> Answer:
    """What the first trained has been stepped, and the second has nothing else to train (`only`),
    or no other way to some of it; `site` is where it reads that.
    """
    holder = shared.expression if shared is not None else None
    anew = f"compute `{holder}` anew for it" if holder is not None else "do the forward anew for it"
    sum_ = f"add it to `{first}` ahead of that one's backward" if first else "add the two losses"
    advice = (
        f"This loss trains {'only' if only else 'by'} what the first one's backward has walked and "
        f"a step has changed since: {anew}; or, if one step is to train by both, {sum_}."
    )
    return at(site, advice, holder)


def made_ahead(now: Site, name: str) -> ast.stmt | None:
    """The last statement ahead of the line, in its function, that gives the name a value."""
    ahead = (each for each in statements_of(now.file, now.line) if each.lineno < now.line)
    made = [each for each in ahead if name in _assigned(each)]
    return made[-1] if made else None


def _assigned(statement: ast.stmt) -> list[str]:
    """What it alone gives a value, as code."""
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return [ast.unparse(each) for target in targets for each in getattr(target, "elts", [target])]
