"""`grads-accumulate`: told of optimizers whose gradients nobody clears, and of no others."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

ITERATIONS = 60


def backward(*models: nn.Module) -> None:
    x = torch.randn(4, 4)
    for model in models:
        x = model(x)
    x.mean().backward()


def kinds(said) -> list[str]:
    return [finding.kind for finding in said.findings if finding.state == "raised"]


@pytest.fixture
def pair() -> list[tuple[nn.Module, torch.optim.Optimizer]]:
    models = [nn.Linear(4, 4), nn.Linear(4, 4)]
    return [(model, torch.optim.SGD(model.parameters(), lr=1e-3)) for model in models]


@pytest.mark.parametrize("backwards", [1, 3])
def test_gradients_that_are_never_cleared(watching, pair, backwards):
    (model, optimizer), _ = pair
    with watching() as said:
        for _ in range(ITERATIONS):
            for _ in range(backwards):
                backward(model)
            optimizer.step()
    assert kinds(said) == ["grads-accumulate"]


@pytest.mark.parametrize("set_to_none", [False, True])
@pytest.mark.parametrize("late", [False, True])
def test_gradients_that_are_cleared(watching, pair, set_to_none, late):
    (model, optimizer), _ = pair
    with watching() as said:
        for _ in range(ITERATIONS):
            if not late:
                optimizer.zero_grad(set_to_none=set_to_none)
            backward(model)
            backward(model)
            optimizer.step()
            if late:
                optimizer.zero_grad(set_to_none=set_to_none)
    assert kinds(said) == []


@pytest.mark.parametrize("set_to_none", [False, True])
def test_two_optimizers_that_take_turns_each_clearing_its_own(watching, pair, set_to_none):
    (generator, first), (critic, second) = pair
    with watching() as said:
        for _ in range(ITERATIONS):
            second.zero_grad(set_to_none=set_to_none)
            backward(critic)
            second.step()
            first.zero_grad(set_to_none=set_to_none)
            backward(generator, critic)
            first.step()
    assert kinds(said) == []


def test_one_of_two_optimizers_that_nobody_clears(watching, pair):
    (generator, first), (critic, second) = pair
    with watching() as said:
        for _ in range(ITERATIONS):
            second.zero_grad()
            backward(critic)
            second.step()
            backward(generator, critic)
            first.step()
    assert kinds(said) == ["grads-accumulate"]


def test_gradients_of_which_a_part_is_never_cleared(watching):
    model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 4))
    head = list(model[2].parameters())
    optimizer = torch.optim.SGD(head, lr=1e-3)
    optimizer.add_param_group({"params": [*model[0].parameters(), *model[1].parameters()]})
    with watching() as said:
        for _ in range(ITERATIONS):
            for parameter in head:
                parameter.grad = None
            backward(model)
            optimizer.step()
    assert kinds(said) == ["grads-accumulate"]


def test_optimizers_that_come_and_go_and_groups_of_nothing(watching, pair):
    (model, optimizer), _ = pair
    with watching() as said:
        for _ in range(ITERATIONS):
            inner = torch.optim.SGD([*model.parameters()], lr=1e-3)
            inner.add_param_group({"params": []})
            optimizer.zero_grad()
            backward(model)
            inner.step()
            optimizer.step()
        assert said.beat().off == ()
    assert kinds(said) == []


TRAINS = """
import torch
import gradwatch_agent.auto

model = torch.nn.Linear(4, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
for _ in range(60):
    for p in model.parameters():
        if p.grad is not None:
            {change}
    model(torch.randn(4, 4)).mean().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("p.grad.data.zero_()", []),
        ("p.grad.data = torch.zeros_like(p)", []),
        ("gradient = p.grad.data; gradient.zero_()", []),
        ("p.grad.data.clamp_(-1, 1)", ["grads-accumulate"]),
        ("p.grad.data = p.grad / 2", ["grads-accumulate"]),
    ],
)
def test_gradients_that_are_cleared_by_their_data(forked, change, told):
    """Which raises no version: that it is done is in the source alone."""
    ended = forked.run(TRAINS.format(change=change), GRADWATCH_BUDGET="1")
    assert [finding.kind for finding in ended.findings] == told


