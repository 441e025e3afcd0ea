"""After how many iterations a sum or a list begins anew, where the source tells: `total = 0.0`
under `if step % 30 == 0`, or ahead of an inner loop of known length. Must not know graphs.
"""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Final

from gradwatch_agent.diagnosis.place.stored import candidates, is_of_others, place_of
from gradwatch_agent.kept.bounds import ELSEWHERE, bounded
from gradwatch_agent.kept.repeating import BY_ITS_OBJECT, Asked, At, Loop, Rounds, places
from gradwatch_agent.kept.sizes import ADDING
from gradwatch_agent.naming import Path, own_files
from gradwatch_agent.naming.lengths import length
from gradwatch_agent.naming.values import known_in, number
from gradwatch_agent.source.flow.ahead import may_train
from gradwatch_agent.source.flow.callers import is_called_in_a_loop
from gradwatch_agent.source.flow.counting import adds_one
from gradwatch_agent.source.flow.emptying import emptied_at
from gradwatch_agent.source.flow.lent import gives_back
from gradwatch_agent.source.flow.loops import loops_at
from gradwatch_agent.source.stored.stores import Store, known_places, place_read, stores
from gradwatch_agent.source.syntax.statements import (
    body_around,
    choices_of,
    function_at,
    is_in,
)

_INTERVAL: Final = 32
"""What begins anew after more is no small window: an epoch's sum, by which people lose memory
though it ends.
"""


def renewed_after(path: Path, *, epochs: bool = False) -> int | None:
    """How many, at most; None if it never begins anew, or nobody knows when. `epochs`: a loader's
    are known, too.
    """
    way = whole_of(path)
    stored = candidates(way)
    adding = [store for store in stored if _adds_to(store, way)]
    anew = [s for s in stored if s.fresh and _gives_a_new_one(s) and s not in adding]
    rounds_of = partial(_iterations, epochs=epochs)
    begun = places(map(At.of, anew), Asked(way, rounds_of, depth=0))
    whole = (store for store in stored if store.how == "assign" and not store.accumulates)
    rounds = (_after(way, begun, adding, rounds_of), *map(_made_at_once, whole))
    return max((each for each in rounds if each is not None), default=None)


def _adds_to(store: Store, way: Path) -> bool:
    """Also `preds[i:i + 16] = out`: of a tensor, what was there goes on."""
    into = store.target.endswith("]") and not way.container
    return store.how in ADDING or store.accumulates or into


def state_renewed_after(path: Path) -> int | None:
    """The same of a state, or of a container of some: what does not begin anew goes on from what
    was.
    """
    stored = [store for store in candidates(path) if not (store.fresh and gives_back(store))]
    anew = [s for s in stored if s.fresh and s.how == "assign"]
    adding = [s for s in stored if s not in anew]
    asked = Asked(path, _iterations_of_state, surely=True)
    begun = places([*map(At.of, anew), *_emptied(path)], asked)
    return _after(path, begun, adding, _iterations_of_state)


def _emptied(path: Path) -> Iterator[At]:
    """Where what it leads to is emptied, a container."""
    known = known_places([place_of(path)], own_files()) if path.container else ()
    return itertools.starmap(At, emptied_at(known, own_files()))


