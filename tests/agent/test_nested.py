"""How many graphs may rightly be where lists hold them that lie in a container themselves."""

from __future__ import annotations

import heapq
import queue
from collections import defaultdict, deque

import pytest

from .keeping import HELD, kept


class Shelf:
    """Of each kind, the last three or the best; asked for by whichever way people write."""

    MOST = 3

    def __init__(self):
        self.rows = defaultdict(list)
        self.levels = [[], [], []]
        self.windows = {}
        self.batches = deque(maxlen=9)
        self.halves = [[], []]
        self.last = ()

    def popped_by_another_name(self, kind, loss):
        row = self.rows[kind]
        row.append(loss)
        if len(row) > self.MOST:
            row.pop(0)

    def popped_under_its_key(self, kind, loss):
        self.rows[kind].append(loss)
        while len(self.rows[kind]) > self.MOST:
            self.rows[kind].pop(0)

    def cut(self, kind, loss):
        row = self.rows.setdefault(kind, [])
        row.append(loss)
        row.sort(key=float)
        row[self.MOST :] = []

    def cut_in_a_loop(self, kind, loss):
        self.rows[kind].append(loss)
        for row in self.rows.values():
            del row[: -self.MOST]

    def made_when_it_is_missing(self, kind, loss):
        try:
            row = self.windows[kind]
        except KeyError:
            row = self.windows[kind] = []
        row.append(loss)
        if len(row) > self.MOST:
            row.pop(0)

    def replaced(self, kind, loss):
        self.rows[kind] = [*self.rows[kind], loss][-self.MOST :]

    def full(self, kind, loss):
        row = self.rows[kind]
        if len(row) >= self.MOST:
            return
        row.append(loss)

    def filled_anew(self, kind, loss):
        row = self.rows[kind]
        if len(row) < self.MOST:
            row.append(loss)
        else:
            row[0] = loss

    def emptied(self, kind, loss):
        row = self.rows[kind]
        row.append(loss)
        if len(row) == self.MOST:
            row.clear()

    def best(self, kind, loss):
        row = self.rows[kind]
        heapq.heappush(row, (float(loss), id(loss), loss))
        if len(row) > self.MOST:
            heapq.heappop(row)

    def windows_of_a_kind(self, kind, loss):
        self.windows.setdefault(kind, deque(maxlen=self.MOST)).append(loss)

    def of_a_list(self, kind, loss):
        level = self.levels[kind]
        level.append(loss)
        if len(level) > self.MOST:
            level.pop(0)

    def of_what_is_handed_over(self, _kind, loss):
        self.batches.append([loss])

    def as_a_tuple(self, _kind, loss):
        self.last = (*self.last[-2:], loss)

    def swapped(self, _kind, loss):
        self.halves[0].append(loss)
        if len(self.halves[0]) == self.MOST:
            self.halves[0], self.halves[1] = [], self.halves[0]


def ways(owner):
    return [name for name, each in vars(owner).items() if callable(each) and name[0] != "_"]


@pytest.mark.parametrize("way", ways(Shelf))
def test_lists_that_are_held_to_a_size_have_room_for_as_many(way):
    shelf = Shelf()
    found = kept(lambda number, loss: getattr(shelf, way)(number % 3, loss))
    assert 2 < found.spent <= found.room <= 128


class Other:
    """What it does to its own lists is nobody else's."""

    def __init__(self):
        self.others = defaultdict(list)

    def take(self, kind):
        row = self.others[kind]
        if len(row) > 2:
            row.pop(0)


class Remembering(queue.Queue):
    """Of all that it was ever given."""

    def __init__(self):
        super().__init__(maxsize=3)
        self.every = []

    def put(self, loss):
        self.every.append(loss)


class Leaky:
    """The same, but that one thing is not as it seems."""

    def __init__(self):
        self.kinds = defaultdict(list)
        self.lists = [[], [], []]
        self.more = []
        self.two = deque([[], []], maxlen=2)
        self.episodes = defaultdict(lambda: deque(maxlen=5))
        self.others = defaultdict(list)
        self.epochs, self.given = defaultdict(list), defaultdict(list)
        self.newest = ()
        self.queue = Remembering()

    def only_added_to(self, number, loss):
        self.kinds[number % 3].append(loss)

    def of_many_kinds(self, number, loss):
        row = self.kinds[number]
        row.append(loss)

    def of_a_list(self, number, loss):
        self.lists[number % 3].append(loss)

    def ever_more_lists(self, _number, loss):
        self.more.append([loss])

    def ever_more_windows(self, number, loss):
        if number % 5 == 0:
            self.more.append(deque(maxlen=5))
        self.more[-1].append(loss)

    def windows_of_ever_more_kinds(self, number, loss):
        self.episodes[number // 5].append(loss)

    def lists_of_ever_more_kinds(self, number, loss):
        row = self.epochs[number // 5]
        row.append(loss)
        if len(row) > 5:
            row.pop(0)

    def by_giving_a_variable_something_else(self, number, loss):
        self.given[number % 3].append(loss)
        for row in self.given.values():
            row = row[-3:]

    def as_a_tuple_by_another_name(self, _number, loss):
        old = self.newest
        self.newest = (*old, loss)

    def of_another_class(self, number, loss):
        row = self.others[number % 3]
        row.append(loss)

    def beside_what_a_queue_holds(self, _number, loss):
        self.queue.put(loss)

    def of_few_kinds(self, number, loss):
        self.kinds[number % 3].append(loss)
        if len(self.kinds) > 5:
            self.kinds.popitem()

    def by_a_copy_that_is_cut(self, number, loss):
        self.kinds[number % 3].append(loss)
        row = [each.item() for each in self.kinds[number % 3]]
        if len(row) > 3:
            row.pop(0)

    def handed_on_with_a_star(self, _number, loss):
        self.more.append(loss)
        _first, *self.more = [0, *self.more]

    def in_one_of_two(self, _number, loss):
        self.two[0].append(loss)

    def held_to_thousands(self, number, loss):
        row = self.kinds[number % 3]
        row.append(loss)
        if len(row) > 20_000:
            row.pop(0)


@pytest.mark.parametrize("way", ways(Leaky))
def test_what_grows_has_none(way):
    leaky = Leaky()
    found = kept(lambda number, loss: getattr(leaky, way)(number, loss))
    assert (found.spent, found.room) == (HELD, 0)
