"""What has switched gradients off, where they are so at a backward."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Collection

from gradwatch_agent.diagnosis.graphless.origins import bound
from gradwatch_agent.diagnosis.graphless.scene import Spot
from gradwatch_agent.diagnosis.graphless.ways import Fate, Trained, Way, Why
from gradwatch_agent.naming.frames import waiting
from gradwatch_agent.source.gradients.switching import is_called, is_off, left_off, switch_around
from gradwatch_agent.source.syntax.statements import body_around, is_in_custom_forward


def switched_off(asked: list[ast.expr], spots: list[Spot], files: Collection[str]) -> Way | None:
    """A block or decorator around the call, a generator that waits in one, a switch left off. None
    where torch itself has, or the block is around the call but not around what made the loss.
    """
    if any(is_in_custom_forward(spot.scene.file, spot.node.lineno) for spot in spots):
        return None
    for number, spot in enumerate(reversed(spots)):
        switch = switch_around(spot.scene.body, spot.node.lineno)
        if switch is not None:
            made_there = number > 0 or _was_made_within(asked, spot, switch)
            off = is_off(switch, spot.scene.truth) is not False
            return _way(spot.scene.file, switch, Why.MODE) if made_there and off else None
    return _of_generators() or _left(spots, files)


def _was_made_within(asked: list[ast.expr], spot: Spot, switch: ast.expr) -> bool:
    """Whether what has no graph was made there: else the mode at its backward says nothing."""
    names = [each for each in asked if isinstance(each, ast.Name)]
    made = [next(bound(each, spot), None) for each in names]
    return all(
        one is not None and switch_around(spot.scene.body, one[0].node.lineno) is switch
        for one in made
    )


def _of_generators() -> Way | None:
    for frame in waiting():
        file, line = frame.f_code.co_filename, frame.f_lineno
        body = body_around(file, line)
        switch = switch_around(body, line) if body is not None else None
        if switch is not None:
            decorators = [ast.unparse(each) for each in getattr(body, "decorator_list", ())]
            manages = any("contextmanager" in each for each in decorators)
            return _way(file, switch, Why.MODE if manages else Why.WAITING)
    return None


def _left(spots: list[Spot], files: Collection[str]) -> Way | None:
    running = {id(part) for spot in spots for part in ast.walk(spot.scene.body)}
    found = left_off(files)
    here = [each for each in found if id(each[1]) in running]
    called = (each for each in found if is_called(each[0], each[1].lineno, files))
    left = next(itertools.chain(here, called), None)
    return _way(*left, Why.LEFT_OFF) if left is not None else None


def _way(file: str, node: ast.stmt | ast.expr, why: Why) -> Way:
    return Way(Fate.CUT, file, node, why, trained=Trained.YES)
