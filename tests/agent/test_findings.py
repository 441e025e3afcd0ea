"""How often something is told, and what of the programs that are the tests' own."""

from __future__ import annotations

import contextlib
import functools
import logging.handlers
import os
import queue
import re
import runpy
import sys

import pytest
import torch

from gradwatch_agent.kept.growth import Growth

from . import leaks
from .cases import told, unload
from .leaks import common


def test_a_failure_that_the_program_catches_again_and_again_is_one_finding(watching):
    weight = torch.ones(4, requires_grad=True)
    notes = []
    with watching() as said:
        for _ in range(40):
            shared = weight.exp()
            try:
                shared.sum().backward()
                shared.pow(2).sum().backward()
            except RuntimeError as error:
                notes.append(error.__notes__)
    found = [finding for finding in said.findings if finding.kind == "second-backward"]
    assert {finding.holder for finding in found} == {"shared"}
    assert len({finding.id for finding in found}) == 1
    assert len(found) == 6  # when it came, and as it doubled
    assert all("gradwatch: " in note for (note,) in notes)


def test_an_attribute_met_in_several_ways_is_one_finding(watching):
    """A penalty that is kept for four rounds fails by the backward of an iteration before, and,
    where that was caught, by one of the same iteration.
    """

    class Lazy:
        def __init__(self, module):
            self.module, self.calls, self.value = module, 0, None

        def __call__(self, x):
            if self.calls % 4 == 0:
                self.value = self.module(x).pow(2).mean()
            self.calls += 1
            return self.value

    with watching() as said:
        torch.manual_seed(0)
        module, head = torch.nn.Linear(3, 3), torch.nn.Linear(3, 1)
        penalty = Lazy(module)
        weights = [*module.parameters(), *head.parameters()]
        optimizer = torch.optim.SGD(weights, 0.01)
        maker = torch.nn.Linear(2, 3)
        other = torch.optim.SGD(maker.parameters(), 0.01)
        for number in range(60):
            x = torch.randn(5, 3)
            loss = head(module(x)).mean() + penalty(x)
            optimizer.zero_grad()
            with contextlib.suppress(RuntimeError):
                loss.backward()
                optimizer.step()
            if number % 5 == 4:  # the step that ends an iteration
                other.zero_grad()
                head(module(maker(torch.randn(5, 2)))).mean().backward()
                other.step()
    found = [finding for finding in said.findings if finding.kind == "second-backward"]
    assert len({finding.id for finding in found}) == 1
    assert all(finding.since_iteration <= finding.iteration for finding in found)


def test_gradients_that_are_cleared_once_an_epoch_are_one_finding(watching):
    with watching() as said:
        weight = torch.ones(3, requires_grad=True)
        optimizer = torch.optim.SGD([weight], lr=0.01)
        for number in range(80):
            if number % 20 == 0:
                optimizer.zero_grad()
            weight.pow(2).sum().backward()
            optimizer.step()
    assert [(f.kind, f.state) for f in said.findings] == [("grads-accumulate", "raised")]


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


def test_what_all_of_them_keep_together_is_no_ones_own():
    model = torch.nn.Linear(1_000, 1_000)
    answer, added = grown_to(lambda _: functools.partial(Picture(0).show, model))
    assert answer.explains_bytes < added / 10


def test_a_line_that_encloses_the_whole_job_is_not_told(watching):
    """Of what nobody uses, no statement builds half: the innermost that builds all trains, too."""

    def train():
        torch.manual_seed(0)
        model = torch.nn.Linear(4, 3)
        optimizer = torch.optim.SGD(model.parameters(), 0.01)
        for _ in range(60):
            x = torch.randn(8, 4)
            first = model(x).tanh().exp().mean()
            second = model(x).sigmoid().pow(2).mean()
            third = model(x).relu().sqrt().mean()
            optimizer.zero_grad()
            model(x).pow(2).mean().backward()
            optimizer.step()
            del first, second, third

    found = told(watching, train)["graph-unused"]
    assert (found.file, found.line, found.code) == (None, None, None)
    assert "no_grad" in found.suggestion


def test_what_else_keeps_the_same_graphs_is_told(watching):
    with watching() as said:
        step, history, log = common.job(), [], {"loss": [], "step": []}
        again = history
        for number in range(40):
            loss = step()
            again.append(loss)
            log["loss"].append({"value": loss})
            log["step"].append(number)
    found = next(finding for finding in said.findings if finding.kind == "graph-held")
    (both,) = re.findall(
        r"`([^`]+)` \(list of \d+\) holds them; so does `([^`]+)`\.", found.message
    )
    assert set(both) == {"again", "log['loss']"}


def test_no_mark_is_left_in_the_programs_frames(watching):
    frame = sys._getframe()
    with watching():
        step = common.job()
        step()
        marked = frame.f_trace
    assert marked is not None
    assert frame.f_trace is None


AT_THE_TOP = """
import sys
import torch

sys.modules["__mp_main__"] = sys.modules["__main__"]  # as where workers have been spawned
net = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), 0.01)
total, last = 0, {}
for _ in range(40):
    out = net(torch.randn(8, 4))
    loss = out.pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    total = total + loss
    last["out"] = out
"""


@pytest.fixture
def told_of(watching, tmp_path, monkeypatch):
    """The same of the text of a program of one file, in whose process no other leaks are."""

    def told_of(text):
        unload(leaks, monkeypatch)
        script = tmp_path / "job.py"
        script.write_text(text)
        os.utime(script, (1_000_000_000, 1_000_000_000))  # older than the process: its text is read
        return told(watching, lambda: runpy.run_path(str(script), run_name="__main__"))

    return told_of


def test_a_sum_at_the_top_of_a_script_that_goes_by_two_names(told_of, monkeypatch):
    monkeypatch.setitem(sys.modules, "__mp_main__", sys.modules["__main__"])
    found = told_of(AT_THE_TOP)["graph-held"]
    assert (found.holder, found.code) == ("total", "total = total + loss")


BUDGETED = """
import contextlib
import torch
from torch import nn

@contextlib.contextmanager
def rationed(layer):
    with torch.no_grad():
        BEFORE
    yield layer
    with torch.no_grad():
        AFTER

net = nn.Sequential(nn.Linear(4, 4), nn.Softplus(), nn.Linear(4, 3))
optimizer = torch.optim.SGD(net.parameters(), 0.01)
for _ in range(8):
    with rationed(net[2]):
        loss = net(torch.randn(8, 4)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


def test_a_block_that_changes_weights_when_it_is_left_is_to_hold_the_backward(told_of):
    text = BUDGETED.replace("AFTER", "layer.weight.mul_(0.5)").replace("BEFORE", "pass")
    found = told_of(text)["inplace-modified"]
    assert found.code == "with rationed(net[2]):"
    assert "Call `loss.backward()` within `with rationed(net[2]):`" in found.suggestion


def test_what_a_block_begins_with_has_not_changed_what_was_saved_in_it(told_of):
    text = BUDGETED.replace("BEFORE", "layer.weight.mul_(0.5)").replace("AFTER", "pass")
    late = "    with torch.no_grad():\n        net[2].weight.mul_(0.5)\n    loss.backward()\n"
    found = told_of(text.replace("    loss.backward()\n", late))["inplace-modified"]
    assert found.code == "net[2].weight.mul_(0.5)"
