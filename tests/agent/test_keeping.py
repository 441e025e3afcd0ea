"""How many graphs may rightly be where they are, told by how their store is made."""

from __future__ import annotations

import heapq
import itertools
from collections import defaultdict, deque

import pytest
import torch

import gradwatch_agent
from gradwatch_agent import wire
from gradwatch_agent.graph.lineage import Lineage
from gradwatch_agent.kept.bounds import ELSEWHERE
from gradwatch_agent.kept.keeping import look
from gradwatch_agent.torch_seam import sequence_number

from .keeping import HELD, kept, trained


def test_a_list_that_only_grows_has_no_room():
    losses = []
    found = kept(lambda _, loss: losses.append(loss))
    assert (found.spent, found.retained, found.room) == (HELD, 0, 0)


def test_a_mean_of_a_window_may_keep_as_many_again():
    window, means = deque(maxlen=8), []

    def keep(number, loss):
        window.append(loss)
        if number == 15:
            means.append(sum(window) / len(window))

    lineage = trained(keep, iterations=24)
    mean = means.pop()  # a variable, as of a report
    found = look(lineage, {})
    assert mean.requires_grad
    assert found.spent == 2 * len(window) <= found.room


def test_a_sum_that_grows_beside_a_window_has_no_room_of_its_own():
    window, sums = deque(maxlen=8), [torch.zeros(())]

    def keep(_number, loss):
        window.append(loss)
        sums[0] = sums[0] + loss

    lineage = trained(keep, iterations=24)
    total = sums.pop()
    found = look(lineage, {})
    assert total.requires_grad
    assert found.spent == 24 > found.room


@pytest.mark.parametrize("retained", [False, True])
def test_graphs_of_another_run_or_thread_are_not_counted(retained):
    others, own = [], []
    trained(lambda _, loss: others.append(loss), retained=retained)
    found = kept(lambda number, loss: own.append(loss) if number < 3 else None)
    assert (found.spent, found.retained, len(others)) == (3, 0, HELD)


def test_graphs_of_another_thread_are_told_apart_by_how_often_weights_were_changed_since():
    elsewhere = 1_000_000  # where the numbers of the watched thread are: none is of it
    lineage = Lineage(0)
    weight, kept = torch.ones(3, requires_grad=True), []
    for _ in range(HELD):
        kept.append((weight * weight).sum())
        with torch.no_grad():
            weight -= 0.1
        lineage.begin(elsewhere)
    found = look(lineage, {})
    assert len(kept) == found.dead.count == HELD


def test_what_the_loss_freed_is_not_dead_though_a_derivative_had_retained_it():
    lineage = Lineage(sequence_number())
    weight, losses = torch.ones(3, requires_grad=True), []
    for number in range(HELD):
        value = (weight * weight).sum()
        lineage.mark(value.grad_fn)  # torch.autograd.grad(value, weight, create_graph=True)
        lineage.next_pass()
        loss = value * value
        lineage.mark(loss.grad_fn)
        loss.backward()
        lineage.spend(number)
        with torch.no_grad():
            weight -= 0.1
        losses.append(loss)
        lineage.next_pass()
        lineage.begin(sequence_number())
    mean = torch.stack(losses).mean()
    losses.clear()
    del value
    found = look(lineage, {})
    assert (found.spent, found.dead.count, mean.requires_grad) == (HELD, 0, True)


def test_nor_has_one_that_other_things_go_into_besides():
    events = []

    def keep(number: int, loss: torch.Tensor) -> None:
        events.extend([("begin", number), loss, ("end", number)])

    assert kept(keep).room == 0


def test_what_a_tee_buffers_has_no_room_beyond_its_first_block():
    first, _slow = itertools.tee(iter(int, 1))
    assert kept(lambda _, __: next(first)).spent == 0
    source = []
    ahead, _behind = itertools.tee(iter(lambda: source.pop(), None))
    found = kept(lambda _, loss: source.append(loss) or next(ahead))
    assert (found.spent, found.room) == (HELD, 60)


def test_a_deque_has_as_much_as_it_says():
    losses = deque(maxlen=20)
    assert kept(lambda _, loss: losses.append(loss)).room - 20 in range(4)


def test_slots_are_as_many_as_there_are():
    losses = [None] * 16
    assert kept(lambda n, loss: losses.__setitem__(n, loss)).room - 16 in range(4)


