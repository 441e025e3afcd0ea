"""A backward on a tensor that has no graph: what cut it, or which statement made the tensor."""

from __future__ import annotations

import ast
import types
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Final

import torch

from gradwatch_agent.diagnosis.graphless.calling import of_call
from gradwatch_agent.diagnosis.graphless.freezing import frozen_by
from gradwatch_agent.diagnosis.graphless.origins import made
from gradwatch_agent.diagnosis.graphless.scene import Spot, scenes
from gradwatch_agent.diagnosis.graphless.tracing import Tracing
from gradwatch_agent.diagnosis.graphless.ways import Fate, Way, Why, strongest
from gradwatch_agent.diagnosis.graphless.words import words
from gradwatch_agent.lines.sites import is_own
from gradwatch_agent.naming import own_files
from gradwatch_agent.naming.frames import Locals, waiting
from gradwatch_agent.source.reading import called, is_handed_on, receiver
from gradwatch_agent.source.statements import Located, body_around
from gradwatch_agent.source.switching import left_off, switches_around
from gradwatch_agent.source.text import code_of, source_line, statement_at
from gradwatch_agent.verdicts.case import Answer

_OF_INPUTS: Final = "differentiated Tensors"
"""Of torch's sentence, where it is an input that requires no gradient."""

_OUTPUTS: Final = ("tensors", "outputs", "loss")


def of_graphless(frame: types.FrameType, error: str) -> tuple[Answer, str]:
    """Where the graph of what a backward was called on was cut, and how; `frame` is one of those
    within the call.
    """
    frames = [each for each in _outward(frame) if is_own(each.f_code.co_filename)][::-1]
    local = Locals()
    try:
        spots = list(scenes(frames, local))
        return _of(spots, error) if spots else (Answer(), "")
    finally:
        local.clear()


def _of(spots: list[Spot], error: str) -> tuple[Answer, str]:
    here, files = spots[-1], {*own_files(), *(spot.scene.file for spot in spots)}
    asked = _asked(here.node, error)
    name = receiver(here.node) if isinstance(here.node, ast.stmt) else None
    if not torch.is_grad_enabled() and (way := _switched_off(spots, files)) is not None:
        return _told(way, name)
    tracing = Tracing(files, of_call)
    if _OF_INPUTS in error:
        return _unwanted(tracing, asked, here)
    every = (tracing.trace(each, here) for each in asked)
    ways = [w for ways in every for w in ways if w.fate is not Fate.GRAPH]
    best = min(strongest(ways), key=_rank, default=None)
    if best is not None and best.why is Why.FROZEN:
        best = _frozen(best, tracing)
    if best is not None and best.node is not None:
        return _told(best, name)
    return Answer(), ""


def _rank(way: Way) -> tuple[bool, bool]:
    return way.node is None, way.why is Why.FROZEN


def _unwanted(tracing: Tracing, inputs: list[ast.expr], spot: Spot) -> tuple[Answer, str]:
    """Which of the inputs of `autograd.grad` requires no gradient, and where it was made."""
    for each in inputs:
        if all(way.fate is not Fate.GRAPH for way in tracing.trace(each, spot)):
            origin = made(each, spot, tracing.files) or spot
            way = Way(Fate.CUT, origin.scene.file, origin.node, Why.PLAIN, ast.unparse(each))
            return _told(way, None)
    return Answer(), ""


def _outward(frame: types.FrameType | None) -> Iterator[types.FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


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


def _switched_off(spots: list[Spot], files: Collection[str]) -> Way | None:
    """What switched gradients off, where they are so at the call."""
    for spot in reversed(spots):
        for switch in switches_around(spot.scene.body, spot.node.lineno):
            return Way(Fate.CUT, spot.scene.file, switch, Why.MODE)
    for frame in waiting():
        file, line = frame.f_code.co_filename, frame.f_lineno
        for switch in switches_around(body_around(file, line) or ast.Module([], []), line):
            return Way(Fate.CUT, file, switch, Why.WAITING)
    running = {id(part) for spot in spots for part in ast.walk(spot.scene.body)}
    for file, node in sorted(left_off(files), key=lambda each: id(each[1]) not in running):
        return Way(Fate.CUT, file, node, Why.LEFT_OFF)
    return None


def _frozen(way: Way, tracing: Tracing) -> Way:
    modules = tracing.modules[True] if tracing.modules[True].words else tracing.modules[False]
    found = frozen_by(modules, tracing.files)
    return replace(way, file=found[0], node=found[1]) if found is not None else way


def _told(way: Way, name: str | None) -> tuple[Answer, str]:
    """With the line of the very expression, where a statement goes over several."""
    line = way.node.lineno if way.node is not None else 0
    statement = statement_at(way.file, line)
    code = source_line(way.file, line)
    if statement is not None and statement.lineno == line:
        code = code_of(way.file, statement)
    word, suggestion = words(way)
    holder = way.name if way.why is Why.PLAIN else name
    return Answer(way.file, line, code, holder, suggestion), word