TRAINER = """
import torch
from torch import nn

class Trainer:
    def __init__(self, net):
        self.net = net
        self.optimizer = torch.optim.SGD(net.parameters(), 1e-3)

    def clear(self):
        {cleared}.zero_grad()

    def step(self):
        {ahead}
        self.net(torch.randn(2, 4)).sum().backward()
        self.optimizer.step()

trainer = Trainer(nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 1)))
{begun}
for _ in range(30):
    trainer.step()
"""


@pytest.mark.parametrize(
    ("cleared", "ahead", "begun", "line"),
    [
        ("self.net[1]", "self.clear()", "", "self.net[1].zero_grad()"),
        ("self.optimizer", "pass", "trainer.clear()", "self.optimizer.step()"),
        ("trainer.optimizer", "pass", "trainer.clear()", "self.optimizer.step()"),
    ],
)
def test_the_one_statement_that_clears_is_told_if_it_clears_something_else(
    checked, cleared, ahead, begun, line
):
    (found,) = checked(TRAINER.format(cleared=cleared, ahead=ahead, begun=begun)).findings
    assert (found.kind, found.code.strip()) == ("grads-accumulate", line)


OF_ANOTHER_CLASS = """
import torch
from torch import nn

class Clearing:
    def __init__(self, trainer):
        self.trainer = trainer

    def begin(self):
        self.trainer.net.head.zero_grad()

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(4, 4), nn.Linear(4, 1)

class Trainer:
    def __init__(self):
        self.net = Net()
        self.optimizer = torch.optim.SGD(self.net.parameters(), 1e-3)
        self.hooks = [Clearing(self)]

    def step(self):
        for hook in self.hooks:
            hook.begin()
        self.net.head(self.net.body(torch.randn(2, 4))).sum().backward()
        self.optimizer.step()

trainer = Trainer()
for _ in range(30):
    trainer.step()
"""


def test_what_steps_in_another_class_is_to_be_cleared_there(checked):
    (found,) = checked(OF_ANOTHER_CLASS).findings
    assert found.code.strip() == "self.trainer.net.head.zero_grad()"
    assert "call `self.optimizer.zero_grad()` in `Trainer`" in found.suggestion


PUT_AWAY = """
import torch
from torch import nn

class Tuner:
    def __init__(self, net):
        self.net = net
        self.optimizer = torch.optim.SGD(net[1].parameters(), 1e-3)
        self.clear, self.apply = self.optimizer.zero_grad, self.optimizer.step

    def unfreeze(self):
        self.optimizer = torch.optim.SGD(self.net.parameters(), 1e-3)
        self.apply = self.optimizer.step

    def step(self):
        self.clear()
        self.net(torch.randn(2, 4)).sum().backward()
        self.apply()

tuner = Tuner(nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 1)))
for epoch in range(40):
    if epoch == {when}:
        tuner.unfreeze()
    tuner.step()
"""


def test_a_method_that_is_put_away_goes_on_clearing_the_optimizer_that_was(checked):
    (found,) = checked(PUT_AWAY.format(when=10)).findings
    assert (found.kind, found.code.split()[0]) == ("grads-accumulate", "self.clear,")
    assert "self.optimizer.zero_grad()" in found.suggestion


def test_a_method_that_is_put_away_clears_what_steps(checked):
    assert checked(PUT_AWAY.format(when=-1)).findings == []


SEVERAL = """
import torch
from torch import nn

nets = {"body": nn.Linear(4, 4), "head": nn.Linear(4, 1)}
optimizers = {name: torch.optim.SGD(net.parameters(), 1e-3) for name, net in nets.items()}
for _ in range(30):
    optimizers["head"].zero_grad()
    nets["head"](nets["body"](torch.randn(2, 4))).sum().backward()
    for name, optimizer in optimizers.items():
        optimizer.step()
"""


