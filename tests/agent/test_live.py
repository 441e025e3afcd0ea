"""Faults of jobs as everyone runs them: most iterations are not looked at, no lines are noted."""

from __future__ import annotations

import pytest

BEGIN = """
import gradwatch_agent.auto
import dataclasses
from contextlib import contextmanager, suppress
import torch
from torch import nn

torch.manual_seed(0)
torch.set_num_threads(1)
model = nn.Linear(4, 3)
optimizer = torch.optim.SGD(model.parameters(), 0.01)
x = torch.randn(8, 4)

def step(loss, **kwargs):
    optimizer.zero_grad()
    loss.backward(**kwargs)
    optimizer.step()
"""

UNUSED_NOW_AND_THEN = """
def evaluate():
    return sum(model(x).softmax(1).pow(2).mean().item() for _ in range(9))

for number in range(300):
    step(model(x).pow(2).mean())
    if number % 2:
        evaluate()
"""

NAMED_BUT_NOT_CALLED = """
for _ in range(40):
    optimizer.zero_grad
    model(x).pow(2).mean().backward()
    optimizer.step()
"""

BY_A_GENERATOR = """
class Agent:
    def losses(self, late):
        self.posterior = model(x).tanh()
        yield self.posterior.pow(2).mean()
        if late:
            yield self.posterior.flatten().exp().mean()

agent = Agent()
for number in range(200):
    optimizer.zero_grad()
    for loss in agent.losses(number == 190):
        loss.backward()
    optimizer.step()
"""

AFTER_A_STEP = """
deep = nn.Sequential(model, nn.Linear(3, 2))
both = torch.optim.SGD(deep.parameters(), 0.01)

def losses():
    out = deep(x)
    return out.pow(2).mean(), out.exp().mean()

def train(late):
    rank, info = losses()
    both.zero_grad()
    rank.backward(retain_graph=True)
    both.step()
    if late:
        (0.1 * info).backward()

for number in range(200):
    train(number == 190)
"""

BUILT_BY_A_CALL_AHEAD = """
raw = torch.zeros(3, requires_grad=True)

class Net:
    def __init__(self):
        self.scale = torch.ones(3)

    def release(self):
        self.scale = raw.exp()

    def fit(self, steps):
        for _ in range(steps):
            step((model(x) * self.scale).pow(2).mean())

net = Net()
net.fit(140)
net.release()
net.fit(50)
"""

BY_A_SETTER = """
class Twin:
    def __init__(self):
        self._state = torch.zeros(8, 3)

    @property
    def state(self):
        return self._state

    @state.setter
    def state(self, new):
        self._state = new

    @contextmanager
    def window(self):
        trace = []

        def advance():
            trace.append((model(x) + self.state).tanh())
            return trace[-1]

        yield advance, trace
        self.state = trace[-1]

twin = Twin()
for _ in range(200):
    with twin.window() as (advance, trace):
        advance()
    step(torch.stack(trace).pow(2).mean(), retain_graph=True)
"""

FROM_A_FROZEN_RECORD = """
@dataclasses.dataclass(frozen=True)
class Snapshot:
    level: torch.Tensor

class Book:
    def __init__(self):
        self._rows = {"eur": Snapshot(torch.zeros(8, 3))}

    def load(self, key):
        return self._rows[key]

    def save(self, key, snapshot):
        self._rows[key] = snapshot

def on_window(book, key):
    snapshot = book.load(key)
    candidate = Snapshot((model(x) + snapshot.level).tanh())
    step(candidate.level.pow(2).mean(), retain_graph=True)
    book.save(key, candidate)

book = Book()
for _ in range(200):
    on_window(book, "eur")
"""

SEEN_AFTER_IT_WAS_TOLD = """
def outer(state):
    level = state["level"]
    for _ in range(2):
        level = (model(x) + level).tanh()
    step(level.pow(2).mean(), retain_graph=True)
    state["level"] = level

state = {
    "level": torch.zeros(8, 3, requires_grad=True),
    "count": 0,
}
for _ in range(200):
    outer(state)
"""

