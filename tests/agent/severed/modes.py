"""Blocks, decorators and switches that turn gradients off, and two that do not."""

from __future__ import annotations

import contextlib
import functools

import torch
from torch import nn
from torch.nn.functional import mse_loss
from torch.utils.checkpoint import checkpoint

from .common import data


class Critic:
    def __init__(self):
        self.value = nn.Linear(4, 1)

    @torch.no_grad()  # <- a_method_that_is_decorated
    def evaluate(self, x):
        return self.value(x).squeeze(1)

    def update(self, x, target):
        error = target - self.evaluate(x)
        loss = error.pow(2).mean()
        loss.backward()


def a_method_that_is_decorated():
    Critic().update(torch.randn(8, 4), torch.randn(8))


def a_block_without_gradients():
    net = nn.Linear(4, 1)
    x, y = data()
    with torch.inference_mode():  # <-
        out = net(x)
    loss = mse_loss(out.clone(), y)
    loss.backward()


def a_phase_that_is_told_wrongly():
    net = nn.Linear(4, 1)
    phase = "training"
    x, y = data()
    with torch.set_grad_enabled(phase == "train"):  # <-
        loss = mse_loss(net(x), y)
        loss.backward()


def validate(net):
    torch.set_grad_enabled(False)  # <- gradients_that_stay_off
    return net(torch.randn(8, 4)).mean().item()


def gradients_that_stay_off():
    net = nn.Linear(4, 1)
    try:
        for _ in range(2):
            x, y = data()
            loss = mse_loss(net(x), y)
            loss.backward()
            validate(net)
    finally:
        torch.set_grad_enabled(True)


def batches(net):
    with torch.no_grad():  # <- a_generator_that_waits_in_the_block
        for _ in range(3):
            x, y = data()
            yield x, y, net(x)


def a_generator_that_waits_in_the_block():
    net, teacher = nn.Linear(4, 1), nn.Linear(4, 1)
    try:
        for x, _, soft in batches(teacher):
            loss = mse_loss(net(x), soft)
            loss.backward()
    finally:
        torch.set_grad_enabled(True)


def an_entered_context():
    net = nn.Linear(4, 1)
    with contextlib.ExitStack() as stack:
        stack.enter_context(torch.no_grad())  # <-
        x, y = data()
        loss = mse_loss(net(x), y)
        loss.backward()


def a_reentrant_checkpoint():
    net = nn.Linear(4, 1)
    x, y = data()
    out = checkpoint(net, x, use_reentrant=True)  # <-
    loss = mse_loss(out, y)
    loss.backward()


def rollout(policy, steps):
    with torch.no_grad():  # <- a_rollout_that_is_trained_on
        states = [torch.randn(1, 4)]
        for _ in range(steps):
            states.append(policy(states[-1]))
    return torch.cat(states)


def a_rollout_that_is_trained_on():
    policy = nn.Linear(4, 4)
    path = rollout(policy, 3)
    cost = path.norm(dim=1).sum()
    cost.backward()


def timed(function):
    @functools.wraps(function)
    def timing(*args):
        with torch.inference_mode():  # <- what_a_decorator_of_ones_own_does
            return function(*args)

    return timing


class Sonar(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 1)

    @timed
    def forward(self, x):
        return self.layer(x)


def what_a_decorator_of_ones_own_does():
    net = Sonar()
    x, y = data()
    loss = mse_loss(net(x).clone(), y.clone())
    loss.backward()


class Predictor(nn.Module):
    def __init_subclass__(cls):
        super().__init_subclass__()
        plain = cls.forward
        quiet = torch.no_grad()(plain)  # <- a_mode_that_a_base_class_lays_around
        cls.forward = functools.wraps(plain)(quiet)


class Solubility(Predictor):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 1)

    def forward(self, x):
        return self.layer(x)


def a_mode_that_a_base_class_lays_around():
    net = Solubility()
    x, y = data()
    loss = mse_loss(net(x), y)
    loss.backward()


@contextlib.contextmanager
def quietly():
    with torch.no_grad():  # <- a_context_of_ones_own
        yield


def a_context_of_ones_own():
    net = nn.Linear(4, 1)
    x, y = data()
    with quietly():
        out = net(x)
    loss = mse_loss(out, y)
    loss.backward()


def a_context_by_name():
    net = nn.Linear(4, 1)
    x, y = data()
    mode = torch.no_grad()
    with mode:  # <-
        out = net(x)
    loss = mse_loss(out, y)
    loss.backward()


class Frozen:
    quiet = True

    def __init__(self):
        self.net, self.kept = nn.Linear(4, 1), torch.no_grad()

    @property
    def mode(self):
        return torch.inference_mode()

    def context(self):
        return torch.no_grad() if self.quiet else contextlib.nullcontext()

    def by_an_attribute(self, x):
        with self.kept:  # <- a_context_in_an_attribute
            return self.net(x).clone()

    def by_a_property(self, x):
        with self.mode:  # <- a_context_that_a_property_hands_out
            return self.net(x).clone()

    def by_a_method(self, x):
        with self.context():  # <- a_context_that_a_method_hands_out
            return self.net(x).clone()

    def by_a_choice(self, x):
        with torch.no_grad() if self.quiet else contextlib.nullcontext():  # <- a_choice_of_contexts
            return self.net(x).clone()

    def by_two_flags(self, x):
        with torch.set_grad_enabled(self.net.training and not self.quiet):  # <- a_mode_by_two_flags
            return self.net(x).clone()


def walked_through(forward):
    x, y = data()
    loss = mse_loss(forward(x), y)
    loss.backward()


def a_context_in_an_attribute():
    walked_through(Frozen().by_an_attribute)


def a_context_that_a_property_hands_out():
    walked_through(Frozen().by_a_property)


def a_context_that_a_method_hands_out():
    walked_through(Frozen().by_a_method)


def a_choice_of_contexts():
    walked_through(Frozen().by_a_choice)


def a_mode_by_two_flags():
    walked_through(Frozen().by_two_flags)


def gradients_on_again_within_the_block():
    net = nn.Linear(4, 1)
    x, y = data()
    with torch.no_grad(), torch.enable_grad():
        loss = mse_loss(net(x).detach(), y)  # <-
    loss.backward()


class Mode:
    def __init__(self, *, on):
        self.on = on

    def __enter__(self):
        self.before = torch.is_grad_enabled()
        torch.set_grad_enabled(self.on)

    def __exit__(self, *_):
        torch.set_grad_enabled(self.before)


def within_a_mode_that_switches_nothing_off():
    net = nn.Linear(4, 1)
    x, y = data()
    with Mode(on=True):
        out = net(x).detach()  # <-
    loss = mse_loss(out, y)
    loss.backward()
