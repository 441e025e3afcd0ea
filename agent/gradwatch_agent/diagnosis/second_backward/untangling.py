"""What to change where two backwards of one iteration need the same graph, and where. Pure but for
reading.
"""

from __future__ import annotations

import ast
import os

from gradwatch_agent.advice.rewriting import name_detached
from gradwatch_agent.diagnosis.place.at_line import at, loss_of
from gradwatch_agent.diagnosis.second_backward.spelling import spelled
from gradwatch_agent.graph.passes import Earlier
from gradwatch_agent.lines.sites import Site
from gradwatch_agent.naming import Path, own_files
from gradwatch_agent.source.flow.calls import calls_of
from gradwatch_agent.source.flow.giving import callees
from gradwatch_agent.source.gradients.severing import graph_is_made
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.statements import body_around
from gradwatch_agent.source.syntax.text import statement_at
from gradwatch_agent.source.syntax.vocabulary import WALKING
from gradwatch_agent.verdicts.case import Answer


def two_losses(now: Site, earlier: Earlier, shared: Path | None) -> Answer:
    """Both losses train what both reach, as far as is known: one backward of their sum."""
    first, second = loss_before(earlier), loss_of(now)
    holder = shared.expression if shared is not None else None
    if not first and shared is not None:
        alike = (now.file, now.function) != (earlier.site.file, earlier.site.function)
        handed = (_left_to_the_next if alike else _handed_over)(earlier, shared)
        if handed is not None:
            return handed
    if first and (derivative := _left_to_a_derivative(now, earlier.site, first)) is not None:
        return at(earlier.site, derivative, holder)
    if first and _gradients_are_read_between(earlier.site, now):
        keep = f"`{first}.backward(retain_graph=True)`"
        why = "Its gradients are read before the second backward adds its own"
        return at(earlier.site, f"{why}: let it keep the graph for that one, {keep}.", holder)
    if not first or not second:
        return at(now, holder=holder)
    advice = _one_backward(now, earlier.site, first, second)
    if holder is not None:
        advice += f" If one of them is not to train what made `{holder}`, let it read "
        advice += f"`{holder}.detach()`."
    return at(now, advice, holder)


def _gradients_are_read_between(before: Site, now: Site) -> bool:
    """Whether the function reads them there, by itself or in what it calls: each loss's are wanted
    apart.
    """
    body = body_around(now.file, now.line)
    if body is None or (now.file, now.function) != (before.file, before.function):
        return False
    between = range(before.line + 1, now.line)
    there = [node for node in ast.walk(body) if getattr(node, "lineno", 0) in between]
    calls = (node for node in there if isinstance(node, ast.Call))
    inside = [
        part for call in calls for _, each in callees(call, own_files()) for part in ast.walk(each)
    ]
    every = (*there, *inside)
    asked = {node.func for node in every if isinstance(node, ast.Call)}  # `torch.autograd.grad(`
    return any(map(_reads_a_gradient, (node for node in every if node not in asked)))


def _reads_a_gradient(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Attribute) and node.attr == "grad" and isinstance(node.ctx, ast.Load)
    )


def _left_to_a_derivative(now: Site, before: Site, loss: str) -> str | None:
    """Where the second asks for gradients of what the first has walked: to be trained on, or to be
    looked at.
    """
    asking = statement_at(now.file, now.line, calling=WALKING)
    calls = (node for node in ast.walk(asking or ast.Pass()) if isinstance(node, ast.Call))
    asked = [call for call in calls if called(call) == "grad"]
    if not asked:
        return None
    there = f"line {now.line}" + _of_another(now, before)
    keep = f"`{loss}.backward(retain_graph=True)`"
    if any(map(graph_is_made, asked)):
        return (
            f"It frees the graph of which {there} takes a derivative: {keep}; or take that ahead "
            f"of it, and add to `{loss}` what it comes to."
        )
    return f"It frees the graph of which {there} asks for gradients: {keep}; or ask ahead of it."


def _of_another(site: Site, here: Site) -> str:
    return f" of {site.file.rpartition(os.sep)[2]}" if site.file != here.file else ""


def _handed_over(earlier: Earlier, shared: Path) -> Answer | None:
    """Where a function of its own calls the first backward, on a loss that it makes itself of what
    it is given: that is given.
    """
    inner, statement = earlier.lines[0], statement_at(earlier.site.file, earlier.site.line)
    name = spelled(shared, statement) if statement is not None else None
    loss = _made_in_there(inner)
    if statement is None or name is None or loss is None:
        return None
    if (code := name_detached(statement, name)) is None:
        return None
    advice = (
        f"Hand it over without its graph: `{code}`; or, if the backward in there is to train what "
        f"made `{name}`, too, let that one keep it: `{loss}.backward(retain_graph=True)`."
    )
    return at(earlier.site, advice, shared.expression)


def _made_in_there(call: Site) -> str | None:
    """The loss that is walked there, if the function makes it itself, and was not given it."""
    loss, body = loss_of(call), body_around(call.file, call.line)
    if loss is None or isinstance(body, ast.Module | None):
        return None
    given = {each.arg for each in ast.walk(body.args) if isinstance(each, ast.arg)}
    return loss if loss.partition(".")[0] not in given else None


def _left_to_the_next(earlier: Earlier, shared: Path) -> Answer | None:
    """Where each of two functions makes a loss of what both are given, and walks it: both train it,
    and the first is to leave the graph to the second.
    """
    inner = earlier.lines[0]
    loss = _made_in_there(inner)
    if loss is None:
        return None
    advice = (
        f"Let this one leave the graph to the next: `{loss}.backward(retain_graph=True)`; or hand "
        "both losses back and call one backward on their sum. If one of them is not to train what "
        f"made `{shared.expression}`, let it read `{shared.expression}.detach()`."
    )
    return at(inner, advice, shared.expression)


def is_given_nothing(call: Site) -> bool:
    """Whether the function that calls this backward is given nothing of which it could make another
    loss: `def flush(self)`.
    """
    body = body_around(call.file, call.line)
    if isinstance(body, ast.Module | None):
        return False
    given = [each.arg for each in ast.walk(body.args) if isinstance(each, ast.arg)]
    return given in ([], ["self"])


def _one_backward(now: Site, before: Site, first: str, second: str) -> str:
    """Their sum, where both names are known in one function; else one is to be handed over."""
    keep = f"`{first}.backward(retain_graph=True)`"
    if (now.file, now.function) == (before.file, before.function):
        return (
            f"Add the losses and call backward once: `({first} + {second}).backward()`; or keep "
            f"the graph for the second: {keep}."
        )
    file = before.file.rpartition(os.sep)[2]
    return (
        f"Hand this loss back, add it to `{first}` and call backward once; or keep the graph for "
        f"it, in line {before.line} of {file}: {keep}."
    )


def loss_before(earlier: Earlier) -> str | None:
    """The name that it was called on, if that is known there."""
    return loss_of(earlier.site) if len(earlier.lines) == 1 else None


def begins_anew(now: Site, earlier: Earlier) -> bool:
    """Whether, between the two, gradients are cleared: this loss is meant to train by itself."""
    site = earlier.site
    if (now.file, now.function) == (site.file, site.function):
        first = site.line + 1
    else:  # a function of its own
        first = getattr(body_around(now.file, now.line), "lineno", now.line)
    between = range(first, now.line)
    calls = calls_of("zero_grad", [now.file])
    return any(call.lineno in between for _, call in calls)