KNOWN_BY_ITS_OWNER = """
class Circuit:
    def __init__(self):
        self.rate = torch.zeros(8, 3)

    def advance(self):
        self.rate = 0.9 * self.rate + model(x).tanh()
        return self.rate

def train(circuit):
    for _ in range(200):
        step(circuit.advance().pow(2).mean(), retain_graph=True)

train(Circuit())
"""

READ_THROUGH_ANOTHER = """
class Matching(nn.Module):
    def observe(self, seen):
        self.aim = seen.mean(0)

    def forward(self, seen):
        return (seen.mean(0) - self.aim).pow(2).sum()

maker = nn.Linear(2, 4)
of_maker = torch.optim.SGD(maker.parameters(), 0.01)
matching = Matching()

def judges():
    seen = model(x).tanh()
    step(seen.pow(2).mean())
    matching.observe(seen)

for number in range(200):
    judges()
    of_maker.zero_grad()
    fake = model(maker(torch.randn(8, 2))).tanh()
    loss = matching(fake) if number == 12 else fake.mean()
    loss.backward()
    of_maker.step()
"""

STORED_BY_TWO = """
class Sheet:
    def __init__(self):
        self.coef = torch.zeros(3, requires_grad=True)

    def move(self, by):
        self.coef = self.coef - by

    def rebase(self):
        self.coef = self.coef.clone().requires_grad_()

rate = torch.zeros(3, requires_grad=True)
optimizer = torch.optim.SGD([rate], 0.01)
sheet, x = Sheet(), torch.randn(8, 3)

def misfit():
    return (x @ sheet.coef - 1).square().mean()

for number in range(300):
    sheet.rebase()
    slope, = torch.autograd.grad(misfit(), [sheet.coef], create_graph=True)
    sheet.move(rate.exp() * slope)
    step(misfit(), retain_graph=True)
"""

JOBS = {
    "graph-unused": (UNUSED_NOW_AND_THEN, "model(x).softmax(1)", None, "no_grad"),
    "grads-accumulate": (NAMED_BUT_NOT_CALLED, "optimizer.zero_grad", None, "not called"),
    "second-backward": (BY_A_GENERATOR, "loss.backward()", "agent.posterior", "posterior.detach()"),
    "inplace-modified": (AFTER_A_STEP, "both.step()", None, "backward"),
    "second-backward of what is built once": (
        BUILT_BY_A_CALL_AHEAD, "self.scale = raw.exp()", "net.scale", "anew in each iteration",
    ),
    "second-backward of what another object reads": (
        READ_THROUGH_ANOTHER, "self.aim = seen.mean(0)", "matching.aim",
        "`self.aim = seen.mean(0).detach()`",
    ),
    "graph-chain by a setter": (BY_A_SETTER, "self.state = trace[-1]", "twin._state", "detach"),
    "graph-chain of a frozen record": (
        FROM_A_FROZEN_RECORD, "self._rows[key] = snapshot", "book._rows['eur'].level",
        "dataclasses.replace(book._rows['eur'], level=book._rows['eur'].level.detach())",
    ),
    "graph-chain seen after it was told": (
        SEEN_AFTER_IT_WAS_TOLD, 'state["level"] = level', "state['level']", "level.detach()",
    ),
    "graph-chain stored by two, when it has been seen who stores": (
        STORED_BY_TWO, "self.coef = self.coef.clone()", "sheet.coef",
        "`sheet.coef = sheet.coef.detach().requires_grad_()`",
    ),
    "graph-chain that the loop knows by another name": (
        KNOWN_BY_ITS_OWNER, "self.rate = 0.9 * self.rate", "circuit.rate",
        "`circuit.rate = circuit.rate.detach()`",
    ),
}  # fmt: skip
"""By kind: the job, what stands in the line that is told, the holder, part of the advice."""


