"""Weights that descend by hand, and rates that are learned through the descent."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from typing import NamedTuple

import torch
from torch import nn

from ..common import STEPS


def descent_by_hand():
    """graph-chain | w | replaced"""
    torch.manual_seed(0)
    w = torch.randn(4, requires_grad=True)
    for _ in range(STEPS):
        loss = (torch.randn(8, 4) @ w).pow(2).mean()
        (gradient,) = torch.autograd.grad(loss, w)
        w = w - 0.01 * gradient  # <-


def descent_by_hand_on_a_dict():
    """graph-chain | weights['w'] | words"""
    torch.manual_seed(0)
    weights = {"w": torch.randn(4, requires_grad=True)}
    for _ in range(STEPS):
        (torch.randn(8, 4) @ weights["w"]).pow(2).mean().backward()
        weights = {k: w - 0.01 * w.grad for k, w in weights.items()}  # <-
        weights["w"].retain_grad()


def descended(state, data):
    weight = state["weight"]
    weight = weight - 0.01 * (data @ weight).mean() * weight
    (data @ weight).pow(2).mean().backward(retain_graph=True)
    state["weight"] = weight  # <-


def by_what_a_function_called_anew_puts_back():
    """graph-chain | state['weight'] | words"""
    torch.manual_seed(0)
    state = {"weight": torch.randn(4, requires_grad=True)}
    for _ in range(STEPS):
        descended(state, torch.randn(8, 4))


def tuned(weights, rate):
    (slope,) = torch.autograd.grad(weights[0].square().sum(), weights, create_graph=True)
    return [weights[0] - rate.exp() * slope], slope.norm().item()


def by_weights_that_a_step_hands_back_to_be_judged():
    """graph-chain | tried | before"""
    rate = torch.tensor(-4.0, requires_grad=True)
    optimizer = torch.optim.SGD([rate], 0.001)
    tried = [torch.randn(4, requires_grad=True)]
    for _ in range(STEPS):
        tried, _steep = tuned(tried, rate)  # <-
        optimizer.zero_grad()
        (tried[0] - 1).square().sum().backward(inputs=[rate], retain_graph=True)
        optimizer.step()


def by_weights_that_go_on_under_a_penalty_of_their_gradients():
    """graph-chain | weights['w'] | words"""
    weights = {"w": torch.ones(4).requires_grad_()}
    for _ in range(STEPS):
        base = (weights["w"] * torch.randn(8, 4)).pow(2).mean()
        (slope,) = torch.autograd.grad(base, list(weights.values()), create_graph=True)
        total = base + 0.02 * slope.pow(2).sum()
        slopes = torch.autograd.grad(total, list(weights.values()))
        weights = {k: w - 0.1 * s for (k, w), s in zip(weights.items(), slopes, strict=True)}  # <-


class Sampler:
    def __init__(self):
        self.particles = torch.ones(4).requires_grad_()

    def sample(self, weight):
        x = self.particles
        for _ in range(2):
            x = x - 0.1 * torch.autograd.grad((weight * x**2).sum(), x)[0] * weight
        self.particles = x  # <- graph-chain by what a local variable was taken from
        return x


def by_what_a_local_variable_was_taken_from():
    """graph-chain | sampler.particles | words"""
    weight, sampler = torch.ones(4, requires_grad=True), Sampler()
    optimizer = torch.optim.SGD([weight], 0.0)
    for _ in range(STEPS):
        sampler.sample(weight).sum().backward(retain_graph=True)
        optimizer.step()


class Adapting:
    def __init__(self):
        self.weight = torch.randn(4, requires_grad=True)
        self.optimizer = torch.optim.SGD([self.weight], 0.01)
        self.fast = None

    def begun(self):
        self.fast = {"w": self.weight} if self.fast is None else self.fast
        return self.fast

    def adapt(self, x):
        fast = self.begun()
        for _ in range(2):
            grads = torch.autograd.grad((x @ fast["w"]).pow(2).mean(), list(fast.values()))
            fast = {k: w - 0.1 * g for (k, w), g in zip(fast.items(), grads, strict=True)}
        self.fast = fast  # <-
        return fast

    def step(self):
        fast = self.adapt(torch.randn(8, 4))
        self.optimizer.zero_grad()
        (torch.randn(8, 4) @ fast["w"]).pow(2).mean().backward(retain_graph=True)
        self.optimizer.step()


def by_what_an_inner_loop_ended_with():
    """graph-chain | learner.fast['w'] | words"""
    torch.manual_seed(0)
    learner = Adapting()
    for _ in range(STEPS):
        learner.step()


def adapted(fast, x):
    for _ in range(2):
        grads = torch.autograd.grad((x @ fast["w"] + fast["b"]).pow(2).mean(), list(fast.values()))
        fast = {k: w - 0.1 * g for (k, w), g in zip(fast.items(), grads, strict=True)}
    return fast, x.mean().item()


def by_what_a_function_goes_round_with():
    """graph-chain | fast | words"""
    torch.manual_seed(0)
    learned = {"w": torch.randn(4, requires_grad=True), "b": torch.zeros(1, requires_grad=True)}
    optimizer = torch.optim.SGD(list(learned.values()), 0.01)
    fast = {name: weight.clone() for name, weight in learned.items()}
    for _ in range(STEPS):
        fast, _ = adapted(fast, torch.randn(8, 4))  # <-
        optimizer.zero_grad()
        (torch.randn(8, 4) @ fast["w"] + fast["b"]).pow(2).mean().backward(retain_graph=True)
        optimizer.step()


class GoingOn:
    def __init__(self, learned):
        self.learned, self.adapted = learned, {}

    def fit(self, name, x):
        taken = self.adapted.get(name)
        if taken is None:
            taken = self.learned
        (slope,) = torch.autograd.grad((x * taken).pow(2).mean(), [taken])
        taken = taken - 0.1 * slope
        self.adapted[name] = taken  # <- what it asks a gradient of again
        return taken


def by_an_adaptation_that_goes_on():
    """graph-chain | adapting.adapted | words"""
    learned = nn.Parameter(torch.ones(4))
    adapting, optimizer = GoingOn(learned), torch.optim.SGD([learned], 0.01)
    for _ in range(STEPS):
        loss = adapting.fit("rig", torch.randn(8, 4)).pow(2).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class Rated:
    """Learns the rate of its last step from the loss behind it."""

    def __init__(self):
        self.point = torch.ones(4).requires_grad_()
        self.rate = torch.tensor(-2.0, requires_grad=True)
        self.number = 0

    def learn(self, loss):
        (slope,) = torch.autograd.grad(loss, [self.rate], retain_graph=True)
        self.rate.data -= 0.01 * slope.sign()

    def step(self):
        loss = self.point.pow(4).sum()
        if self.number:
            self.learn(loss)
        (slope,) = torch.autograd.grad(loss, [self.point], create_graph=True)
        self.point = self.point - 0.1 * self.rate.exp() * slope  # <- graph-chain by a rate
        self.number += 1


def by_a_rate_that_is_learned_from_the_next_loss():
    """graph-chain | rated.point | words"""
    rated = Rated()
    for _ in range(STEPS):
        rated.step()


def by_a_leaf_through_which_alone_the_loss_trains():
    """graph-chain | guess | words"""
    torch.manual_seed(0)
    rows, pace = torch.randn(8, 3), torch.full((3,), -3.0, requires_grad=True)
    guess = torch.zeros(3, requires_grad=True)
    optimizer = torch.optim.SGD([pace], 0.01)
    for _ in range(STEPS):
        miss = (rows @ guess - 1).square().mean()
        (slope,) = torch.autograd.grad(miss, guess, create_graph=True)
        guess = guess - pace.exp() * slope  # <-
        left = (rows @ guess - 1).square().mean()
        (pace.grad,) = torch.autograd.grad(left, pace, retain_graph=True)
        optimizer.step()


@dataclass(frozen=True)
class Tuning:
    """Weights that are given anew as a whole, and of which gradients are asked."""

    knobs: dict


class Tuner:
    def __init__(self):
        self.tuning = Tuning({name: torch.ones(4, requires_grad=True) for name in "ab"})

    def refine(self):
        knobs = self.tuning.knobs
        slopes = torch.autograd.grad(sum(map(torch.sum, knobs.values())), list(knobs.values()))
        self.tuning = self.turned(dict(zip(knobs, slopes, strict=True)))  # <- by a tuner

    def turned(self, slopes):
        turned = {key: knob - 0.1 * slopes[key] for key, knob in self.tuning.knobs.items()}
        return replace(self.tuning, knobs=turned)  # <- graph-chain by a tuner


def by_a_frozen_record_of_weights():
    """graph-chain | tuner.tuning.knobs | words"""
    tuner = Tuner()
    for _ in range(STEPS):
        tuner.refine()


class RateTuner:
    """Learns its step size on the fly, and goes on from the weights that it has moved."""

    def __init__(self):
        self.weights = torch.zeros(4, requires_grad=True)
        self.rate = torch.full((4,), -2.5, requires_grad=True)
        self.optimizer = torch.optim.SGD([self.rate], 0.01)

    def tick(self, x):
        gap = (x @ self.weights - 1).square().mean()
        (slope,) = torch.autograd.grad(gap, self.weights, create_graph=True)
        moved = self.weights - self.rate.exp() * slope
        self.optimizer.zero_grad()
        (x @ moved - 1).square().mean().backward(retain_graph=True)
        self.optimizer.step()
        self.settle(moved)

    def settle(self, moved):
        self.weights = moved  # <- what a comprehension runs again and again


def by_rounds_of_a_comprehension():
    """graph-chain | tuner.weights | words"""
    tuner = RateTuner()
    ran = [tuner.tick(torch.randn(8, 4)) for _ in range(STEPS)]
    assert len(ran) == STEPS


class Unrolled:
    """Gradient descent that can be differentiated; a window is begun with copies, graph and all."""

    def __init__(self):
        self.rate = nn.Parameter(torch.tensor(-3.0))
        self.point, self.speed = torch.zeros(4, requires_grad=True), torch.zeros(4)

    def begin(self):
        self.point = self.point.clone()  # <- graph-chain
        self.speed = self.speed.clone()  # <- graph-chain

    def descend(self, x):
        loss = (x * self.point - 1).pow(2).mean()
        (grad,) = torch.autograd.grad(loss, self.point, create_graph=True)
        self.speed = 0.9 * self.speed + grad
        self.point = self.point - self.rate.exp() * self.speed


def by_copies_at_the_beginning_of_a_window():
    """graph-chain | unrolled.speed | words"""
    unrolled = Unrolled()
    optimizer = torch.optim.SGD([unrolled.rate], 0.001)
    for number in range(STEPS):
        if number % 4 == 0:
            unrolled.begin()
        unrolled.descend(torch.randn(4))
        optimizer.zero_grad()
        (torch.randn(4) * unrolled.point).pow(2).mean().backward(retain_graph=True)
        optimizer.step()


def linear_loss(x, weights):
    return nn.functional.linear(x, *weights).pow(2).mean()


def by_weights_that_are_walked_twice():
    """graph-chain | fast | words"""
    fast = list(nn.Linear(4, 1).parameters())
    for _ in range(STEPS):
        x = torch.randn(8, 4)
        grads = torch.autograd.grad(linear_loss(x, fast), fast)
        fast = [w - 0.1 * g for w, g in zip(fast, grads, strict=True)]  # <- graph-chain
        linear_loss(x, fast).backward()


def by_weights_of_an_optimizer_that_never_steps():
    """graph-chain | fast | words"""
    model = nn.Linear(4, 1)
    optimizer, fast = torch.optim.SGD(model.parameters(), 0.1), list(model.parameters())
    for _ in range(2 * STEPS):
        x = torch.randn(8, 4)
        optimizer.zero_grad()
        grads = torch.autograd.grad(linear_loss(x, fast), fast)
        fast = [w - 0.1 * g for w, g in zip(fast, grads, strict=True)]  # <- graph-chain
        linear_loss(x, fast).backward()


def by_adapted_weights_that_never_begin_again():
    """graph-chain | adapted_weights | words"""
    torch.manual_seed(0)
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    adapted_weights = {name: weight.clone() for name, weight in model.named_parameters()}
    for _ in range(STEPS):
        fitted = torch.func.functional_call(model, adapted_weights, torch.randn(8, 4)).square()
        slopes = torch.autograd.grad(fitted.mean(), list(adapted_weights.values()))
        pairs = zip(adapted_weights.items(), slopes, strict=True)
        adapted_weights = {k: w - 0.1 * slope for (k, w), slope in pairs}  # <-
        optimizer.zero_grad()
        judged = torch.func.functional_call(model, adapted_weights, torch.randn(8, 4))
        judged.square().mean().backward(retain_graph=True)
        optimizer.step()


def by_detached_weights_that_a_learned_rate_moves():
    """graph-chain | nimble_weights | words"""
    torch.manual_seed(0)
    model, rate = nn.Linear(4, 1), nn.Parameter(torch.tensor(0.1))
    optimizer = torch.optim.SGD([rate], 0.01)
    nimble_weights = {k: w.detach().clone().requires_grad_() for k, w in model.named_parameters()}
    for _ in range(STEPS):
        fitted = torch.func.functional_call(model, nimble_weights, torch.randn(8, 4)).square()
        slopes = torch.autograd.grad(fitted.mean(), list(nimble_weights.values()))
        pairs = zip(nimble_weights.items(), slopes, strict=True)
        nimble_weights = {k: w - rate * slope for (k, w), slope in pairs}  # <-
        optimizer.zero_grad()
        judged = torch.func.functional_call(model, nimble_weights, torch.randn(8, 4))
        judged.square().mean().backward(retain_graph=True)
        optimizer.step()


@dataclass(frozen=True)
class Trained:
    weights: dict
    moments: dict
    step: int


def _trained(state, x):
    loss = (x @ state.weights["w"] + state.weights["b"]).pow(2).mean()
    gradients = torch.autograd.grad(loss, list(state.weights.values()))
    pairs = zip(state.weights, gradients, strict=True)
    moments = {k: 0.9 * state.moments[k] + g for k, g in pairs}
    weights = {k: w - 0.01 * moments[k] for k, w in state.weights.items()}  # <- graph-chain, anew
    return Trained(weights, moments, state.step + 1), loss.item()


def by_a_state_that_a_step_hands_back():
    """graph-chain | state.weights | words"""
    torch.manual_seed(0)
    weights = {"w": torch.randn(4, requires_grad=True), "b": torch.zeros(1, requires_grad=True)}
    state = Trained(weights, {k: torch.zeros_like(w) for k, w in weights.items()}, 0)
    for _ in range(STEPS):
        state, _loss = _trained(state, torch.randn(8, 4))


class Fitted(NamedTuple):
    step: int
    weights: dict
    moments: dict


def _gradients(weights, x):
    loss = (x @ weights["w"] + weights["b"]).pow(2).mean()
    slopes = torch.autograd.grad(loss, list(weights.values()))
    return loss.item(), dict(zip(weights, slopes, strict=True))


def _applied(state, slopes):
    weights, moments = {}, {}
    for name, slope in slopes.items():
        moments[name] = 0.9 * state.moments[name] + slope
        weights[name] = state.weights[name] - 0.01 * moments[name]  # <- graph-chain, two calls away
    return state._replace(step=state.step + 1, weights=weights, moments=moments)


def _stepped(state, x):
    loss, slopes = _gradients(state.weights, x)
    new_state = _applied(state, slopes)
    return new_state, {"loss": loss}


def by_a_state_that_another_function_applies():
    """graph-chain | state | words"""
    torch.manual_seed(0)
    weights = {"w": torch.randn(4, requires_grad=True), "b": torch.zeros(1, requires_grad=True)}
    state = Fitted(0, weights, {k: torch.zeros_like(w) for k, w in weights.items()})
    for _ in range(STEPS):
        state, _logs = _stepped(state, torch.randn(8, 4))


def _reduced(carry, x):
    weights, moments = carry
    loss = (x @ weights["w"]).pow(2).mean()
    slopes = dict(zip(weights, torch.autograd.grad(loss, list(weights.values())), strict=True))
    moments = {k: 0.9 * moments[k] + slopes[k] for k in slopes}
    weights = {k: weights[k] - 0.01 * moments[k] for k in slopes}  # <- graph-chain, of a reduction
    return weights, moments


def by_a_reduction_over_batches():
    """graph-chain | carry | words"""
    torch.manual_seed(0)
    carry = ({"w": torch.randn(4, requires_grad=True)}, {"w": torch.zeros(4)})
    for _ in range(STEPS):
        carry = functools.reduce(_reduced, torch.randn(2, 8, 4), carry)
