"""Stores of losses that come to hold so many and no more, as the program's source or the store
itself tells: worth a hint. And the like of each that grows for ever.
"""

from __future__ import annotations

import contextlib
import contextvars
import heapq
import logging
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import partial
from itertools import islice
from logging.handlers import MemoryHandler

import pytest
import torch

import gradwatch_agent

ALL = 120
Step = Callable[[], torch.Tensor]


def trainer() -> Step:
    weight = torch.ones(3, requires_grad=True)

    def step() -> torch.Tensor:
        loss = (weight * torch.randn(3)).square().sum()
        loss.backward()
        with torch.no_grad():
            weight.grad = None
            weight.sub_(0.01)
        gradwatch_agent.iteration()
        return loss

    return step


def functions_under_remainders(step, slots=50):
    waiting = {}
    for number in range(ALL):
        loss = step()
        waiting[number % slots] = lambda loss=loss: loss.item()


def functions_under_numbers(step):
    waiting = {}
    for number in range(ALL):
        loss = step()
        waiting[number] = lambda loss=loss: loss.item()


def calls_in_a_list_filled_anew(step, slots=24):
    calls = [None] * slots
    for number in range(ALL):
        calls[number % slots] = partial(float, step())


def calls_in_a_list(step):
    calls = [None]
    for _ in range(ALL):
        loss = step()
        calls.append(partial(float, loss))


def names_by_remainders(step):
    named = {}
    for number in range(ALL):
        named[f"slot {number % 40}"] = step()


def names_by_numbers(step):
    named = {}
    for number in range(ALL):
        named[f"step {number}"] = step()


def put(named, key, loss):
    key = str(key)
    named[key] = loss


def names_made_of_themselves(step):
    named = {}
    for number in range(ALL):
        put(named, number, step())


def dicts_in_a_dict_by_remainders(step):
    rows = defaultdict(dict)
    for number in range(ALL):
        rows[number % 6][number % 5] = step()


def dicts_in_a_dict_by_one_remainder(step):
    rows = defaultdict(dict)
    for number in range(ALL):
        rows[number % 6][number] = step()


def pairs_of_remainders(step):
    pairs = {}
    for number in range(ALL):
        slot = number % 7
        pairs[number % 5, slot] = step()


def pairs_of_a_remainder_and_a_number(step):
    pairs = {}
    for number in range(ALL):
        slot = number % 7
        pairs[number, slot] = step()


def logged(step, handler):
    log = logging.getLogger(f"{__name__}.{id(handler)}")
    log.setLevel(logging.INFO)
    log.propagate = False
    log.addHandler(handler)
    try:
        for _ in range(ALL):
            log.info("loss %s", step())
    finally:
        log.removeHandler(handler)
        handler.close()


def records_until_there_are_forty(step):
    logged(step, MemoryHandler(40, target=logging.NullHandler()))


def records_that_nobody_takes(step):
    logged(step, MemoryHandler(40))


class Hoarding(MemoryHandler):
    def shouldFlush(self, record):  # noqa: N802
        return False


def records_of_a_handler_with_a_rule_of_its_own(step):
    logged(step, Hoarding(40, target=logging.NullHandler()))


def chunks(steps, size):
    while steps:
        yield range(min(size, steps))
        steps -= size


