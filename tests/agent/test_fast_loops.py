"""Loops so fast that most iterations are only counted: nothing is lost but resolution."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
import torch

import gradwatch_agent
from gradwatch_agent import wire

ITERATIONS = 3_000


@pytest.fixture
def hurried(watching, monkeypatch):
    """As `watching`, with the budget of every day."""
    monkeypatch.setenv("GRADWATCH_BUDGET", "0.01")
    return watching


class Job:
    """One weight and an optimizer; `step` is an iteration."""

    def __init__(self) -> None:
        self.weight = torch.rand(4, requires_grad=True)
        self.optimizer = torch.optim.SGD([self.weight], lr=0.01)

    def loss(self) -> torch.Tensor:
        return (self.weight * self.weight).sum()

    def step(self) -> None:
        self.optimizer.zero_grad()
        self.loss().backward()
        self.optimizer.step()


def by_optimizer() -> Callable[[], None]:
    return Job().step


def by_backward() -> Callable[[], None]:
    job = Job()
    return lambda: job.loss().backward()


def by_hand() -> Callable[[], None]:
    job = Job()

    def step() -> None:
        for _ in range(2):
            job.step()
        gradwatch_agent.iteration()

    return step


def accumulating() -> Callable[[], None]:
    job = Job()

    def step() -> None:
        for _ in range(3):
            job.loss().backward()
        job.optimizer.step()
        job.optimizer.step()  # a second step without a backward ends nothing

    return step


def by_hand_beside_an_optimizer() -> Callable[[], None]:
    """Which never steps: the weights are changed without it, and the gradients cleared."""
    job = Job()

    def step() -> None:
        job.weight.grad = None
        job.loss().backward()
        with torch.no_grad():
            job.weight -= 0.01 * job.weight.grad

    return step


def in_turns() -> Callable[[], None]:
    one, other = Job(), Job()

    def step() -> None:
        other.step()
        one.step()

    one.step()
    return step


def with_a_penalty_now_and_then() -> Callable[[], None]:
    job, count = Job(), 0

    def step() -> None:
        nonlocal count
        count += 1
        loss = job.loss()
        if count % 50 == 0:
            (gradient,) = torch.autograd.grad(loss, [job.weight], create_graph=True)
            loss = loss + (gradient * gradient).sum()
        job.optimizer.zero_grad()
        loss.backward()
        job.optimizer.step()

    return step


def skipping_steps() -> Callable[[], None]:
    """As a gradient scaler does where a gradient is infinite."""
    job, count = Job(), 0

    def step() -> None:
        nonlocal count
        count += 1
        job.loss().backward()
        if count % 100 != 50:
            job.optimizer.step()

    return step


def accumulating_from_half_way_on() -> Callable[[], None]:
    job, count = Job(), 0

    def step() -> None:
        nonlocal count
        count += 1
        for _ in range(1 if count < ITERATIONS // 2 else 3):
            job.loss().backward()
        job.optimizer.step()

    return step


def weights_averaged_now_and_then() -> Callable[[], None]:
    job, count = Job(), 0

    def step() -> None:
        nonlocal count
        count += 1
        job.step()
        if count % 70 == 0:
            with torch.no_grad():
                job.weight.mul_(0.9).add_(0.1)

    return step


def of_one_job_after_another() -> Callable[[], None]:
    job, count = Job(), 0

    def step() -> None:
        nonlocal count, job
        count += 1
        if count == ITERATIONS // 2:
            job = Job()
        job.step()

    return step


def of_one_job_beside_another() -> Callable[[], None]:
    jobs, count = (Job(), Job()), 0

    def step() -> None:
        nonlocal count
        count += 1
        jobs[count > ITERATIONS // 2].step()

    return step


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        (by_optimizer, 0),
        (by_backward, -31),  # 32 backwards wait for the step of an optimizer that exists
        (by_hand_beside_an_optimizer, -3),  # fewer where gradients are cleared without one
        (by_hand, 2),  # until the first mark, steps end iterations
        (accumulating, 0),
        (with_a_penalty_now_and_then, 0),
        (skipping_steps, -ITERATIONS // 100),  # its backward is of the next one
        (accumulating_from_half_way_on, 0),
        (weights_averaged_now_and_then, 0),
        (of_one_job_after_another, 0),
        (of_one_job_beside_another, 0),
    ],
)
def test_every_iteration_is_counted_once(hurried, kind, more):
    with hurried() as said:
        step = kind()
        for _ in range(ITERATIONS):
            step()
    records = said.iterations
    assert len(records) < ITERATIONS / 2
    assert sum(record.count for record in records) == ITERATIONS + more
    ends = [record.number for record in records]
    assert ends == sorted(set(ends))
    assert [r.number - r.count for r in records] == [-1, *ends[:-1]]
    assert ends[-1] == ITERATIONS + more - 1


def test_the_steps_of_another_optimizer_end_nothing(hurried):
    with hurried() as said:
        step = in_turns()
        for _ in range(ITERATIONS):
            step()
    # The first step of each optimizer ends an iteration by being new.
    assert sum(record.count for record in said.iterations) in range(ITERATIONS, ITERATIONS + 4)


def test_a_step_that_comes_after_all_ends_iterations_from_then_on(hurried):
    with hurried() as said:
        job = Job()
        for number in range(200 * 20):
            job.loss().backward()
            if number % 200 == 199:
                job.optimizer.step()
    # Backwards are taken for iterations, from the 32nd to the 200th.
    assert sum(record.count for record in said.iterations) == 169 + 19


def test_backwards_that_were_not_told_are_counted(hurried):
    with hurried() as said:
        step = accumulating()
        for _ in range(ITERATIONS):
            step()
    backwards = said.of(wire.Backward)
    behind = ITERATIONS - said.iterations[-1].count
    counted = sum(1 + backward.skipped for backward in backwards)
    assert 3 * behind <= counted <= 3 * ITERATIONS


def test_a_beat_knows_the_iteration_that_is_only_counted(hurried):
    with hurried() as said:
        step = by_optimizer()
        for number in range(ITERATIONS):
            step()
            if number % 500 == 499:
                assert said.beat().iteration == number


def test_a_backward_that_fails_between_two_looks_explains_itself(hurried):
    with hurried() as said:
        job = Job()
        for _ in range(ITERATIONS):
            job.step()
        loss = job.loss()
        loss.backward()
        with pytest.raises(RuntimeError, match="second time") as caught:
            loss.backward()
    assert "gradwatch: " in caught.value.__notes__[0]
    assert [finding.kind for finding in said.findings] == ["second-backward"]
    assert said.findings[0].iteration == ITERATIONS


def test_a_leak_that_begins_late_is_found(hurried):
    with hurried() as said:
        job, kept = Job(), []
        for number in range(8 * ITERATIONS):
            loss = job.loss()
            job.optimizer.zero_grad()
            loss.backward()
            job.optimizer.step()
            if number >= ITERATIONS:
                kept.append(loss)
    assert [finding.kind for finding in said.findings][:1] == ["graph-held"]
    found = said.findings[0]
    assert (found.holder, found.code) == ("kept", "kept.append(loss)")
    assert ITERATIONS <= found.since_iteration <= found.iteration
    kept_then = found.iteration - ITERATIONS  # that of its own iteration is still to come
    assert f"`kept` (list of {kept_then:,}) holds them." in found.message


def test_a_chain_that_begins_late_is_found_in_a_loop_of_any_speed(watching, monkeypatch):
    """One iteration now and then is counted at any cost."""
    monkeypatch.setenv("GRADWATCH_BUDGET", "0")
    with watching() as said:
        weight = torch.ones(3, requires_grad=True)
        optimizer, state = torch.optim.SGD([weight], 0.01), weight * 1.0
        for number in range(400):
            state = (state if number > 100 else state.detach()) + weight
            state.sum().backward(retain_graph=True)
            optimizer.step()
    told = next(finding for finding in said.findings if finding.kind == "graph-chain")
    assert told.holder == "state"
    assert 100 < told.since_iteration <= told.iteration < 200


def test_few_iterations_are_counted_at_any_cost_where_nothing_is_the_matter(watching, monkeypatch):
    monkeypatch.setenv("GRADWATCH_BUDGET", "0")
    with watching() as said:
        job = Job()
        for _ in range(2_000):
            job.step()
    counted = [record.number for record in said.iterations if record.reached is not None]
    assert 20 < len(counted) < 60
    assert max(later / before for before, later in pairwise(counted[16:])) < 1.5


def test_a_graph_carried_over_between_two_looks_is_named(hurried):
    with hurried() as said:
        job, cache = Job(), {}
        for number in range(ITERATIONS):
            if number == ITERATIONS - 1:
                cache["first"] = job.loss()
            loss = job.loss() + sum(cache.values())
            job.optimizer.zero_grad()
            loss.backward()
            job.optimizer.step()
        loss = job.loss() + sum(cache.values())
        with pytest.raises(RuntimeError, match="second time"):
            loss.backward()
    (found,) = said.findings
    assert (found.kind, found.holder) == ("second-backward", "cache['first']")
    assert found.code == 'cache["first"] = job.loss()'
    assert f"1 iteration earlier, in iteration {ITERATIONS - 1}" in found.message


def test_a_leak_beside_the_loss_now_and_then_is_found_and_stays_found(watching, monkeypatch):
    """Of an iteration that is looked at in passing only the loss's own node is marked."""
    monkeypatch.setenv("GRADWATCH_BUDGET", "0.0001")
    with watching() as said:
        job, kept = Job(), []
        for number in range(ITERATIONS):
            part = job.weight.exp()
            loss = (part * part).sum()
            job.optimizer.zero_grad()
            loss.backward()
            job.optimizer.step()
            if number % 4 == 0:
                kept.append(part)
    held = [finding for finding in said.findings if finding.kind == "graph-held"]
    assert (held[0].holder, held[0].code) == ("kept", "kept.append(part)")
    assert held[0].iteration < 40
    assert "resolved" not in {finding.state for finding in held}