def test_a_heap_that_only_grows_has_no_slots():
    best = []
    assert kept(lambda n, loss: heapq.heappush(best, (-n, loss))).room == 0


def test_a_list_from_which_something_is_taken_has_a_window():
    window, first = [], [0]

    def keep(number: int, loss: torch.Tensor) -> None:
        window.append(loss)
        if number - first[0] > 50:
            window.pop(0)

    found = kept(keep)
    assert (found.room, found.sure) == (ELSEWHERE, False)


class Pool:
    MOST = 60

    def __init__(self, most):
        self.most, self.things, self.keyed, self.newest = most, [], {}, []

    def forget(self, count):
        """By none of these it is known how many there may be."""
        del self.newest[-1:]
        self.newest = self.newest[:-1]
        if len(self.newest) > count:
            self.newest.pop()

    def keep_the_newest(self, _number, loss):
        self.newest.append(loss)
        if len(self.newest) > self.most:
            self.newest.pop(0)

    def append(self, _number, loss):
        if len(self.things) < self.most:
            self.things.append(loss)

    def fill(self, number, loss):
        if len(self.things) >= self.most:
            self.things[number % self.most] = loss
            return
        self.things.append(loss)

    def swap(self, number, loss):
        if len(self.things) < self.most:
            self.things.append(loss)
        else:
            _, self.things[number % 3] = self.things[number % 3], loss

    def evict(self, number, loss):
        self.keyed[f"key {number}"] = loss
        while len(self.keyed) > self.most:
            del self.keyed[next(iter(self.keyed))]

    def empty(self, _number, loss):
        self.things.append(loss)
        if self.most <= len(self.things):
            self.things.clear()

    def cut(self, _number, loss):
        self.things.insert(0, loss)
        del self.things[self.MOST :]

    def keep_the_last(self, _number, loss):
        self.things = [*self.things, loss][-self.most :]

    def keep_the_best(self, _number, loss):
        self.things.append(loss)
        self.things[:] = sorted(self.things, key=float)[: self.most]


@pytest.mark.parametrize(
    "how",
    [
        "append",
        "fill",
        "swap",
        "evict",
        "empty",
        "cut",
        "keep_the_last",
        "keep_the_best",
        "keep_the_newest",
    ],
)
def test_what_the_program_holds_to_a_size_has_room_for_as_many(how):
    pool = Pool(60)
    found = kept(getattr(pool, how))
    assert found.spent == HELD
    assert (60 <= found.room <= 64, found.sure) == (True, True)


@pytest.mark.parametrize("how", ["append", "fill", "evict", "keep_the_newest"])
def test_what_is_held_to_thousands_has_no_room(how):
    pool = Pool(20_000)
    found = kept(getattr(pool, how))
    assert (found.spent, found.room) == (HELD, 0)


class Member:
    def __init__(self):
        self.recent = deque(maxlen=3)


def members(count):
    """Each has a turn, and keeps the last three of its own."""
    population = [Member() for _ in range(count)]

    def keep(number, loss):
        population[number % count].recent.append(loss)

    return population, keep


def test_a_window_of_each_of_a_population_has_room_for_all():
    population, keep = members(8)
    found = look(trained(keep, iterations=40), {})
    assert len(population) == 8
    assert found.spent == 24 <= found.room
    assert not found.sure


def test_two_that_are_held_to_a_size_have_room_for_both():
    first, second = Pool(4), Pool(4)

    def keep(number, loss):
        (second if number % 3 else first).fill(number, loss)

    lineage = trained(keep, iterations=40)
    found = look(lineage, {})
    assert first.things
    assert second.things
    assert found.spent == 8 <= found.room
    assert found.sure


def test_a_window_of_each_of_more_and_more_has_no_room():
    population, keep = members(8)
    lineage, sizes = trained(keep, iterations=40), {}
    assert look(lineage, sizes).room >= 24
    population.append(population[0].__class__())
    population[-1].recent.extend(population[0].recent)
    found = look(lineage, sizes)
    assert (found.spent, found.room) == (24, 0)


class Leaky:
    def __init__(self, most):
        self.most, self.asked, self.beside, self.exceeded = most, [], [], []

    def ask(self, _number, loss):
        if len(self.asked) > self.most:
            loss = loss.detach()
        self.asked.append(loss)

    def add_beside(self, number, loss):
        if len(self.beside) < self.most:
            self.beside.append(loss)
        if number % 2:
            self.beside.append(loss)

    def exceed(self, number, loss):
        self.exceeded.append(loss)
        if number > 100 and len(self.exceeded) > self.most:
            self.exceeded.clear()


