"""Generations: when a node was built, and which old graphs still live.

A generation is all nodes built in one iteration. Sequence numbers tell which one a node is of, a
sentinel when its graph is gone. Must not know how graphs are walked or what is concluded.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import Counter, deque
from collections.abc import Sequence

from gradwatch_agent.graph.sentinels import Marked, Sentinel, sentinel_of
from gradwatch_agent.torch_seam import Node

_STARTS = 65_536
"""Iterations whose first sequence number is kept one by one (1 MB); older ones are thinned."""

_LIVING = 4_096
"""Live generations watched one by one; beyond, only every second one is, and counts for two."""

_SPENT = 4_096
"""How far back it is known whether a generation was backwarded, in iterations."""


class Lineage:
    """The generations of one training thread. `sequence` is where its numbering stands."""

    def __init__(self, sequence: int) -> None:
        self.current = 0
        self.walked_at = 0
        """Where the numbering stood after the last backward."""
        self._numbers = array("q", [0])
        self._starts = array("q", [sequence])
        self._died: deque[tuple[int, bool]] = deque()
        self._born: list[tuple[int, bool]] = []
        """Generation and fate of what was marked in passing, not yet taken into account."""
        self._living: dict[int, int] = {}
        """Generation → for how many it counts."""
        self._held: dict[int, int] = {}
        """Those of the living of which a spent graph lives."""
        self._marked = Marked()
        self._marks: Counter[int] = Counter()
        """Generation → its living sentinels, one for each backward that marked something."""
        self._spent_marks: Counter[int] = Counter()
        self._spent: dict[int, bool] = {}
        self._stride = 1
        self._sentinel: Sentinel | None = None
        self.live = 0
        self._held_count = 0

    def own(self, node: Node) -> Sentinel | None:
        """The sentinel that a node was marked with, if that was for this thread, in this run: in
        another's the generations have other numbers.
        """
        found = sentinel_of(node)
        return found if found is not None and found.is_of(self._died) else None

    @property
    def start(self) -> int:
        """The first sequence number of the current generation."""
        return self._starts[-1]

    def begin(self, sequence: int) -> None:
        """The next generation starts. The sentinel of the last now lives in its nodes alone."""
        self.advance(1)
        self.start_at(sequence)

    def start_at(self, sequence: int) -> None:
        """The current generation starts with that number."""
        if sequence < self._starts[-1]:
            self.restart(sequence)
            return
        self._numbers.append(self.current)
        self._starts.append(sequence)
        self._thin()

    def advance(self, generations: int, starts: Sequence[int] = ()) -> None:
        """So many went by. `starts`: the numbers with which those after the first of them began,
        and the one that is current now, as far as they are known.
        """
        if starts and starts[0] >= self._starts[-1]:
            self._numbers.extend(range(self.current + 1, self.current + 1 + len(starts)))
            self._starts.extend(starts)
            self._thin()
        self.current += generations
        self._sentinel = None

    def _thin(self) -> None:
        while len(self._starts) > _STARTS:
            half = _STARTS // 2
            del self._numbers[1:half:2], self._starts[1:half:2]

    def restart(self, sequence: int) -> None:
        """The numbering began anew (another thread took this one's place)."""
        self._numbers = array("q", [self.current])
        self._starts = array("q", [sequence])

    def generation_of(self, sequence: int) -> int:
        """The generation in which a node of this thread was built; the oldest known at worst."""
        return self._numbers[max(bisect_right(self._starts, sequence) - 1, 0)]

    def bears(self, node: Node) -> bool:
        """Whether the node may be marked."""
        return node in self._marked

    def mark(self, node: Node) -> Sentinel | None:
        """The node's sentinel: the one it has, else that of the current generation."""
        found = sentinel_of(node)
        if found is None and (found := self._own()) is not None:
            self._marked.put(node, found)
        return found

    def next_pass(self) -> None:
        """Another backward starts: what it marks is told apart, for it may be retained alone."""
        self._sentinel = None
        if self._born:
            self.bury()

    def mark_in_passing(self, root: Node, *, spent: bool) -> bool:
        """Marks the graph of a backward that is not looked at; False if it bears a mark already.

        `spent`: that backward is about to free it. Most such graphs die before anyone asks, and
        then leave no trace: `bury` takes the others into account.
        """
        if sentinel_of(root) is not None:
            return False
        if self.current % self._stride == 0:
            self._marked.put(root, Sentinel(self.current, self._died, spent=spent))
            self._born.append((self.current, spent))
        return True

    def _own(self) -> Sentinel | None:
        """The present backward's sentinel; None where generations are only sampled."""
        current = self.current
        if self._sentinel is None and (current in self._living or current % self._stride == 0):
            self._sentinel = Sentinel(current, self._died)
            self._enter(current)
        return self._sentinel

    def _enter(self, generation: int) -> None:
        """One more living sentinel of that generation."""
        self._marks[generation] += 1
        if generation not in self._living:
            self._living[generation] = self._stride
            self.live += self._stride
            if len(self._living) > _LIVING * self._stride.bit_length():
                self._stride *= 2

    def spend(self, generation: int, mark: Sentinel | None = None) -> None:
        """A backward freed buffers of that generation: of the graph that bears the mark.

        Without one, of the graph that the present backward marked.
        """
        self._note_spent(generation)
        mark = mark or self._sentinel
        if mark is None or mark.generation != generation or mark.spent:
            return
        mark.spent = True
        self._enter_spent(generation)

    def _note_spent(self, generation: int) -> None:
        self._spent[generation] = True
        if len(self._spent) > _SPENT:
            del self._spent[next(iter(self._spent))]

    def _enter_spent(self, generation: int) -> None:
        """One more of its living sentinels marks a spent graph."""
        self._spent_marks[generation] += 1
        if generation not in self._held:
            weight = self._held[generation] = self._living.get(generation, 0)
            self._held_count += weight

    def was_spent(self, generation: int) -> bool:
        """Whether a backward freed that generation; assumed of one too old to be known."""
        oldest_known = next(iter(self._spent), 0)
        return generation in self._spent or generation < oldest_known

    def bury(self) -> None:
        """Takes note of the graphs that died, and of those that outlived their passing mark."""
        died = [self._died.popleft() for _ in range(len(self._died))]
        born, self._born = self._born, []
        if born:
            died = self._bear(born, died)
        for generation, spent in died:
            self._marks[generation] -= 1
            if spent:
                self._spent_marks[generation] -= 1
                if not self._spent_marks[generation]:
                    del self._spent_marks[generation]
                    self._held_count -= self._held.pop(generation, 0)
            if not self._marks[generation]:
                del self._marks[generation]
                self.live -= self._living.pop(generation, 0)

    def _bear(
        self, born: list[tuple[int, bool]], died: list[tuple[int, bool]]
    ) -> list[tuple[int, bool]]:
        """Enters those that live; what is left of the died was known before."""
        survivors = Counter(born)
        rest = []
        for death in died:
            if survivors[death]:
                survivors[death] -= 1
            else:
                rest.append(death)
        for generation, spent in born:
            if spent:
                self._note_spent(generation)
        for (generation, spent), count in survivors.items():
            for _ in range(count):
                self._enter(generation)
                if spent:
                    self._enter_spent(generation)
        return rest

    def held(self, before: int | None = None) -> int:
        """Spent generations that live, the current one not counted.

        With `before`, only those older than that generation: the others are reached by the loss.
        """
        if before is not None:
            return sum(n for generation, n in self._held.items() if generation < before)
        return self._held_count - self._held.get(self.current, 0)

    def earlier(self) -> int:
        """Generations that live, the current one not counted."""
        return self.live - self._living.get(self.current, 0)
