"""The detectors of one job: fed together, and asked together what they make of it. Pure.

Owns which of them speaks for the graphs. Must not know what has been told of their cases.
"""

from __future__ import annotations

from gradwatch_agent import wire
from gradwatch_agent.verdicts.accounted import explains, with_forecast
from gradwatch_agent.verdicts.case import Answer, Case
from gradwatch_agent.verdicts.chain import Chain
from gradwatch_agent.verdicts.climb import Memories
from gradwatch_agent.verdicts.dead import Dead
from gradwatch_agent.verdicts.habits import Accumulating, Needless, Unused
from gradwatch_agent.verdicts.held import Held
from gradwatch_agent.verdicts.piled import Piled


class Detectors:
    """One thread owns them."""

    def __init__(self, *, thorough: bool = False) -> None:
        self._chain = Chain()
        self._held = Held()
        self._retained = Held(retained=True)
        self._dead = Dead()
        self.memories = Memories(thorough=thorough)
        self.piled = Piled()
        self._needless = Needless()
        self._unused = Unused()
        self._accumulating = Accumulating()
        self.spent_suspected = self.retained_suspected = False
        """What the last look at the counts made of them."""

    def see(self, record: wire.Iteration) -> None:
        """Takes an iteration into account."""
        self._chain.iteration(record)
        self._held.iteration(record)
        if not self._chain.active:
            self._retained.iteration(record)
        for habit in (self._dead, self._needless, self._unused, self._accumulating):
            habit.iteration(record)

    @property
    def suspicious(self) -> bool:
        """Whether the graphs of the next iterations should be counted, whatever it costs."""
        return self._chain.near

    @property
    def chained(self) -> bool:
        """Whether there is a chain: that graphs live on is no news then."""
        return self._chain.case() is not None

    @property
    def firm(self) -> bool:
        """Whether a chain shows that is more than a chance meeting."""
        return self._chain.firm

    @property
    def gathers(self) -> bool:
        """Whether the next iteration should be looked at, if only in passing."""
        return self._held.gathers or self._retained.gathers

    def suspects(self, held: int, live: int = 0) -> bool:
        """Whether so many held and live generations call for a look at what keeps them."""
        self.spent_suspected = self._held.suspects(held, live)
        self.retained_suspected = not self._chain.active and self._retained.suspects(held, live)
        return self.spent_suspected or self.retained_suspected

    @property
    def early(self) -> bool:
        """Whether so few are held that names alone can prove anything."""
        return self._held.early and not self.retained_suspected

    @property
    def bounded(self) -> bool:
        """Whether what was held has turned out to be no more than so much."""
        return self._held.bounded or self._retained.bounded

    def learn_kept(self, room: int, *, sure: bool, wanted: bool, endless: bool) -> None:
        """What a look at the names says: how many may be kept so, whether that is known, whether
        those that were retained may be wanted, and whether ever more will be kept.
        """
        self._held.endless = endless
        self._held.room = self._retained.room = room
        self._held.sure = self._retained.sure = sure
        self._retained.wanted = wanted

    def learn_dead(
        self, room: int, *, sure: bool, since: int, early: bool, endless: bool = False
    ) -> None:
        """How many dead graphs may be kept so, whether that is known, how old the oldest is,
        whether somebody may yet come back to them, and whether ever more will be kept.
        """
        self._dead.room, self._dead.sure, self._dead.since = room, sure, since
        self._dead.early, self._dead.endless = early, endless

    def learn_chain(self, carrier: Answer) -> None:
        """Whether and when the way back by what carries it may end."""
        self._chain.bounded, self._chain.window = carrier.bounded, carrier.window
        self._chain.always = carrier.always

    def learn_left_in_grad(self) -> None:
        """A backward has left its graph in .grad."""
        self._retained.hasten()

    def learn_wanted(self) -> None:
        """What no backward has reached is gathered for one, or was there to choose from."""
        self._unused.wanted = True

    def learn_unseen(self) -> None:
        """The program clears gradients in a way that cannot be seen."""
        self._accumulating.unseen = True

    def holds_dead(self, *, hinted: bool) -> bool:
        """Whether what is held are graphs that nobody freed and no backward can use. `hinted`: it
        has been told that some are held.
        """
        return self._graph(hinted=hinted)[0] is self._dead

    @property
    def dead_young(self) -> bool:
        """Whether none of those need be old."""
        return self._dead.early or self._dead.endless

    @property
    def looks_dead(self) -> bool:
        """Whether graphs are kept that no backward can use, told or not."""
        case = self._dead.case()
        return self._dead.uneasy and (case is None or case.level == "info")

    def cases(self, why: Answer | None, *, hinted: bool) -> dict[str, Case]:
        """What they have to say, by kind, symptoms of another one left out. `why`: what was found
        to grow while memory climbed. `hinted`: it has been told that graphs are held.
        """
        cases = self._faults(self._graph(hinted=hinted)[1], why)
        for habit in (self._needless, self._unused, self._accumulating):
            if case := habit.case():
                cases[case.kind] = case
        if self._causes_habits():
            cases.pop("graph-unused", None)
            cases.pop("retain-needless", None)
        return cases

    def unended(self) -> Case | None:
        """A chain of which it is early to say whether it ends, where nothing else is to be said of
        graphs.
        """
        return self._chain.unended() if self._graph(hinted=False)[1] is None else None

    def _causes_habits(self) -> bool:
        """Whether graphs that nobody has freed pile up, or hooks do, or seem to: what these make is
        a symptom.
        """
        held = self._held.case()
        is_held = held is not None and held.level != "info"
        return self._dead.uneasy or self._retained.uneasy or is_held or self.piled.seems

    def _graph(self, *, hinted: bool) -> tuple[Chain | Held | Dead | None, Case | None]:
        """The case about graphs, and who says so: an alarm before a hint."""
        detectors: list[Chain | Held | Dead] = [self._chain, self._held, self._retained, self._dead]
        if (self._chain.near or self._chain.pends) and not hinted:
            detectors.remove(self._dead)  # a chain that was never walked: soon told as what it is
        hint: tuple[Chain | Held | Dead | None, Case | None] = None, None
        for detector in detectors:
            if (case := detector.case()) and case.level != "info":
                return detector, case
            hint = (detector, case) if case and hint[1] is None else hint
        return hint

    def _faults(self, graph: Case | None, why: Answer | None) -> dict[str, Case]:
        climbs = self.memories.all
        if graph is None:
            found = [climb.case(why) for climb in climbs]
            memory = next((case for case in found if case), None)
            if memory is None or memory.kind == "memory-climb":
                memory = self.piled.case() or memory
            return {memory.kind: memory} if memory else {}
        cases = {graph.kind: graph}
        for climb in climbs:
            if graph.level != "info" and explains(graph, climb):
                if climb.is_felt:
                    graph = cases[graph.kind] = with_forecast(graph, climb)
            elif memory := climb.case(why):
                cases[memory.kind] = memory
        return cases