@pytest.mark.parametrize(("how", "most"), [("ask", 60), ("add_beside", 60), ("exceed", 3)])
def test_a_size_that_does_not_hold_is_no_bound(how, most):
    leaky = Leaky(most)
    assert kept(getattr(leaky, how)).room == 0


class WarmUp:
    """Keeps the first of what comes, by a count of all that came."""

    def __init__(self, rounds):
        self.at_first, self.counted, self.early = rounds, 0, []

    def under_a_condition(self, _number, loss):
        self.counted += 1
        if self.counted <= self.at_first and loss is not None:
            self.early.append(loss)

    def else_nothing(self, _number, loss):
        self.counted += 1
        if self.counted > self.at_first or loss is None:
            return
        self.early.append(loss)

    def otherwise(self, _number, loss):
        self.counted += 1
        if not self.counted < self.at_first:
            self.counted += 1
        else:
            self.early.append(loss)

    def in_a_method_of_its_own(self, _number, loss):
        self.counted += 1
        if self.at_first >= self.counted:
            self.take(loss)

    def take(self, loss):
        self.early = [*self.early, loss]

    def between_two_counts(self, _number, loss):
        self.counted += 1
        if 0 <= self.counted < self.at_first:
            self.early.append(loss)

    def in_a_range(self, _number, loss):
        self.counted += 1
        if self.counted in range(1, self.at_first):
            self.early.append(loss)

    def without_graphs_later(self, _number, loss):
        self.counted += 1
        self.early.append(loss if self.counted < self.at_first else loss.detach())


@pytest.mark.parametrize(
    "how",
    [
        *("under_a_condition", "else_nothing", "otherwise", "in_a_method_of_its_own"),
        *("between_two_counts", "in_a_range", "without_graphs_later"),
    ],
)
@pytest.mark.parametrize(("rounds", "room"), [(60, range(58, 65)), (20_000, (0,)), (4, range(8))])
def test_what_is_kept_of_the_first_rounds_alone_has_room_for_as_many(how, rounds, room):
    warm_up = WarmUp(rounds)
    found = kept(getattr(warm_up, how))
    assert found.room in room
    assert found.room >= found.spent or rounds > HELD


class Misread:
    """What the source says of it is not all that is done to it."""

    def __init__(self):
        self.told, self.pairs, self.over = 0, [], []

    def beside_another(self, _number, loss):
        self.told += 1
        self.pairs.append((loss, loss * 2 if self.told < 3 else loss.item()))

    def behind_its_back(self, _number, loss):
        self.told += 1
        if self.told < 3:
            self.over.append(loss)
        else:
            getattr(self.over, "ap" + "pend")(loss)


def test_a_choice_beside_what_always_has_a_graph_bounds_nothing():
    misread = Misread()
    assert kept(misread.beside_another).room == 0


def test_what_still_grows_when_it_should_be_over_has_no_room():
    misread, sizes = Misread(), {}
    assert look(trained(misread.behind_its_back), sizes).room > 0
    found = look(trained(misread.behind_its_back, iterations=20), sizes)
    assert (found.spent, found.room) == (20, 0)


class Calibration:
    def __init__(self, wanted):
        self.wanted, self.samples, self.enough = wanted, [], False

    def add(self, _number, loss):
        if self.enough:
            return
        self.samples.append(loss)
        if len(self.samples) >= self.wanted:
            self.enough = True


class ByTerm:
    """Of each term of a loss a list, and a question that is asked of all of them."""

    def __init__(self, block):
        self.block, self.terms = block, {name: [] for name in "ab"}
        self.waiting, self.classes = defaultdict(list), defaultdict(list)

    @property
    def is_complete(self):
        return all(len(each) >= self.block for each in self.terms.values())

    def collect(self, _number, loss):
        if self.is_complete:
            return
        for name in self.terms:
            self.terms[name].append(loss)

    def defer(self, number, loss):
        for name in "ab":
            self.waiting[name].append((number, loss))
        if any(len(rows) >= self.block for rows in self.waiting.values()):
            self.flush()

    def flush(self):
        waiting, self.waiting = self.waiting, defaultdict(list)
        self.block += 0 * len(waiting)

    def of_each_class(self, number, loss):
        if len(self.classes[number % 2]) < 30:
            self.classes[number % 2].append(loss)


