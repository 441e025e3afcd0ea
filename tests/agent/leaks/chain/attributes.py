"""States that are attributes: of modules, of filters, of the plant that is driven."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import nn

from ..common import STEPS


class Observer(nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(()))
        self.state = (torch.ones(()), torch.zeros(()))

    def forward(self):
        angle, speed = self.state
        speed = speed - self.gain * torch.sin(angle)
        angle = angle + 0.1 * speed
        self.state = (angle, speed)  # <- graph-chain by a state whose parts go by other names
        return angle


def by_a_state_whose_parts_go_by_other_names():
    """graph-chain | observer.state | words"""
    observer = Observer()
    for _ in range(STEPS):
        angle = observer()
        (angle**2).backward(retain_graph=True)


class Smooth:
    def __init__(self):
        self.level = None

    def __call__(self, x):
        if self.level is None:
            self.level = x.detach()
        self.level = 0.9 * self.level + 0.1 * x  # <- graph-chain, though it began detached
        return self.level


def that_only_begins_detached():
    """graph-chain | smooth.level | words"""
    weight, smooth = torch.ones(4, requires_grad=True), Smooth()
    for _ in range(STEPS):
        smooth(weight * torch.rand(4)).sum().backward(retain_graph=True)


class Best:
    def __init__(self):
        self.loss = None

    def compared(self, loss):
        if self.loss is None:
            self.loss = loss
            return loss
        compared = loss + 0.1 * torch.relu(loss - self.loss)
        if loss < 2 * self.loss:
            self.loss = compared  # <- graph-chain, where it is not the first
        return compared


def that_begins_with_the_first():
    """graph-chain | best.loss | words"""
    torch.manual_seed(0)
    weight, best = torch.ones(4, requires_grad=True), Best()
    for _ in range(STEPS):
        best.compared((weight * torch.rand(4)).sum()).backward(retain_graph=True)


class Parts(NamedTuple):
    net: nn.Module


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.hidden = nn.Linear(4, 4), torch.zeros(1, 4)

    def forward(self):
        self.hidden = torch.tanh(self.cell(self.hidden))  # <- graph-chain of a module in a record
        return self.hidden.sum()


def by_a_module_that_lies_in_a_record():
    """graph-chain | parts.net.hidden | words"""
    parts = Parts(Recurrent())
    for _ in range(STEPS):
        parts.net().backward(retain_graph=True)


class Filter:
    """Its state is a pair, given anew after each step from what one call alone knows by name."""

    def __init__(self):
        self.gain = nn.Parameter(torch.tensor(0.5))
        self.pair = (torch.zeros(3), torch.ones(3))
        self.optimizer = torch.optim.SGD([self.gain], 0.01)

    def predicted(self):
        (level, slope), gain = self.pair, self.gain.sigmoid()
        return level + gain * slope, slope * gain

    def corrected(self, level, slope):
        seen = torch.randn(3)
        self.pair = (level + 0.1 * (seen - level), slope + 0.1 * (seen - slope))  # <-

    def window(self):
        level, slope = self.predicted()
        self.optimizer.zero_grad()
        (level.pow(2).sum() + slope.pow(2).sum()).backward(retain_graph=True)
        self.optimizer.step()
        self.corrected(level, slope)


def by_a_pair_that_is_corrected_after_the_step():
    """graph-chain | filtered.pair | words"""
    torch.manual_seed(0)
    filtered = Filter()
    for _ in range(STEPS):
        filtered.window()


class Listening(nn.Module):
    def __init__(self, layers=2):
        super().__init__()
        self.loudness = nn.ParameterList(torch.zeros(4) for _ in range(layers))
        self.heard = [None] * layers

    def forward(self, x):
        for place, loudness in enumerate(self.loudness):
            before = self.heard[place]
            x = x + loudness if before is None else x + loudness + before
            self.heard[place] = x  # <-
        return x


class Listener:
    def __init__(self, model):
        self.ear = model
        self.optimizer = torch.optim.SGD(model.parameters(), 0.01)

    def listen(self):
        for _ in range(STEPS):
            loss = self.ear(torch.randn(8, 4)).pow(2).mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()


def by_states_of_which_there_are_none_at_first():
    """graph-chain | listener.ear.heard | words"""
    listener = Listener(Listening())
    listener.listen()


class Arm:
    def __init__(self):
        self.joints = torch.zeros(4)

    def dynamics(self, x, torque):
        speed = torch.tanh(torque) * x.flip(0).cos()
        return x + 0.1 * speed

    def apply(self, torque):
        self.joints = self.dynamics(self.joints, torque) + 0.01 * torch.randn(4)  # <- by the plant


def planned(arm, x0):
    """Several iterations with what it is given, which it does not store."""
    plan = torch.zeros(2, 4, requires_grad=True)
    optimizer = torch.optim.SGD([plan], 0.1)
    for _ in range(3):
        x = x0
        for torque in plan:
            x = arm.dynamics(x, torque)
        optimizer.zero_grad()
        x.pow(2).sum().backward(inputs=[plan])
        optimizer.step()
    return plan


def by_a_plant_that_is_planned_for():
    """graph-chain | arm.joints | words"""
    arm = Arm()
    for _ in range(STEPS):
        plan = planned(arm, arm.joints)
        arm.apply(plan[0])


class Slate:
    """Whatever it is given lies in one dict."""

    def __init__(self, **first):
        object.__setattr__(self, "_lies", dict(first))

    def __getattr__(self, name):
        return self._lies[name]

    def __setattr__(self, name, value):
        self._lies[name] = value


def by_an_object_that_puts_all_it_is_given_into_a_dict():
    """graph-chain | slate.swell | before"""
    weight = torch.ones(3, requires_grad=True)
    optimizer = torch.optim.SGD([weight], 0.01)
    slate = Slate(swell=torch.zeros(3), high=0.0)
    for _ in range(STEPS):
        slate.swell = 0.5 * slate.swell + weight  # <-
        slate.swell.sum().backward(retain_graph=True)
        optimizer.step()
        slate.high = max(slate.high, float(weight.detach()[0]))


class Holt:
    def __init__(self):
        self.raw = nn.Parameter(torch.zeros(2, 3))
        self.level, self.trend = torch.zeros(3), torch.zeros(3)

    def forecast(self):
        return self.level + self.trend

    def observe(self, y):
        a, b = self.raw.sigmoid()
        level, trend = self.level, self.trend
        self.level = a * y + (1 - a) * (level + trend)  # <- behind the backward
        self.trend = b * (self.level - level) + (1 - b) * trend  # <- behind the backward


def by_two_states_that_go_on_behind_the_backward():
    torch.manual_seed(0)
    holt, season = Holt(), nn.Parameter(torch.zeros(3))
    optimizer = torch.optim.SGD([holt.raw, season], 0.01)
    for _ in range(STEPS):
        y = torch.randn(3)
        loss = (holt.forecast() + season - y).abs().mean()
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()
        holt.observe(y)


class Moments:
    def __init__(self):
        self.first, self.second = torch.zeros(3), torch.ones(3)

    def whitened(self, values):
        first = 0.9 * self.first + 0.1 * values.mean(0)
        second = 0.9 * self.second + 0.1 * (values - first).pow(2).mean(0)
        self.first = first  # <- graph-chain
        self.second = second  # <- graph-chain
        return (values - first) / (second + 1e-3).sqrt()


def by_two_moments_stored_one_after_the_other():
    """graph-chain | moments.first | words"""
    model, moments = nn.Linear(4, 3), Moments()
    optimizer = torch.optim.SGD(model.parameters(), 0.001)
    for _ in range(STEPS):
        loss = moments.whitened(model(torch.randn(8, 4))).abs().mean()
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()


class Cart:
    def __init__(self):
        self.state = torch.zeros(4)

    def apply(self, push):
        moved = 0.9 * self.state + 0.1 * push.mean()
        self.state = moved.clamp(-3, 3)  # <- graph-chain
        return self.state


def by_what_a_method_hands_back():
    """graph-chain | cart.state | words"""
    cart, plan = Cart(), torch.zeros(3, requires_grad=True)
    optimizer = torch.optim.SGD([plan], 0.01)
    state = cart.state
    for _ in range(STEPS):
        cost = sum((0.9 * state + push).pow(2).mean() for push in plan)
        (plan.grad,) = torch.autograd.grad(cost, [plan], retain_graph=True)
        optimizer.step()
        state = cart.apply(plan)


def by_a_descriptor_under_a_name_of_its_own():
    """graph-chain | perturbed._noise | replaced"""

    class Within:
        def __set_name__(self, owner, name):
            self.kept_as = f"_{name}"

        def __get__(self, owner, kind=None):
            return owner.__dict__[self.kept_as]

        def __set__(self, owner, value):
            owner.__dict__[self.kept_as] = value.clamp(-1, 1)  # <- graph-chain

    class Perturbed:
        noise = Within()

        def __init__(self):
            self.noise = torch.rand(4, requires_grad=True)

    perturbed, model = Perturbed(), nn.Linear(4, 1)
    for _ in range(STEPS):
        loss = model(torch.ones(4) + perturbed.noise).pow(2).mean()
        *_, slope = torch.autograd.grad(loss, [*model.parameters(), perturbed.noise])
        perturbed.noise = perturbed.noise + 0.01 * slope.sign()


class Walker(nn.Module):
    def __init__(self):
        super().__init__()
        self.move = nn.Linear(4, 4)
        self.whereabouts = torch.zeros(4)

    def stay(self, whereabouts):
        self.whereabouts = whereabouts  # <- graph-chain, and not where a visit has it

    def forward(self, x):
        return torch.tanh(self.move(x) + self.whereabouts)


class Sojourn:
    def __init__(self, number):
        self.number, self.whereabouts = number, None


def by_what_an_object_of_each_round_has_by_the_same_name():
    """graph-chain | walker.whereabouts | words"""
    walker = Walker()
    optimizer = torch.optim.SGD(walker.parameters(), 0.01)
    for number in range(STEPS):
        sojourn = Sojourn(number)
        sojourn.whereabouts = walker(torch.randn(4))
        optimizer.zero_grad()
        sojourn.whereabouts.pow(2).mean().backward(retain_graph=True)
        optimizer.step()
        walker.stay(sojourn.whereabouts)
