"""A backward on a tensor that has no graph: what cut it, or which statement made the tensor."""

from __future__ import annotations

import ast
import contextlib
import types
from collections.abc import Collection
from dataclasses import replace
from typing import Final

import torch

from gradwatch_agent.diagnosis.graphless.calling import of_call
from gradwatch_agent.diagnosis.graphless.freezing import RENEWING, frozen_by
from gradwatch_agent.diagnosis.graphless.making import made
from gradwatch_agent.diagnosis.graphless.modes import switched_off
from gradwatch_agent.diagnosis.graphless.scene import Spot, scenes
from gradwatch_agent.diagnosis.graphless.tracing import Tracing
from gradwatch_agent.diagnosis.graphless.trained import to_be_trained
from gradwatch_agent.diagnosis.graphless.ways import Fate, Trained, Way, Why
from gradwatch_agent.diagnosis.graphless.words import of_an_input, sentence, words
from gradwatch_agent.lines.sites import is_own
from gradwatch_agent.naming import own_files
from gradwatch_agent.naming.frames import Locals, outward
from gradwatch_agent.source.gradients.cut import is_cut
from gradwatch_agent.source.syntax.reading import called, dotted, is_handed_on, receiver
from gradwatch_agent.source.syntax.statements import Located
from gradwatch_agent.source.syntax.text import code_of, source_line, statement_at
from gradwatch_agent.verdicts.case import Answer

_OF_INPUTS: Final = "differentiated Tensors"
"""Of torch's sentence, where it is an input that requires no gradient."""

_SOMEHOW: Final = (
    "Call backward on what is made of what is trained, with its graph: of no detached copy, "
    "no plain number, and not of data alone."
)

_OUTPUTS: Final = ("tensors", "outputs", "loss")


def of_graphless(frame: types.FrameType, error: str) -> tuple[Answer, str]:
    """Where the graph of what a backward was called on was cut, and how; `frame` is one of those
    within the call.
    """
    frames = [each for each in outward(frame) if is_own(each.f_code.co_filename)][::-1]
    local = Locals()
    try:
        spots = list(scenes([(each, each.f_lineno) for each in frames], local))
        with contextlib.suppress(RecursionError):  # near the program's own limit
            return of_spots(spots, error) if spots else (Answer(), sentence(None, None))
        return Answer(), sentence(None, None)
    finally:
        local.clear()


def of_spots(spots: list[Spot], error: str) -> tuple[Answer, str]:
    """The same of the user's statements that led to it, the outermost first."""
    here, files = spots[-1], {*own_files(), *(spot.scene.file for spot in spots)}
    asked = _asked(here.node, error)
    if _OF_INPUTS in error:
        return _unwanted(asked, here, files)
    name = receiver(here.node) if isinstance(here.node, ast.stmt) else None
    way = _cut(asked, spots, files)
    if way is not None and way.node is not None:
        return _told(way, name), sentence(name, way)
    origin = next((at for each in asked if (at := made(each, here, sorted(files)))), here)
    way = Way(Fate.UNKNOWN, origin.scene.file, origin.node)
    return replace(_told(way, name), suggestion=_SOMEHOW), sentence(name, None)


def _cut(asked: list[ast.expr], spots: list[Spot], files: Collection[str]) -> Way | None:
    """What is most likely to have cut the graph; None if nothing is."""
    tracing = Tracing(files, of_call, to_be_trained(spots))
    ways = [way for each in asked for way in tracing.trace(each, spots[-1])]
    ended = [way for way in ways if way.fate is not Fate.GRAPH and way.node is not None]
    if not torch.is_grad_enabled() and not _is_sure(ended):
        off = switched_off(asked, spots, files)
        ended = [off, *ended] if off is not None else ended
    best = min(ended, key=_rank, default=None)
    others = any(way.fate is Fate.GRAPH or way.instead for way in ways)
    if best is not None and best.fate is Fate.NOTHING and not others:
        return None  # it has come by that one only where another was left aside
    if best is None or best.why not in (Why.FROZEN, Why.ANOTHER):
        return best
    modules = tracing.modules[True] if tracing.modules[True].words else tracing.modules[False]
    found = frozen_by(modules.named(spots), tracing.files)
    if found is None or (best.why is Why.ANOTHER and not _renews(found[1])):
        return best
    return replace(best, file=found[0], node=found[1], why=Why.FROZEN)


def _renews(statement: ast.stmt) -> bool:
    """Whether it puts new weights in, of which no optimizer can know."""
    return any(isinstance(n, ast.Call) and called(n) in RENEWING for n in ast.walk(statement))


def _is_sure(ways: list[Way]) -> bool:
    """Whether the mode need not be asked: what is to be trained lies beyond a cut."""
    cuts = [way for way in ways if way.fate is Fate.CUT]
    return bool(cuts) and all(way.trained is Trained.YES for way in cuts)


_ORDER: Final = {Why.LEFT_OFF: 1, Why.WAITING: 1, Why.FROZEN: 2}


def _rank(way: Way) -> tuple[bool, int, int, int, bool]:
    """The likelier the lower: beyond it lies what is to be trained. What is cut twice, is so on
    purpose.
    """
    switched = way.why in (Why.LEFT_OFF, Why.WAITING)
    unknown = way.fate is Fate.UNKNOWN
    trained = Trained.YES if switched else way.trained
    order = _ORDER.get(way.why, 0) if way.why else 0
    return unknown, -trained, -way.fate, order, _is_cut_twice(way)


def _is_cut_twice(way: Way) -> bool:
    """`torch.tensor(losses).detach()`."""
    match way.node:
        case ast.Call(func=ast.Attribute(value=ast.expr() as inner, attr="detach")):
            return is_cut(inner)
    return bool(way.copied)


def _unwanted(inputs: list[ast.expr], spot: Spot, files: Collection[str]) -> tuple[Answer, str]:
    """Which of the inputs of `autograd.grad` requires no gradient, and where it was made."""
    for each in inputs:
        name, tensor = dotted(each), spot.scene.meant(each)
        if name is not None and type(tensor) is torch.Tensor and not tensor.requires_grad:
            origin = made(each, spot, sorted(files)) or spot
            word, suggestion = of_an_input(name)
            way = Way(Fate.CUT, origin.scene.file, origin.node, Why.PLAIN, name)
            return replace(_told(way, name), suggestion=suggestion), word
    return Answer(), "autograd.grad was asked for the gradient of what requires none."


def _asked(statement: Located, error: str) -> list[ast.expr]:
    """What has no graph, of what the statement calls a backward on."""
    for call in ast.walk(statement):
        if not isinstance(call, ast.Call) or called(call) not in ("backward", "grad"):
            continue
        given = [*call.args[:1], *(k.value for k in call.keywords if k.arg in _OUTPUTS)]
        if _OF_INPUTS in error:
            given = [*(k.value for k in call.keywords if k.arg == "inputs"), *call.args[1:2]]
        elif called(call) == "backward" and not is_handed_on(call):
            given = [call.func.value] if isinstance(call.func, ast.Attribute) else []
        if given:
            first = given[0]
            return first.elts if isinstance(first, ast.List | ast.Tuple) else [first]
    return []


def _told(way: Way, name: str | None) -> Answer:
    """With the line of the very expression, where a statement goes over several."""
    line = way.node.lineno if way.node is not None else 0
    statement = statement_at(way.file, line)
    code = source_line(way.file, line)
    if statement is not None and statement.lineno == line:
        code = code_of(way.file, statement)
    holder = way.name if way.why is Why.PLAIN else way.named.name if way.named else name
    return Answer(way.file, line, code, holder, words(way)[1])