@pytest.mark.parametrize("how", ["collect", "defer"])
def test_a_size_may_be_asked_of_each_of_several_lists(how):
    terms = ByTerm(60)
    found = kept(getattr(terms, how))
    assert 60 <= found.room <= 130
    assert not found.endless


def test_what_is_bounded_under_a_key_that_comes_round_is_not_endless():
    terms = ByTerm(60)
    found = kept(terms.of_each_class)
    assert (found.spent, found.endless) == (HELD, False)


@pytest.mark.parametrize(("wanted", "room"), [(60, range(60, 65)), (5, range(5, 10)), (999, (0,))])
def test_what_is_kept_until_there_is_enough_has_room_for_as_much(wanted, room):
    calibration = Calibration(wanted)
    found = kept(calibration.add)
    assert found.room in room


@pytest.mark.parametrize(
    ("key", "room"),
    [
        pytest.param(lambda n: f"task {n}", 24, id="tasks"),
        pytest.param(lambda n: 10 * n + 5, 0, id="steps"),
        pytest.param(lambda n: (5 * n) % 3, ELSEWHERE, id="replaced"),
    ],
)
def test_a_dict_by_its_keys(key, room):
    last = dict.fromkeys(range(3)) if room == ELSEWHERE else {}
    assert kept(lambda n, loss: last.__setitem__(key(n), loss)).room == room


@pytest.mark.parametrize(("share", "room"), [(0.9, 0), (0.0, ELSEWHERE)])
def test_means_that_take_each_others_place_in_a_dict_have_no_room(share, room):
    means = dict.fromkeys(["all", *reversed(range(HELD))], 0.0)

    def add(number: int, loss: torch.Tensor) -> None:
        for name in ("all", number):
            means[name] = share * means[name] + loss if share else loss

    assert kept(add).room == room


def test_lists_in_a_dict_only_grow():
    by_label = {label: [] for label in range(3)}
    assert kept(lambda n, loss: by_label[n % 3].append(loss)).room == 0


def test_many_names_with_one_each_are_bounded_by_the_program():
    class Holder:
        pass

    a, b, c, d, e, f, g = names = [Holder() for _ in range(HELD)]
    del names[:]
    holders = iter((a, b, c, d, e, f, g))
    found = kept(lambda _, loss: setattr(next(holders), "last", loss))
    assert (found.spent, found.room) == (HELD, ELSEWHERE)


def test_what_no_name_leads_to_is_not_counted():
    assert kept(lambda _, loss: None).spent <= 1


def test_retained_graphs_are_dead_once_their_weights_were_changed():
    losses = []
    found = look(trained(lambda _, loss: losses.append(loss), retained=True), {})
    assert (found.spent, found.retained, found.dead.count) == (0, HELD, HELD)


@pytest.mark.parametrize(("every", "hinted", "told"), [(1, 10, 33), (6, 50, 50), (50, None, None)])
def test_an_average_that_nobody_walks_is_an_alarm_by_its_age(watching, every, hinted, told):
    model = torch.nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    slow = [p.detach().clone() for p in model.parameters()]
    with watching() as said:
        for number in range(1, 101):
            optimizer.zero_grad()
            model(torch.ones(2, 4)).pow(2).sum().backward()
            optimizer.step()
            if number % every == 0:
                slow = [s + 0.5 * (p - s) for s, p in zip(slow, model.parameters(), strict=True)]
    found = [(f.holder, f.since_iteration) for f in said.findings if f.kind == "graph-held"]
    assert found[:1] == ([("slow", every)] if told else [])
    assert [when(said, "info", "warning"), when(said, "warning")] == [hinted, told]


def when(said, *levels: str) -> int | None:
    """How many iterations had ended when a graph was first told to be held, at such a level."""
    for place, message in enumerate(said.messages):
        if isinstance(message, wire.Finding) and (message.kind, message.level) in {
            ("graph-held", level) for level in levels
        }:
            return sum(isinstance(before, wire.Iteration) for before in said.messages[:place])
    return None


def test_a_collection_is_told_with_the_number_of_its_elements_then(watching):
    x, told_of = torch.ones(3, requires_grad=True), []
    with watching() as said:
        for _ in range(60):
            loss = (x * x).sum()
            loss.backward()
            gradwatch_agent.iteration()
            told_of.append(loss)
    told = [found.message.rpartition(" `")[2] for found in said.findings]
    assert told == [f"told_of` (list of {count}) holds them." for count in (6, 12, 24, 48, 60)]


