"""What of the program grows, as three looks tell: its name, the statement, how much."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import io
import logging.handlers
import queue
from typing import NamedTuple

import numpy as np
import pytest
import torch

from gradwatch_agent.growing import Growth


def test_a_store_that_is_filled_by_turns_has_grown():
    """Large, small and middling things in turn: a sample at even steps would meet one kind only."""
    sizes, history = (1_000, 50_000, 15_000), []
    growth = Growth()
    for count in (30, 60, 192):  # of 192 every third is a sample of 64
        history += [torch.ones(sizes[place % 3]) for place in range(len(history), count)]
        growth.look() if not growth.looked else (answer := growth.answer())
    added = sum(4 * sizes[place % 3] for place in range(30, 192))
    assert answer.holder == "history"
    assert 0.7 * added < answer.explains_bytes < 1.3 * added


class Picture:
    def __init__(self, pixels):
        self.pixels = pixels

    def show(self):
        return self.pixels.mean()


def closing_over(pixels):
    return lambda: pixels.mean()


def by_default(pixels):
    return lambda shown=pixels: shown.mean()


def waiting(pixels):
    def frames():
        while True:
            yield pixels.mean()

    generator = frames()
    next(generator)
    return generator


@contextlib.contextmanager
def leased(pixels):
    yield pixels


def grown_to(make, counts=(40, 60, 90)):
    """What two looks later is said of a list of such things."""
    waited, growth = [], Growth()
    for count in counts:
        waited += [make(torch.ones(10_000)) for _ in range(len(waited), count)]
        growth.look() if not growth.looked else (answer := growth.answer())
    return answer, 40_000 * (counts[-1] - counts[0])


@pytest.mark.parametrize(
    "make",
    [
        closing_over,
        by_default,
        waiting,
        lambda pixels: Picture(pixels).show,
        lambda pixels: functools.partial(torch.mean, pixels),
    ],
)
def test_what_callables_keep_weighs_as_much_as_it_does(make):
    answer, added = grown_to(make)
    assert answer.holder == "waited"
    assert 0.9 * added < answer.explains_bytes < 1.2 * added


def test_weighing_asks_nothing_of_the_users_own_classes():
    class Odd:
        @property
        def __class__(self):
            raise AssertionError

    answer, _ = grown_to(lambda pixels: functools.partial(torch.add, pixels, Odd()))
    assert answer.holder == "waited"
    assert grown_to(lambda _: Odd())[0].explains_bytes >= 0


def test_what_an_exit_stack_keeps_for_the_end_is_found_in_it():
    with contextlib.ExitStack() as stack:
        growth = Growth()
        for count in (40, 20, 30):
            for _ in range(count):
                stack.enter_context(leased(torch.ones(10_000)))
            growth.look() if not growth.looked else (answer := growth.answer())
    assert (answer.holder, answer.code) == (
        "stack",
        "stack.enter_context(leased(torch.ones(10_000)))",
    )
    assert "`stack` keeps what it is given (90 things by now)" in answer.suggestion
    assert 0.9 * 2_000_000 < answer.explains_bytes < 1.2 * 2_000_000


def test_what_grows_in_an_object_of_anothers_class_is_put_there_by_calls_of_it():
    waiting, growth = queue.Queue(), Growth()
    for count in (40, 20, 30):
        for _ in range(count):
            waiting.put(torch.ones(10_000))
        growth.look() if not growth.looked else (answer := growth.answer())
    assert (answer.holder, answer.code) == ("waiting", "waiting.put(torch.ones(10_000))")


class Record:
    """Is given attributes."""


class Link:
    def __init__(self, value, older):
        self.value, self.older = value, older


def checked(values):
    raise ValueError(values.sum())


def looked_thrice(adds):
    """What two looks later is said of what `adds` has done so many times, given how often before.

    What it returns is kept by the name `kept`.
    """
    growth, kept, done = Growth(), None, 0
    for count in (30, 20, 30):
        for _ in range(count):
            kept = adds(kept, done)
            done += 1
        growth.look() if not growth.looked else (answer := growth.answer())
    assert 0.9 * 2_000_000 < answer.explains_bytes < 1.3 * 2_000_000
    return answer


def test_an_object_that_is_given_one_attribute_after_another_grows():
    record = Record()

    def adds(_, number):
        setattr(record, f"loss_{number}", torch.ones(10_000))

    answer = looked_thrice(adds)
    assert (answer.holder, answer.code) == (
        "record",
        'setattr(record, f"loss_{number}", torch.ones(10_000))',
    )
    assert "80 tensors by now" in answer.suggestion


class Drift:
    def __init__(self):
        self.board = Record()

    def sees(self, number):
        setattr(self.board, f"drift_{number}", torch.ones(10_000))


def test_of_several_names_it_goes_by_the_one_that_is_spoken_of():
    drift = Drift()
    b = drift.board
    answer = looked_thrice(lambda _, number: drift.sees(number))
    assert b is drift.board
    assert answer.holder == "drift.board"


def test_a_module_that_is_given_one_buffer_after_another_grows():
    module = torch.nn.Linear(2, 2)

    def adds(_, number):
        module.register_buffer(f"seen_{number}", torch.ones(10_000))

    answer = looked_thrice(adds)
    assert (answer.holder, answer.code) == (
        "module",
        'module.register_buffer(f"seen_{number}", torch.ones(10_000))',
    )


def test_hooks_that_nobody_removes_grow():
    module = torch.nn.Linear(2, 2)

    def adds(_, __):
        module.register_forward_hook(closing_over(torch.ones(10_000)))

    answer = looked_thrice(adds)
    assert answer.holder == "module._forward_hooks"
    assert answer.code == "module.register_forward_hook(closing_over(torch.ones(10_000)))"
    assert "handle.remove()" in answer.suggestion


def test_a_list_of_modules_grows():
    probes = torch.nn.ModuleList()

    def adds(_, __):
        probes.append(torch.nn.Linear(100, 99))

    answer = looked_thrice(adds)
    assert (answer.holder, answer.code) == ("probes", "probes.append(torch.nn.Linear(100, 99))")


def test_modules_that_are_added_by_one_name_after_another_grow():
    whole = torch.nn.Module()

    def adds(_, number):
        whole.add_module(f"part_{number}", torch.nn.Linear(100, 99))

    answer = looked_thrice(adds)
    assert (answer.holder, answer.code) == (
        "whole",
        'whole.add_module(f"part_{number}", torch.nn.Linear(100, 99))',
    )


def test_gradients_of_layers_that_are_thawed_one_after_another_are_not_given():
    layers, growth = torch.nn.ModuleList(torch.nn.Linear(50, 50) for _ in range(9)), Growth()
    for thawed in (3, 6, 9):
        for layer in layers[:thawed]:
            layer(torch.ones(50)).sum().backward()
        growth.look() if not growth.looked else (answer := growth.answer())
    assert answer.explains_bytes == 0


class Probe:
    def __init__(self, values):
        self.values = values

    def __call__(self, *_):
        return None


def test_objects_that_hooks_are_grow_with_them():
    module = torch.nn.Linear(2, 2)

    def adds(_, __):
        module.register_forward_pre_hook(Probe(torch.ones(10_000)))

    answer = looked_thrice(adds)
    assert (answer.holder, answer.code) == (
        "module._forward_pre_hooks",
        "module.register_forward_pre_hook(Probe(torch.ones(10_000)))",
    )


def test_a_file_that_is_given_to_what_writes_to_it_grows():
    weight = torch.ones(2, requires_grad=True)
    archive, growth = io.BytesIO(), Growth()
    for number in range(80):
        weight.sum().backward()
        torch.save(torch.ones(10_000), archive)
        if number in (29, 49, 79):
            growth.look() if not growth.looked else (answer := growth.answer())
    assert (answer.holder, answer.line) == ("archive", None)


def test_a_text_that_is_written_on_and_on_grows():
    text, growth = "", Growth()
    for count in (30, 20, 30):
        for _ in range(count):
            text += "0123456789" * 4_000
        growth.look() if not growth.looked else (answer := growth.answer())
    assert (answer.holder, answer.code) == ("text", 'text += "0123456789" * 4_000')


@pytest.mark.parametrize("counts", [(20, 15, 15), (100, 50, 150)])
def test_a_list_that_is_linked_grows(counts):
    growth, head = Growth(), None
    for count in counts:
        for _ in range(count):
            head = Link(torch.ones(10_000), head)
        growth.look() if not growth.looked else (answer := growth.answer())
    added = 40_000 * sum(counts[1:])
    assert (answer.holder, answer.code) == (
        "head",
        "head = Link(torch.ones(10_000), head)",
    )
    assert 0.9 * added < answer.explains_bytes < 1.1 * added


class Trail:
    def __init__(self):
        self.tail = None

    def push(self, values):
        self.tail = Link(values, self.tail)

    def newest(self, count):
        found, at = [], self.tail
        while at is not None and len(found) < count:
            found.append(at)
            at = at.older
        return found


def test_a_list_that_is_linked_goes_by_what_it_begins_with():
    growth, trail = Growth(), Trail()
    for count in (100, 50, 150):
        for _ in range(count):
            trail.push(torch.ones(10_000))
        newest = trail.newest(5)
        growth.look() if not growth.looked else (answer := growth.answer())
    assert len(newest) == 5
    assert (answer.holder, answer.code) == (
        "trail.tail",
        "self.tail = Link(values, self.tail)",
    )


class Search:
    def __init__(self):
        self.latest = None

    def tries(self, values):
        trial = Link(values, self.latest)
        if trial.value.sum() > 0:
            self.latest = trial


def test_a_list_that_is_linked_grows_where_it_begins_with_the_next():
    search, growth = Search(), Growth()
    for count in (30, 20, 30):
        for _ in range(count):
            search.tries(torch.ones(10_000))
        growth.look() if not growth.looked else (answer := growth.answer())
    assert (answer.holder, answer.code) == ("search.latest", "self.latest = trial")
    assert "`search.latest.older` leads from one to the next" in answer.suggestion


def test_errors_that_are_kept_weigh_what_their_frames_hold():
    errors = []

    def adds(_, __):
        try:
            checked(torch.ones(10_000))
        except ValueError as error:
            errors.append(error)

    answer = looked_thrice(adds)
    assert (answer.holder, answer.code) == ("errors", "errors.append(error)")


@dataclasses.dataclass(frozen=True)
class Frozen:
    losses: tuple = ()


class Fields(NamedTuple):
    pages: list


class Monitor:
    def __init__(self):
        self.frames = []

    def show(self, values):
        self.frames.append(values)


def test_a_list_is_to_be_bounded_where_it_is_made():
    monitor = Monitor()
    answer = looked_thrice(lambda _, __: monitor.show(torch.ones(10_000)))
    assert (answer.holder, answer.code) == ("monitor.frames", "self.frames.append(values)")
    assert "(`self.frames = deque(maxlen=...)` in line " in answer.suggestion


class Ranked:
    def __init__(self):
        self.ranks, self.pictures = [], []

    def rank(self, values):
        self.ranks.append((float(values.sum()), values))
        self.ranks.sort(key=lambda each: each[0])

    def picture(self, values):
        self.pictures.append(values)
        return torch.stack(self.pictures[-2:])


@pytest.mark.parametrize(
    ("method", "said"),
    [("rank", "`del ranked.ranks[n:]`"), ("picture", "`del ranked.pictures[:-n]`")],
)
def test_what_is_sorted_or_read_in_slices_stays_a_list(method, said):
    ranked = Ranked()
    answer = looked_thrice(lambda _, __: getattr(ranked, method)(torch.ones(10_000)))
    assert said in answer.suggestion


def test_what_a_record_keeps_is_given_with_the_record():
    record, growth = Frozen(), Growth()
    for count in (30, 20, 30):
        for _ in range(count):
            record = dataclasses.replace(record, losses=(*record.losses, torch.ones(10_000)))
        growth.look() if not growth.looked else (answer := growth.answer())
    assert (answer.holder, answer.code) == (
        "record.losses",
        "record = dataclasses.replace(record, losses=(*record.losses, torch.ones(10_000)))",
    )


def test_a_list_in_a_field_is_called_by_it():
    record = Fields([])
    answer = looked_thrice(lambda _, __: record.pages.append(torch.ones(10_000)))
    assert answer.holder == "record.pages"


def test_elements_with_names_are_no_attributes():
    record = Record()
    record.by_name = {}

    def adds(_, number):
        record.by_name[f"loss_{number}"] = torch.ones(10_000)

    answer = looked_thrice(adds)
    assert (answer.holder, answer.code) == (
        "record.by_name",
        'record.by_name[f"loss_{number}"] = torch.ones(10_000)',
    )


def test_a_tensor_that_is_made_longer_and_longer_grows():
    seen, growth = torch.zeros(0, 1_000), Growth()
    for count in (30, 20, 30):
        for _ in range(count):
            seen = torch.cat([seen, torch.ones(10, 1_000)])
        growth.look() if not growth.looked else (answer := growth.answer())
    assert (answer.holder, answer.code) == (
        "seen",
        "seen = torch.cat([seen, torch.ones(10, 1_000)])",
    )
    assert answer.explains_bytes == 50 * 40_000
    assert "3.2 MB" in answer.suggestion
    assert not answer.fills


def test_a_tensor_that_is_cut_as_it_is_made_longer_fills():
    bank, size, growth = torch.zeros(0, 1_000), 5_000, Growth()
    for count in (30, 20, 30):
        for _ in range(count):
            bank = torch.cat([bank, torch.ones(10, 1_000)])[-size:]
        growth.look() if not growth.looked else (answer := growth.answer())
    assert (answer.holder, answer.fills) == ("bank", True)


def test_an_array_that_is_made_longer_and_longer_grows():
    record, growth = Record(), Growth()
    record.seen = np.zeros((0, 1_000))
    for count in (30, 20, 30):
        for _ in range(count):
            record.seen = np.concatenate([record.seen, np.ones((10, 1_000))])
        growth.look() if not growth.looked else (answer := growth.answer())
    assert (answer.holder, answer.code) == (
        "record.seen",
        "record.seen = np.concatenate([record.seen, np.ones((10, 1_000))])",
    )


def test_a_tensor_that_is_now_longer_now_shorter_does_not():
    growth = Growth()
    for length in (30, 50, 80):
        batch = torch.ones(length, 1_000)
        growth.look() if not growth.looked else (answer := growth.answer())
    assert batch.shape == (80, 1_000)
    assert answer.explains_bytes == 0


def test_bytes_written_one_after_another_grow():
    file, growth = io.BytesIO(), Growth()
    for count in (30, 20, 30):
        for _ in range(count):
            file.write(bytes(40_000))
        growth.look() if not growth.looked else (answer := growth.answer())
    assert (answer.holder, answer.code) == ("file", "file.write(bytes(40_000))")


def test_a_call_that_merely_may_put_things_there_is_not_told():
    handler, growth = logging.handlers.MemoryHandler(1_000, logging.CRITICAL), Growth()
    for count in (40, 20, 30):
        for _ in range(count):
            record = logging.LogRecord("jobs", logging.INFO, "", 0, "", None, None)
            record.kept = torch.ones(10_000)
            logging.Handler.handle(handler, record)
        growth.look() if not growth.looked else (answer := growth.answer())
    handler.setTarget(None)
    assert (answer.holder, answer.line) == ("handler.buffer", None)


def test_what_a_handler_keeps_was_logged():
    handler, growth = logging.handlers.MemoryHandler(1_000, logging.CRITICAL), Growth()
    log = logging.getLogger("jobs.memory")
    log.addHandler(handler)
    log.propagate = False
    for count in (40, 20, 30):
        for number in range(count):
            log.warning("values: %s", torch.ones(10_000))
            log.warning("number: %s", number)
        growth.look() if not growth.looked else (answer := growth.answer())
    log.removeHandler(handler)
    assert (answer.holder, answer.code) == (
        "handler.buffer",
        'log.warning("values: %s", torch.ones(10_000))',
    )


def test_what_all_of_them_keep_together_is_no_ones_own():
    model = torch.nn.Linear(1_000, 1_000)
    answer, added = grown_to(lambda _: functools.partial(Picture(0).show, model))
    assert answer.explains_bytes < added / 10


def test_a_list_that_each_epoch_begins_anew_may_end():
    growth, every = Growth(), []
    for _ in range(1):
        logits = []
        for batch in range(90):
            logits.append(torch.ones(10_000))
            if batch in (30, 50, 80):
                growth.look() if not growth.looked else (answer := growth.answer())
    assert (answer.holder, answer.fills) == ("logits", True)
    logits.clear()
    growth = Growth()
    for batch in range(90):
        every.append(torch.ones(10_000))
        if batch in (30, 50, 80):
            growth.look() if not growth.looked else (answer := growth.answer())
    assert (answer.holder, answer.fills) == ("every", False)


def test_a_list_that_is_emptied_now_and_then_fills():
    growth, given = Growth(), []
    for number in range(60):
        given.append(torch.ones(1_000))
        if number % 90 == 89:
            given.clear()
        if number in (20, 40, 59):
            growth.look() if not growth.looked else (answer := growth.answer())
    assert (answer.holder, answer.fills) == ("given", True)


def test_a_list_that_was_emptied_grows_no_more():
    growth, given = Growth(), []
    for number in range(60):
        given.append(torch.ones(1_000))
        if number == 45:
            del given[:40]
        if number in (20, 40, 46, 50, 59):
            growth.look() if not growth.looked else (answer := growth.answer())
    assert (answer.holder, answer.explains_bytes) == (None, 0.0)