def _after(way: Path, begun: Iterable[At], adding: list[Store], rounds_of: Rounds) -> int | None:
    added = list(places(map(At.of, adding), Asked(way, rounds_of)))
    known = [
        rounds
        for at in begun
        if (rounds := _period(at, way) or _rounds_between(at, added, rounds_of)) is not None
    ]
    stride = min((_stride(store, way) for store in adding), default=1)
    return -(-max(known) // stride) if known else None


def whole_of(path: Path) -> Path:
    """Of a sum or a list under a key, the dict, which begins anew as a whole; of what another's
    object has, the object.
    """
    while path.parent is not None and (path.label[:1] != "." or is_of_others(path)):
        path = path.parent
    return path


def _gives_a_new_one(store: Store) -> bool:
    """Whether it gives the name one: `total = 0.0`, `with ExitStack() as stack`."""
    return store.how == "assign" or isinstance(store.node, ast.With | ast.AsyncWith)


def comes_round(store: Store) -> float:
    """How often the loops around the statement come round in all; 0 where that is not known."""
    at, body = At(store.file, store.line), body_around(store.file, store.line)
    around = loops_at(body, store.line) if body is not None else []
    if not around or is_called_in_a_loop(store.file, store.line, own_files()):
        return 0
    return math.prod(_rounds(loop, at) for loop in around)


def of_an_interval(rounds: int) -> int:
    """The room of a sum that begins anew after so many."""
    return bounded(rounds) if rounds <= _INTERVAL else 0


def of_an_epoch(rounds: int) -> int:
    """The room of what gathers them and begins anew after so many: of a sum nobody wants more than
    the number, but these may all be asked for.
    """
    return bounded(rounds) if rounds <= ELSEWHERE else 0


def _made_at_once(store: Store) -> int | None:
    """How many a comprehension makes, again and again; None if it is none, or that is not known."""
    value = getattr(store.node, "value", None)
    body = body_around(store.file, store.line)
    if body is None or not isinstance(value, ast.ListComp | ast.SetComp | ast.DictComp):
        return None
    again = loops_at(body, store.line) or is_called_in_a_loop(store.file, store.line, own_files())
    function = function_at(store.file, store.line)
    each = (length(part.iter, store.file, function, loaders=True) for part in value.generators)
    most = math.prod(each) if again else 0
    return int(most) if 1 < most < math.inf else None


def _stride(store: Store, way: Path) -> int:
    """`n`, of what is added only under `if step % n == 0`; else 1."""
    body = body_around(store.file, store.line)
    known = known_in(way, store.file, store.line)
    found = [
        number(part.right, store.file, function_at(store.file, store.line), known) or 1
        for choice in (choices_of(body) if body is not None else ())
        if is_in(choice.body, store.line)
        for part in ast.walk(choice.test)
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Mod)
    ]
    return max([1, *found])


def _period(at: At, way: Path) -> int | None:
    """`n`, of what stands under `if step % n == 0` or `if self.count == n`, which is counted up;
    farther up it need not be iterations that are counted.
    """
    body = body_around(at.file, at.line)
    for choice in choices_of(body) if body is not None and not at.far else ():
        if is_in(choice.body, at.line):
            for part in ast.walk(choice.test):
                if (most := _compared(part, at)) is not None:
                    return number(
                        most,
                        at.file,
                        function_at(at.file, at.line),
                        known_in(way, at.file, at.line),
                    )
    return None


def _compared(part: ast.AST, at: At) -> ast.expr | None:
    match part:
        case ast.BinOp(op=ast.Mod(), right=most):
            return most
        case ast.Compare(left=count, ops=[ast.Eq() | ast.GtE() | ast.Gt()], comparators=[most]):
            return most if _is_counted(count, at) else None
    return None


def _is_counted(count: ast.expr, at: At) -> bool:
    """Whether something adds 1 to it."""
    places = [place for place in (place_read(at.file, count),) if place is not None]
    return any(adds_one(store.node) for store in stores(places, own_files()))


def _rounds_between(anew: At, adding: list[At], rounds_of: Rounds) -> int | None:
    """How often the loops come round, inside of which something is added and outside of which it
    begins anew; again and again, for that is in a loop itself.
    """
    body = body_around(anew.file, anew.line)
    if body is None:
        return None
    around = loops_at(body, anew.line)
    if not around and not is_called_in_a_loop(anew.file, anew.line, own_files()):
        return None
    found = [
        math.prod(rounds_of(loop, anew) for loop in loops_at(body, at.line) if loop not in around)
        * at.times
        for at in adding
        if at.file == anew.file and body_around(at.file, at.line) is body and at.line != anew.line
    ]
    most = max(found, default=0)
    return int(most) if 1 < most < math.inf else None


def _iterations(loop: Loop, at: At, *, epochs: bool) -> float:
    """The same, but one for a loop of which that is not known and that trains nothing: what it goes
    through is of one iteration.
    """
    return _rounds(loop, at, epochs=epochs) or float(not may_train(loop, own_files()))


def _iterations_of_state(loop: Loop, at: At) -> float:
    """The same, but one for a loop of a module's `forward`, which no iteration ends in."""
    if getattr(body_around(at.file, at.line), "name", "") in BY_ITS_OBJECT:
        return 1
    return _iterations(loop, at, epochs=True)


def _rounds(loop: Loop, at: At, *, epochs: bool = False) -> float:
    if not isinstance(loop, ast.For):
        return 0
    return length(loop.iter, at.file, function_at(at.file, at.line), loaders=epochs)