def test_a_record_is_no_collection(watching):
    x, last = torch.ones(3, requires_grad=True), {"sum": 0.0, "steps": 0}
    with watching() as said:
        for _ in range(60):
            loss = (x * x).sum()
            loss.backward()
            gradwatch_agent.iteration()
            last["sum"] = last["sum"] + loss
    assert {found.kind for found in said.findings} == {"graph-held"}
    assert said.findings[-1].message.endswith("`last['sum']` holds them.")


def test_a_pool_that_is_filled_first_and_then_slot_by_slot_has_some_room():
    pool = []

    def keep(number, loss):
        if number < 100:
            pool.append(loss)
        else:
            pool[number % 100] = loss

    found = look(trained(keep), {"pool": 0})
    assert found.spent == HELD <= found.room
    assert not found.sure


def test_what_the_agent_keeps_is_not_the_programs():
    lineage = trained(lambda _number, loss: None)
    lineage.loss = [torch.ones(3, requires_grad=True).sum()]
    lineage.begin(sequence_number())
    assert look(lineage, {}).living == 0


def test_a_block_that_is_emptied_at_a_known_size_has_room_for_as_many():
    block = []

    def keep(_number, loss):
        nonlocal block
        block.append(loss)
        if len(block) == 9:
            block = []

    found = kept(keep)
    assert found.spent == HELD
    assert (9 <= found.room <= 18, found.sure) == (True, True)


def test_a_window_of_what_a_window_came_to_has_room_for_both():
    losses, means = deque(maxlen=9), deque(maxlen=9)

    def keep(_number, loss):
        losses.append(loss)
        means.append(torch.stack(list(losses)).mean())

    found = look(trained(keep, iterations=40), {})
    assert found.spent == 17 <= found.room
    assert found.sure


def test_a_list_of_what_a_window_came_to_has_no_room():
    losses, averages = deque(maxlen=5), []

    def keep(_number, loss):
        losses.append(loss)
        averages.append(torch.stack(list(losses)).mean())

    found = look(trained(keep, iterations=24), {})
    assert (found.spent, found.room) == (24, 0)


def test_a_mean_of_a_block_that_is_gone_is_no_leak_yet():
    blocks, means = [[]], []

    def keep(number, loss):
        blocks[0] = [*blocks[0], loss]
        if number == HELD - 1:
            means.append(torch.stack(blocks.pop()).mean())

    lineage = trained(keep)
    mean = means.pop()
    found = look(lineage, {})
    assert mean.requires_grad
    assert found.spent == HELD <= found.room
    assert not found.sure


def test_what_goes_on_from_its_last_four_values_has_no_room():
    recent = deque([torch.zeros(())] * 4, maxlen=4)

    def keep(_number, loss):
        recent.append(sum(recent) / 4 + loss)

    lineage = trained(keep, iterations=24)
    last = recent.pop()
    recent.clear()
    found = look(lineage, {})
    assert last.requires_grad
    assert (found.spent, found.room) == (24, 0)


def test_a_window_of_numbers_beside_it_gives_a_list_no_room():
    class Meter:
        def __init__(self):
            self.recent, self.every = deque(maxlen=50), []

    meters = [Meter()]

    def keep(number, loss):
        meters[0].recent.append(number)
        meters[0].every.append(loss)

    found = kept(keep)
    assert (found.spent, found.room) == (HELD, 0)


def test_a_window_of_another_runs_graphs_has_no_room_for_these():
    theirs, own = deque(maxlen=50), dict.fromkeys(range(3))
    trained(lambda _, loss: theirs.append(loss), iterations=50)
    found = kept(lambda number, loss: own.__setitem__(number % 3, loss))
    assert len(theirs) == 50
    assert (found.spent, found.room) == (3, ELSEWHERE)


class Unlabelled:
    def __init__(self):
        self.free, self.acquired = set(range(HELD)), []

    def take(self, index, loss):
        self.free.discard(index)
        self.acquired.append(loss)


def test_what_is_taken_out_of_another_thing_gives_a_list_no_room():
    unlabelled = Unlabelled()
    assert kept(unlabelled.take).room == 0


def test_a_block_of_another_function_gives_a_list_no_room():
    def elsewhere(losses):
        if len(losses) == 50:
            losses = []
        return losses

    losses = []
    found = kept(lambda _, loss: losses.append(loss))
    assert elsewhere(losses) is losses
    assert (found.spent, found.room) == (HELD, 0)