def test_a_chain_that_is_told_is_counted_once_more_at_any_cost(watching, monkeypatch):
    """When it has been seen which line stores."""
    monkeypatch.setenv("GRADWATCH_BUDGET", "0")
    with watching() as said:
        weight = torch.ones(3, requires_grad=True)
        optimizer, state = torch.optim.SGD([weight], 0.01), weight * 1.0
        for _ in range(16):
            state = state * 1.0
            state.sum().backward(retain_graph=True)
            optimizer.step()
    told = next(finding for finding in said.findings if finding.kind == "graph-chain")
    counted = [record.number for record in said.iterations if record.reached is not None]
    assert counted == list(range(told.iteration + 2))


def test_a_backward_that_fails_right_after_a_look_explains_itself(hurried):
    """Before the first that is only counted, too."""
    with hurried() as said:
        job, weight, notes = Job(), torch.ones(3, requires_grad=True), 0
        for number in range(24):
            job.step()
            if number < 18:
                continue  # the first are looked at in any case
            changed = weight.exp()
            changed.add_(1)
            with pytest.raises(RuntimeError) as caught:
                changed.sum().backward()
            notes += any("gradwatch: " in note for note in caught.value.__notes__)
    assert notes == 6
    assert {finding.kind for finding in said.findings} == {"inplace-modified"}


UNHEARD = """
import gradwatch_agent.auto
import torch

class Job:
    def __init__(self):
        self.weight = torch.rand(4, requires_grad=True)
        self.adam = torch.optim.Adam([self.weight])

    def train(self, loss):
        self.adam.zero_grad()
        loss.backward()
        self.adam.step()

job = Job()
for _ in range(3000):
    job.train(job.weight.pow(2).sum())
waiting = job.weight.pow(2).sum()
job.train(job.weight.pow(2).sum())
try:
    waiting.backward()
except RuntimeError as error:
    print(error.__notes__)
"""


def test_a_step_that_nobody_heard_is_told_of_a_weight_that_waited(forked):
    ended = forked.run(UNHEARD)
    (found,) = ended.findings
    assert (found.kind, found.code) == ("inplace-modified", "self.adam.step()")
    assert "Call `waiting.backward()` before `self.adam.step()`" in ended.out
