"""By which names stale nodes go: now, and when the iteration before ended."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Iterable
from types import FrameType
from typing import Final

from gradwatch_agent.advice.rewriting import name_detached
from gradwatch_agent.diagnosis.chain.above import Above
from gradwatch_agent.diagnosis.chain.averaged import average_below, goes_on
from gradwatch_agent.diagnosis.chain.beneath import made_beneath, shape_of, why_compared
from gradwatch_agent.diagnosis.chain.choosing import carrier, keeper, not_cut, read_by, read_within
from gradwatch_agent.diagnosis.chain.copied import is_copy_of_leaves
from gradwatch_agent.diagnosis.chain.halves import half_cut
from gradwatch_agent.diagnosis.chain.later import is_handed_on, lasting_of, put_by
from gradwatch_agent.diagnosis.chain.names import Named, Names, place
from gradwatch_agent.diagnosis.chain.needs import needs_of
from gradwatch_agent.diagnosis.chain.renamed import (
    but_for_the_call,
    given_by,
    handed_back,
    handed_out,
    lasting,
    unpacked,
)
from gradwatch_agent.diagnosis.lasting.anew import Calls
from gradwatch_agent.diagnosis.lasting.variables import may_last
from gradwatch_agent.diagnosis.place.at_line import at
from gradwatch_agent.diagnosis.place.attributes import as_attribute
from gradwatch_agent.diagnosis.place.known import Known, is_leaf
from gradwatch_agent.diagnosis.place.stored import candidates
from gradwatch_agent.diagnosis.second_backward.spelling import called_there
from gradwatch_agent.graph.reached import Crossing
from gradwatch_agent.lines.capture import made_at
from gradwatch_agent.naming import Path, search
from gradwatch_agent.source.syntax.text import statement_at
from gradwatch_agent.torch_seam import Node, sequence_of
from gradwatch_agent.verdicts.case import Answer

_MOST_OUTPUTS: Final = 8
"""Of one node that are asked for, each by itself."""


class Carriers:
    """By which names the newest tensors went when the last iteration ended.

    A tensor that is carried on is often replaced before the backward that shows it; its node
    lives on, and the serial number on the node leads back to the name.
    """

    def __init__(self, serial: Callable[[Node], int]) -> None:
        self._serial = serial
        self._paths: dict[int, list[Named]] = {}
        self._outputs: dict[tuple[int, Path], int] = {}
        self._leaves: set[int] = set()
        self._sequences: set[int] = set()
        self.asked: set[int] = set()
        """The nodes whose gradients were asked for in this iteration, by their serials."""
        self._asked_before: set[int] = set()
        self.calls = Calls()

    def remember(self, *, closely: bool) -> None:
        """The names of now, for what the next iteration will reach."""
        names = self.now(closely=closely)
        self._asked_before, self.asked = self.asked, set()
        self._paths, self._leaves = names.paths, names.leaves
        self._outputs = names.outputs
        self._sequences = {sequence_of(node) for node in names.nodes.values()}
        self.calls.note(sys._getframe())  # noqa: SLF001

    def now(self, *, closely: bool = True) -> Names:
        """The names that lead to each node, by its serial, the shortest first."""
        names = Names(self._serial)
        names.aliases = search(names, sys._getframe(), closely=closely)  # noqa: SLF001
        return names

    def above(self, crossings: Iterable[Crossing], roots: list[Node]) -> Above:
        """What this iteration has made of the stale nodes it reaches."""
        return Above(crossings, roots, self._serial)

    def of(self, crossing: Crossing, now: Names, above: Above) -> list[Known]:
        """The names that carry a stale node over: one for each of its outputs that is read."""
        outputs = above.outputs(crossing)[:_MOST_OUTPUTS]
        several: Iterable[int | None] = outputs if len(outputs) > 1 else (None,)
        found = (self._of(crossing, output, now, above) for output in several)
        asked = self._is_asked(crossing) or crossing.serial in now.leaves | self._leaves
        return [
            dataclasses.replace(
                known,
                leaf=known.leaf or asked,
                sole=above.trains_by_stale_ones,
                needed=above.leads_to_weights,
                taught=above.is_made_with_weights(crossing),
            )
            for known in found
            if known is not None
        ]

    def _is_asked(self, crossing: Crossing) -> bool:
        """Whether a gradient of it was asked for, now or an iteration ago."""
        return crossing.serial in self.asked | self._asked_before

    def _of(self, crossing: Crossing, output: int | None, now: Names, above: Above) -> Known | None:
        """The same of one output; None: of the node, whichever it is."""
        serial = crossing.serial
        new, old = now.paths.get(serial, []), self._paths.get(serial, [])
        if output is not None:
            new = [e for e in new if now.outputs.get((serial, e[0]), 0) == output]
            old = [e for e in old if self._outputs.get((serial, e[0]), 0) == output]
        if not new and _is_taken_up(crossing, now, above):
            return None
        handed_on = is_handed_on(crossing)
        later = self._later(crossing, now, above, old) if handed_on or not new else None
        if later is not None:
            return later
        if not new and not old:
            return None
        new, old = but_for_the_call(new, old, now.aliases)
        anew = self.calls.anew(sys._getframe())  # noqa: SLF001
        chosen = carrier(new, old, read_by(crossing), anew, read_within(crossing))
        path, scalar = not_cut(*chosen, [*new, *old], anew)
        for elsewhere in (unpacked, handed_out, given_by, handed_back):
            path, scalar = elsewhere(path, new) or (path, scalar)
        path = as_attribute(lasting(path, now.aliases, anew))
        known = Known(keeper(path), path, scalar, made=crossing.made, used=crossing.used)
        if not known.path.container and (average := self._average(known, crossing, now, above)):
            return average
        leaf = False
        if not known.path.container:  # of many elements neither graph nor source is asked for each
            named = now.paths if _stays(path, new, old) else {}
            known = self._whole(known, above.stale(crossing), named)
            leaf = is_leaf(known, candidates(known.example))
        constant = why_compared(above.stale(crossing))
        copied = is_copy_of_leaves(above.stale(crossing))
        known = dataclasses.replace(known, leaf=leaf, constant=constant, copied=copied)
        name = known.path.expression
        if name not in above.needs:  # of many elements of one container once
            above.needs[name] = needs_of(known, crossing, now, above)
        return dataclasses.replace(known, **above.needs[name]._asdict())

    def where_read(self, crossing: Crossing) -> Answer:
        """Where a stale node is used that nothing carries; how that is to read it detached, where
        that is known by the name that it had.
        """
        site = crossing.used[0]
        if (statement := statement_at(site.file, site.line)) is None:
            return at(site)
        for path, _ in self._paths.get(crossing.serial, []):
            name = called_there(path, statement, site.file)
            if name is not None and (code := name_detached(statement, name)) is not None:
                return at(site, f"Let it go on without its graph: `{code}`.")
        return at(site)

    def loop(self) -> FrameType | None:
        """The call that goes from one iteration to the next."""
        return self.calls.loop(sys._getframe())  # noqa: SLF001

    def lasts(self, known: Known) -> bool:
        """Whether its name may stand from one iteration to the next; else it has but passed."""
        return may_last(known.path, self.calls.anew(sys._getframe()))  # noqa: SLF001

    def _average(self, known: Known, crossing: Crossing, now: Names, above: Above) -> Known | None:
        """What it was made of, where that one is an average, which goes on from its own graph."""
        stale = above.stale(crossing)
        below = average_below(stale, known.path, self._before) if stale is not None else None
        if below is None:
            return None
        made, (path, scalar) = below
        if not goes_on(made, now.standing_at(path)):
            return None
        return Known(keeper(path), path, scalar, made=made_at(made), averaged=True)

    def _whole(self, known: Known, node: Node | None, named: dict[int, list[Named]]) -> Known:
        """The same, or what it is but another shape of; and where all of that was made."""
        found = shape_of(node, known.path, lambda each: named.get(self._serial(each), []))
        if found is not None:
            node, (path, scalar) = found
            way = as_attribute(path)
            made = made_at(node)
            known = dataclasses.replace(
                known, path=keeper(way), example=way, scalar=scalar, made=made
            )
        return dataclasses.replace(known, beneath=made_beneath(node))

    def _before(self, node: Node) -> list[Named]:
        """The names that it had then. Only what may have had one is asked for its serial."""
        if sequence_of(node) not in self._sequences:
            return []
        return self._paths.get(self._serial(node), [])

    def _later(
        self,
        crossing: Crossing,
        now: Names,
        above: Above,
        old: list[Named],
    ) -> Known | None:
        """What was made of the stale node after its iteration, and carries it in its place: where
        no name that it had stands for anything above it any more, or else nobody reads it but to
        hand on a part of it (`z = zs[-1]`). Of several such the one by the name that it had.
        """
        before = [path for path, _ in old if may_last(path)]
        same = [node for path in before for node in now.standing_at(path)]
        names = {path.expression for path in before}
        handed_on = is_handed_on(crossing)
        if not handed_on and above.of(crossing, same):
            return None
        read = set() if handed_on else read_by(crossing)
        anew = self.calls.anew(sys._getframe())  # noqa: SLF001
        variables: list[Known] = []  # where no lines are noted: they may be the loss's own names
        through = above.of(crossing)
        # What the loss goes through; else what is made beside that, a cell's last state.
        for made in (
            put_by(through) if handed_on else through,
            above.of(crossing, list(now.nodes.values())),
        ):
            found = list(lasting_of(made, crossing, now, read, anew))
            sure = [e for e in found if read or handed_on or e.path.attribute or e.path.steps]
            if sure:
                own = [e for e in sure if e.path.expression in names] or sure
                return next((each for each in sure if half_cut(each.example).line), own[0])
            variables += found
        return next(iter(variables), None)


def _is_taken_up(crossing: Crossing, now: Names, above: Above) -> bool:
    """Whether the round before has made something of it behind its backward, which this one has
    taken up: that has no name any more.
    """
    if not is_handed_on(crossing):
        return False
    made = above.of(crossing)
    put, named = put_by(made), set(now.nodes.values())
    return put is not made and named.isdisjoint(put)


def _stays(path: Path, new: list[Named], old: list[Named]) -> bool:
    """Whether it stands for the same as when the last iteration ended."""
    return all(any(place(each) == place(path) for each, _ in names) for names in (new, old))