def records_that_a_comprehension_gathers(step):
    for _ in range(3):
        rows = [dict(zip(("loss",), (step(),), strict=True)) for _ in range(ALL // 3)]
        print(len(rows))


def chunks_that_a_comprehension_gathers(step):
    for chunk in chunks(ALL, 40):
        losses = [step() for _ in chunk]
        print(torch.stack(losses).mean().item())


@dataclass
class Book:
    number: int = 0
    rows: dict[int, list[torch.Tensor]] = field(default_factory=lambda: defaultdict(list))


class Shelf:
    def __init__(self):
        self.book = Book()

    def begin(self):
        self.book = Book(self.book.number + 1)


def a_book_begun_anew(step):
    shelf = Shelf()
    for number in range(ALL):
        shelf.book.rows[number % 3].append(step())
        if number % 50 == 49:
            shelf.begin()


@dataclass
class Diary:
    pages: dict[int, list[torch.Tensor]] = field(default_factory=lambda: defaultdict(list))


def a_diary_that_goes_on(step):
    diary = Diary()
    for number in range(ALL):
        diary.pages[number % 3].append(step())


class Kind(Enum):
    WORK = 0
    REST = 1

    @classmethod
    def of(cls, number):
        return cls.REST if number % 7 > 4 else cls.WORK


def cells_of_a_table(step):
    cells = {}
    for number in range(ALL):
        cells[number % 24, Kind.of(number)] = step()


def cells_of_a_table_for_each_week(step):
    cells = {}
    for number in range(ALL):
        cells[number // 2, Kind.of(number)] = step()


def seats_of_a_wheel(step):
    wheel = deque([None] * 48)
    for _ in range(ALL):
        wheel.rotate(1)
        wheel[0] = {"loss": step()}


def seats_that_remember(step):
    wheel = deque([None] * 8)
    for _ in range(ALL):
        wheel.rotate(1)
        wheel[0] = (step(), wheel[0])


class Branch:
    def __init__(self):
        self.children, self.value, self.touched = {}, None, 0


def grow(root, number, value):
    for symbol in (number % 10, number * number % 7, number // 10 % 3):
        root = root.children.setdefault(symbol, Branch())
        root.value, root.touched = value, number


def prune(root, number):
    ahead = [root]
    while ahead:
        node = ahead.pop()
        for symbol in [s for s, each in node.children.items() if number - each.touched > 45]:
            del node.children[symbol]
        ahead.extend(node.children.values())


def a_tree_that_is_pruned(step):
    root = Branch()
    for number in range(ALL):
        grow(root, number, step())
        prune(root, number)


class Twig:
    def __init__(self):
        self.twigs, self.value = {}, None


def a_tree_that_grows(step):
    root = Twig()
    for number in range(ALL):
        value, twig = step(), root
        for symbol in (number % 10, number * number % 7, number // 10 % 3):
            twig = twig.twigs.setdefault(symbol, Twig())
            twig.value = value


class Thinned:
    def __init__(self):
        self.points, self.stride = [], 1

    def record(self, number, value):
        if number % self.stride == 0:
            self.points.append((number, value))
        if len(self.points) >= 48:
            self.points = self.points[::2]
            self.stride *= 2


def every_second_goes_where_it_is_full(step):
    history = Thinned()
    for number in range(ALL):
        history.record(number, step())


class Drawn:
    def __init__(self):
        self.dots, self.shown = [], 0

    def record(self, number, value):
        self.dots.append((number, value))
        if len(self.dots) >= 48:
            dots = self.dots[::2]
            self.shown = len(dots)


def every_second_goes_of_a_copy(step):
    history = Drawn()
    for number in range(ALL):
        history.record(number, step())


class Scaled:
    """Observes until it has seen enough to know the scales, and is asked to observe for ever."""

    def __init__(self, enough):
        self.enough, self.seen, self.parts, self.scales = enough, [], {"a": [], "b": []}, None

    def observe(self, loss):
        if self.scales is not None:
            return
        for name in self.parts:
            self.parts[name].append(loss * 2)
        self.seen.append(loss)
        if len(self.seen) >= self.enough:
            with torch.no_grad():
                self.scales = torch.stack(self.seen).mean()


def losses_until_their_scale_is_known(step):
    scaled = Scaled(48)
    for _ in range(ALL):
        scaled.observe(step())


class Balanced:
    """Collects until it knows the weights, and then has no list any more."""

    def __init__(self, warmup):
        self.warmup, self.collected, self.weights = warmup, [], None

    def take(self, loss):
        if self.weights is not None:
            return
        self.collected.append(loss)
        if len(self.collected) >= self.warmup:
            self.finish()

    def finish(self):
        self.weights = torch.stack(self.collected).detach().mean()
        self.collected = None


def losses_until_the_weights_are_known(step):
    balanced = Balanced(48)
    for _ in range(ALL):
        balanced.take(step())


def the_last_of_each_batch(step):
    last = {}
    for _ in range(ALL // 40):
        for batch in range(40):
            last[batch] = step()


class Tally:
    """A list for each layer; a report begins all of them anew, by their names."""

    def __init__(self):
        self.rows = defaultdict(list)

    def add(self, value):
        for name in ("a", "b"):
            self.rows[name].append(value)

    def report(self):
        found = {name: len(rows) for name, rows in self.rows.items()}
        self.rows = {name: [] for name in self.rows}
        return found


def rows_begun_anew_by_their_names(step):
    tally = Tally()
    for number in range(ALL):
        tally.add(step())
        if number % 50 == 49:
            tally.report()


def places_of_a_tensor_that_each_epoch_makes(step):
    for _ in range(ALL // 30):
        found = torch.zeros(30)
        for batch in range(30):
            found[batch : batch + 1] = step()


def those_of_ever_other_names(step):
    last = {}
    for number in range(ALL // 4):
        for name in [f"clip{number}.{part}" for part in range(4)]:
            last[name] = step()


class Rescaled(Scaled):
    def observe(self, loss):
        if self.scales is loss:
            return
        self.seen.append(loss)
        if len(self.seen) >= self.enough:
            self.scales = torch.stack(self.seen).detach().mean()


def losses_of_which_the_scale_is_asked_for_otherwise(step):
    scaled = Rescaled(48)
    for _ in range(ALL):
        scaled.observe(step())


def the_hardest(step, keep=20):
    heap = []
    for number in range(ALL):
        loss = step()
        push = heapq.heappush if len(heap) < keep else heapq.heappushpop
        push(heap, (number % 7, number, loss))


def the_hardest_of_another_list(step, keep=20):
    heap, seen = [], []
    for number in range(ALL):
        loss = step()
        push = heapq.heappush if len(seen) < keep else heapq.heappushpop
        push(heap, (number % 7, number, loss))


class Callback:
    def on_epoch_start(self):
        pass

    def on_batch(self, loss):
        pass


class Rows(Callback):
    def __init__(self):
        self.rows = []

    def on_epoch_start(self):
        self.rows = []

    def on_batch(self, loss):
        self.rows.append(loss)


class Lasting(Callback):
    def __init__(self):
        self.lasting = []

    def on_epoch_begin(self):
        self.lasting = []

    def on_batch(self, loss):
        self.lasting.append(loss)


class Trainer:
    def __init__(self, *callbacks):
        self.callbacks = callbacks

    def fire(self, event, *told):
        for each in self.callbacks:
            getattr(each, f"on_{event}")(*told)

    def fit(self, step):
        for _ in range(2):
            self.fire("epoch_start")
            for _ in range(ALL // 2):
                self.fire("batch", step())


def rows_begun_anew_by_a_name(step):
    Trainer(Rows()).fit(step)


def rows_begun_anew_by_a_name_that_nobody_says(step):
    Trainer(Lasting()).fit(step)


class Session:
    def __init__(self, opened):
        self.opened, self.losses = opened, []

    def touch(self, loss):
        self.losses.append(loss)


class Sessions:
    def __init__(self):
        self.open, self.closed = {}, 0

    def get(self, number):
        return self.open.setdefault(number // 4 % 3, Session(number))

    def sweep(self, now):
        for key in [key for key, each in self.open.items() if now - each.opened > 20]:
            self.closed += len(self.open.pop(key).losses)


def sessions_that_time_out(step):
    sessions = Sessions()
    for number in range(ALL):
        sessions.get(number).touch(step())
        sessions.sweep(number)


def sessions_for_ever(step):
    sessions = [Session(0), Session(1)]
    for number in range(ALL):
        sessions[number % 2].touch(step())


def last(items):
    return items.pop() if len(items) > 1 else items[0]


THREE = [Session(number) for number in range(3)]


def sessions_of_which_there_are_always_three(step):
    for number in range(ALL):
        THREE[number % 3].touch(step())
        last([number, number + 1])


class Client:
    def __init__(self, length):
        self.journal, self.length = {"loss": []}, length

    def train(self, step):
        while len(self.journal["loss"]) < self.length:
            self.journal["loss"].append(step())
        return self


def clients_of_each_round(step):
    for number in range(ALL // 24):
        clients = [Client(6 + (number + each) % 4).train(step) for each in range(4)]
    del clients


OPENED = contextvars.ContextVar("opened")


@contextlib.contextmanager
def opened():
    pages = {}
    before = OPENED.set(pages)
    try:
        yield pages
    finally:
        OPENED.reset(before)
        pages.clear()


def write_down(loss):
    pages = OPENED.get()
    pages.setdefault("loss", []).append(loss)


def pages_of_each_scope(step):
    for _ in range(2):
        with opened():
            for _ in range(ALL // 2):
                write_down(step())


def pages_of_one_scope(step):
    with opened():
        for _ in range(ALL):
            write_down(step())


class Average:
    """Of the losses of two tasks over so many rounds."""

    def __init__(self, most):
        self.tasks, self.most = ("near", "far"), most
        self.under_way = {task: [] for task in self.tasks}
        self.over = []

    def note(self, loss):
        for task in self.tasks:
            self.under_way[task].append(loss)
        if len(self.under_way[self.tasks[0]]) == self.most:
            self.over = [*self.over[-1:], self.under_way]
            self.under_way = {task: [] for task in self.tasks}


def losses_of_tasks_in_turns(step):
    average = Average(20)
    for _ in range(ALL):
        average.note(step())


class Endless(Average):
    def note(self, loss):
        for task in self.tasks:
            self.under_way[task].append(loss)
        if len(self.under_way[self.tasks[0]]) == self.most:
            self.over = {task: [] for task in self.tasks}


def losses_of_tasks_without_an_end(step):
    average = Endless(20)
    for _ in range(ALL):
        average.note(step())


@dataclass(frozen=True)
class Tail:
    rows: tuple[torch.Tensor, ...] = ()
    most: int = 14

    def later(self, row):
        return replace(self, rows=(*self.rows[1 - self.most :], row))


@dataclass(frozen=True)
class Whole:
    lines: tuple[torch.Tensor, ...] = ()

    def later(self, line):
        return replace(self, lines=(*self.lines, line))


def tails_of_a_record(step):
    tail = Tail()
    for _ in range(ALL):
        tail = tail.later(step())


def a_record_that_grows(step):
    whole = Whole()
    for _ in range(ALL):
        whole = whole.later(step())


class Entries:
    def __init__(self, most, entries=()):
        self.most, self.entries = most, tuple(entries)

    def __add__(self, other):
        merged = self.entries + tuple(other)
        return Entries(self.most, merged[max(0, len(merged) - self.most) :])

    def __iadd__(self, other):
        self.entries = (self + other).entries
        return self


class Additions:
    def __init__(self, additions=()):
        self.additions = tuple(additions)

    def __add__(self, other):
        return Additions(self.additions + tuple(other))

    def __iadd__(self, other):
        self.additions = (self + other).additions
        return self


def entries_that_are_added_up(step):
    entries = Entries(10)
    for _ in range(ALL):
        entries += [step()]


def entries_of_two_tables(step):
    tables = {2: Entries(10), 3: Entries(6)}
    for number in range(ALL):
        table = tables[2 + number % 2]
        table += [step()]


def additions_that_are_added_up(step):
    additions = Additions()
    for _ in range(ALL):
        additions += [step()]


class Newest(dict):
    def __setitem__(self, number, value):
        super().__setitem__(number, value)
        for each in [each for each in self if each <= number - 20]:
            super().__delitem__(each)


class Oldest(dict):
    def __setitem__(self, number, value):
        super().__setitem__(number, value)
        print([each for each in self if each <= number - 20][:1])


def a_dict_that_lets_go(step):
    newest = Newest()
    for number in range(ALL):
        newest[number] = step()


def a_dict_that_lets_nothing_go(step):
    oldest = Oldest()
    for number in range(ALL):
        oldest[number] = step()


def block_of(step, length):
    with contextlib.ExitStack() as at_the_end:
        for _ in range(length):
            at_the_end.callback(partial(float, step()))


def callbacks_of_a_block(step):
    for _ in range(5):
        block_of(step, 24)


def callbacks_of_all_blocks(step):
    with contextlib.ExitStack() as after_all:
        for _ in range(ALL):
            after_all.callback(partial(float, step()))


def report_on(number, drawn):
    def report():
        return number, sum(each.item() for each in drawn)

    return report


def reports_of_epochs(step):
    report = None
    for number in range(6):
        drawn = []
        for _ in range(22):
            drawn.append(step())  # noqa: PERF401
        report = report_on(number, drawn)
    print(report())


def every(step):
    while True:
        yield step()


def windows_of(stream, size):
    within = deque(islice(stream, size - 1), maxlen=size)
    for each in stream:
        within.append(each)
        yield tuple(within)


def windows_that_are_drawn(step):
    for window in islice(windows_of(every(step), 30), ALL - 30):
        print(len(window))


def a_window_without_an_end(step):
    print(len(list(islice(every(step), 3 * ALL))))


def looks_back():
    before = None
    while True:
        now = yield
        if before is not None:
            print(sum(each.item() for each in before) < sum(each.item() for each in now))
        before = now


def chunks_that_a_coroutine_looks_back_on(step):
    reader, chunk = looks_back(), []
    next(reader)
    for _ in range(ALL):
        chunk.append(step())
        if len(chunk) == 25:
            reader.send(chunk)
            chunk = []


class Visit:
    def __init__(self, left):
        self.scores, self.left = [], left

    def note(self, score):
        self.scores.append(score)
        self.left -= 1
        return self.left > 0


def visits_that_others_take_the_place_of(step):
    inside = [Visit(3 + n) for n in range(4)]
    for number in range(ALL):
        if not inside[number % 4].note(step()):
            inside[number % 4] = Visit(3 + number % 5)


def visits_that_never_end(step):
    inside = [Visit(3 + n) for n in range(4)]
    for number in range(ALL):
        inside[number % 4].note(step())


PLACES, KINDS = ("north", "south", "west"), ("dry", "wet")


def rows_of_several_tensors_in_nested_tables(step):
    recent = defaultdict(lambda: defaultdict(partial(deque, maxlen=6)))
    for number in range(ALL):
        loss = step()
        where = recent[KINDS[number // 9 % 2]][PLACES[number % 3]]
        where.append((number, loss, loss.sqrt()))


def rows_of_several_tensors_in_nested_lists(step):
    recent = defaultdict(lambda: defaultdict(list))
    for number in range(ALL):
        loss = step()
        where = recent[KINDS[number // 9 % 2]][PLACES[number % 3]]
        where.append((number, loss, loss.sqrt()))


class Member(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.last = torch.nn.Linear(3, 1), None

    def forward(self, x):
        self.last = self.layer(x).tanh()
        return self.last


def fitted(member, optimizer):
    for _ in range(3):
        optimizer.zero_grad()
        member(torch.randn(4, 3)).square().sum().backward()
        optimizer.step()
    return member


def members_of_an_ensemble(step):
    members = []
    for _ in range(40):
        member = Member()
        members.append(fitted(member, torch.optim.SGD(member.parameters(), 0.01)))


def copies_of_one_that_goes_on(step):
    seen, member = [], Member()
    optimizer = torch.optim.SGD(member.parameters(), 0.01)
    for _ in range(40):
        kept = Member()
        kept.last = fitted(member, optimizer).last
        seen.append(kept)


@pytest.mark.parametrize(
    "job",
    [
        members_of_an_ensemble,
        chunks_that_a_coroutine_looks_back_on,
        windows_that_are_drawn,
        tails_of_a_record,
        entries_that_are_added_up,
        entries_of_two_tables,
        a_dict_that_lets_go,
        callbacks_of_a_block,
        reports_of_epochs,
        losses_of_tasks_in_turns,
        pages_of_each_scope,
        functions_under_remainders,
        calls_in_a_list_filled_anew,
        names_by_remainders,
        dicts_in_a_dict_by_remainders,
        pairs_of_remainders,
        records_until_there_are_forty,
        chunks_that_a_comprehension_gathers,
        records_that_a_comprehension_gathers,
        a_book_begun_anew,
        cells_of_a_table,
        seats_of_a_wheel,
        a_tree_that_is_pruned,
        every_second_goes_where_it_is_full,
        losses_until_their_scale_is_known,
        losses_until_the_weights_are_known,
        the_last_of_each_batch,
        rows_begun_anew_by_their_names,
        the_hardest,
        rows_begun_anew_by_a_name,
        sessions_that_time_out,
        visits_that_others_take_the_place_of,
        rows_of_several_tensors_in_nested_tables,
        clients_of_each_round,
    ],
)
def test_is_worth_a_hint(watching, job):
    assert levels(watching, job) == {"info"}


def test_a_tensor_that_each_epoch_makes_anew_is_worth_no_more(watching):
    with watching() as said:
        places_of_a_tensor_that_each_epoch_makes(trainer())
    assert {f.level for f in said.findings if f.kind == "graph-held"} == {"info"}


@pytest.mark.parametrize(
    "job",
    [
        copies_of_one_that_goes_on,
        pages_of_one_scope,
        a_window_without_an_end,
        a_record_that_grows,
        additions_that_are_added_up,
        a_dict_that_lets_nothing_go,
        callbacks_of_all_blocks,
        losses_of_tasks_without_an_end,
        functions_under_numbers,
        calls_in_a_list,
        names_by_numbers,
        names_made_of_themselves,
        dicts_in_a_dict_by_one_remainder,
        pairs_of_a_remainder_and_a_number,
        records_that_nobody_takes,
        records_of_a_handler_with_a_rule_of_its_own,
        a_diary_that_goes_on,
        cells_of_a_table_for_each_week,
        seats_that_remember,
        a_tree_that_grows,
        every_second_goes_of_a_copy,
        losses_of_which_the_scale_is_asked_for_otherwise,
        those_of_ever_other_names,
        the_hardest_of_another_list,
        rows_begun_anew_by_a_name_that_nobody_says,
        sessions_for_ever,
        visits_that_never_end,
        rows_of_several_tensors_in_nested_lists,
        sessions_of_which_there_are_always_three,
    ],
)
def test_what_only_grows_is_an_alarm(watching, job):
    assert "warning" in levels(watching, job)


def levels(watching, job) -> set[str]:
    torch.manual_seed(0)
    with watching() as said:
        job(trainer())
    assert {found.kind for found in said.findings} == {"graph-held"}
    return {found.level for found in said.findings}