@pytest.mark.parametrize("kind", JOBS)
def test_the_line_the_holder_and_the_advice(forked, kind):
    job, code, holder, advice = JOBS[kind]
    ended = forked.run(BEGIN + job)
    told = {found.kind: found for found in ended.findings if found.kind != "crashed"}
    found = told.pop(kind.partition(" ")[0])
    assert code in found.code, found.message
    assert found.holder == holder
    assert advice in found.suggestion
    assert {other.kind for other in told.values()} <= {"retain-needless"}


CAUGHT_EACH_TIME = """
class Filter(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = model
        self.reset()

    def reset(self):
        self.level = torch.zeros(8, 3)

    def forward(self, x):
        level, error = self.level, 0
        for _ in range(3):
            guess = self.model(x) + level
            error = error + guess.pow(2).mean()
            level = guess.tanh()
        self.level = level
        return error / 3

def main():
    kept = Filter()
    for number in range(300):
        optimizer.zero_grad()
        try:
            error = kept(x)
            error.backward()
        except RuntimeError:
            kept.reset()
            continue
        optimizer.step()

main()
"""


CAUGHT_IN_EACH_ROLLOUT = """
def collect():
    worth = model(x).mean(1)
    gain = torch.rand(8) - worth
    return {
        "gain": (gain - gain.mean()) / gain.std(),
        "states": x,
    }

for number in range(300):
    roll = collect()
    for _ in range(3):
        with suppress(RuntimeError):
            step((model(roll["states"]).log_softmax(1)[:, 0] * roll["gain"]).mean())
"""


@pytest.mark.parametrize(
    ("job", "code", "holder"),
    [
        (CAUGHT_EACH_TIME, "self.level = level", "kept.level"),
        (CAUGHT_IN_EACH_ROLLOUT, '"gain": (gain - gain.mean())', "roll['gain']"),
    ],
)
def test_what_is_caught_each_time_is_told_once_whatever_is_noted(forked, job, code, holder):
    ended = forked.run(BEGIN + job)
    found = [each for each in ended.findings if each.kind == "second-backward"]
    assert all(code in each.code and each.holder == holder for each in found)
    assert len({each.id for each in found}) == 1
    assert "times so far" in found[-1].message


CHANGED_IN_PLACE = """
class Filter:
    def __init__(self):
        self.passed, self.seen = 0, {{}}

    def __call__(self, shares, late):
        self.passed += 1
        self.seen[self.passed % 3] = self.passed
        if late:
            {first}
            {second}
        return shares

keep = Filter()
for number in range(100):
    shares = model(x).sigmoid()
    kept = keep(shares, number == 90)
    loss = kept.pow(2).mean()
    del shares, kept
    step(loss)
"""


def test_of_all_statements_in_place_the_only_one_that_may_have(forked):
    ended = forked.run(BEGIN + CHANGED_IN_PLACE.format(first="shares[:, 1:] = 0.0", second="pass"))
    found = next(f for f in ended.findings if f.kind == "inplace-modified")
    assert found.code == "shares[:, 1:] = 0.0"
    assert "the only one that may have" in found.message


def test_what_was_made_to_be_filled_is_not_what_an_operation_came_to(forked):
    filled = "rows = torch.zeros(4); rows[:2] = 1.0"
    ended = forked.run(BEGIN + CHANGED_IN_PLACE.format(first="shares[:, 1:] = 0.0", second=filled))
    found = next(f for f in ended.findings if f.kind == "inplace-modified")
    assert found.code == "shares[:, 1:] = 0.0"


def test_where_several_may_have_all_are_told_and_none_is_named(forked):
    several = CHANGED_IN_PLACE.format(first="shares[:, 1:] = 0.0", second="shares[:, 2] = 0.5")
    ended = forked.run(BEGIN + several)
    found = next(f for f in ended.findings if f.kind == "inplace-modified")
    assert found.line is None
    assert found.message.count(".py:") == 2