def test_all_that_a_loop_steps_are_to_be_cleared_by_one_like_it(checked):
    """Before the backward there is none of them alone."""
    (found,) = checked(SEVERAL).findings
    loop = "for name, optimizer in optimizers.items()"
    assert f"`{loop}: optimizer.zero_grad()`" in found.suggestion


CLOSURE = """
import torch
from torch import nn

net = nn.Linear(4, 1)
optimizer = torch.optim.LBFGS(net.parameters(), max_iter=3)
x = torch.randn(8, 4)

def closure():
    loss = net(x).pow(2).mean()
    loss.backward()
    return loss

class Solver:
    def closure(self):
        loss = net(x).pow(2).mean()
        loss.backward()
        return loss

solver = Solver()
for _ in range(30):
    optimizer.step({closure})
"""


@pytest.mark.parametrize("closure", ["closure", "solver.closure"])
def test_what_a_step_calls_several_times_is_to_clear_by_itself(checked, closure):
    (found,) = checked(CLOSURE.format(closure=closure)).findings
    assert (found.kind, found.code.strip()) == ("grads-accumulate", "loss.backward()")
    assert "in `closure`, before its backward" in found.suggestion


@pytest.mark.parametrize("cleared", ["rates.grad = None", "optimizers[1].zero_grad()", "pass"])
def test_what_is_put_in_place_of_a_gradient_adds_to_nothing(checked, cleared):
    """Another loss's backward comes by it in between."""
    said = checked(RATES.format(cleared=cleared))
    assert [finding.kind for finding in said.findings] == []


RATES = """
import torch
from torch import nn

net, rates = nn.Linear(4, 2), nn.Parameter(torch.zeros(2))
optimizers = [torch.optim.SGD(net.parameters(), 1e-2), torch.optim.Adam([rates], 1e-2)]

def loss_of(x):
    return (net(x) * rates.softmax(0)).pow(2).mean()

for _ in range(40):
    (asked,) = torch.autograd.grad(loss_of(torch.randn(8, 4)), rates)
    {cleared}
    rates.grad = asked
    optimizers[1].step()
    optimizers[0].zero_grad()
    loss_of(torch.randn(8, 4)).backward()
    optimizers[0].step()
"""


SCALED = """
import torch
from torch import nn

net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), 1e-3)
scaler = torch.amp.GradScaler("cpu", enabled=False)
for number in range(80):
    scaler.scale(net(torch.randn(8, 4)).pow(2).mean() / 2).backward()
    if number % 2:
        scaler.step(optimizer)
        scaler.update()
"""


def test_what_a_scaler_steps_is_cleared_behind_that(checked):
    (found,) = checked(SCALED).findings
    assert found.code.strip() == "scaler.step(optimizer)"
    assert "Call `optimizer.zero_grad()` after each step" in found.suggestion


@pytest.mark.parametrize("by", ["numpy", "storage", "flat"])
def test_gradients_that_are_zeroed_where_no_version_shows_it(watching, pair, by):
    (model, optimizer), _ = pair
    whole = np.zeros(sum(weight.numel() for weight in model.parameters()), dtype=np.float32)
    if by == "flat":
        first = 0
        for weight in model.parameters():
            part = whole[first : first + weight.numel()].reshape(weight.shape)
            weight.grad, first = torch.from_numpy(part), first + weight.numel()
    with watching() as said:
        for _ in range(ITERATIONS):
            for weight in (
                model.parameters() if by != "flat" and model.bias.grad is not None else ()
            ):
                zeroes = weight.grad.numpy() if by == "numpy" else weight.grad.untyped_storage()
                zeroes.fill(0) if by == "numpy" else zeroes.fill_(0)
            whole.fill(0)
            backward(model)
            optimizer.step()
    assert kinds(said) == []
