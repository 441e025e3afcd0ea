"""Hooks and handlers, which keep what they know and store what they are shown."""

from __future__ import annotations

import collections
import functools

import torch
from torch import nn

from ..common import STEPS, Handlers, job


def by_a_hook_with_a_partial():
    """graph-held | features | words"""
    torch.manual_seed(0)
    model, features = nn.Linear(4, 3), []
    optimizer = torch.optim.SGD(model.parameters(), 0.01)

    def keep(into, module, inputs, output):
        into.append(output)  # <-

    model.register_forward_hook(functools.partial(keep, features))
    for _ in range(STEPS):
        optimizer.zero_grad()
        model(torch.randn(8, 4)).pow(2).mean().backward()
        optimizer.step()


def by_a_hook_on_a_weight():
    """graph-held | model.scale | words"""
    torch.manual_seed(0)
    model = nn.Linear(4, 3)
    model.scale = nn.Parameter(torch.ones(()))
    optimizer = torch.optim.SGD(model.parameters(), 0.01)

    def watch(weight, scores):
        def on_grad(gradient):
            return gradient.clamp(max=float(scores.std()) + 1.0)

        weight.register_hook(on_grad)  # <-

    for _ in range(STEPS):
        scores = model(torch.randn(8, 4)) * model.scale
        watch(model.scale, scores)
        optimizer.zero_grad()
        scores.pow(2).mean().backward()
        optimizer.step()


def by_hooks_that_are_partials():
    """graph-held | model.weight | words"""
    torch.manual_seed(0)
    model = nn.Linear(4, 3)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)

    def note(found, gradient):
        return None if found.shape == gradient.shape else gradient

    for _ in range(STEPS):
        found = model(torch.randn(8, 4))
        model.weight.register_hook(functools.partial(note, found))  # <-
        optimizer.zero_grad()
        found.pow(2).mean().backward()
        optimizer.step()


class Trainer:
    def __init__(self):
        self.net = nn.Linear(4, 2)
        self.optimizer = torch.optim.Adam(self.net.parameters())

    def step(self):
        loss = self.net(torch.ones(2, 4)).pow(2).sum()
        self.net.weight.register_hook(lambda g: g * (loss > 0))  # <- graph-held by hooks
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


def by_hooks_on_a_weight_that_an_optimizer_knows():
    """graph-held | trainer.net.weight | words"""
    trainer = Trainer()
    for _ in range(STEPS):
        trainer.step()


class Probe:
    """Makes hooks, which another function registers."""

    def __init__(self):
        self.latest = 0.0

    def made_for(self, loss):
        def probe(grad):
            self.latest = grad.norm().item() / loss.item()

        return probe


def hang_up(weight, hook_of_a_probe):
    weight.register_hook(hook_of_a_probe)  # <-


def by_a_hook_that_one_function_makes_and_another_registers():
    """graph-held | probed | words"""
    torch.manual_seed(0)
    probed, probe = torch.ones(4, requires_grad=True), Probe()
    optimizer = torch.optim.SGD([probed], 0.01)
    for _ in range(STEPS):
        loss = (probed - torch.randn(4)).pow(2).sum()
        hang_up(probed, probe.made_for(loss))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def by_a_hook_after_the_gradient_has_come():
    """graph-held | late_probed | words"""
    torch.manual_seed(0)
    late_probed, notes = torch.ones(4, requires_grad=True), {}
    optimizer = torch.optim.SGD([late_probed], 0.01)
    for _ in range(STEPS):
        loss = (late_probed - torch.randn(4)).pow(2).sum()

        def note_late(_, of=loss):
            notes.update(last=of.item())

        late_probed.register_post_accumulate_grad_hook(note_late)  # <-
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def by_a_hook_from_whose_list_the_loss_takes_the_newest():
    """graph-held | tapped | replaced"""
    body, tapped = nn.Sequential(nn.Linear(4, 4), nn.Tanh()), collections.defaultdict(list)

    def tap(place):
        taps_here = tapped[place]

        def listen(_layer, _given, out):
            taps_here.append(out)  # <-

        return listen

    for place, layer in enumerate(body):
        layer.register_forward_hook(tap(place))
    optimizer = torch.optim.SGD(body.parameters(), 0.01)
    for _ in range(STEPS):
        body(torch.randn(8, 4))
        loss = sum(tapped[place][-1].pow(2).mean() for place in range(2))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert tapped[0][-1].requires_grad


class Gathers:
    def __init__(self):
        self.seen = []

    def update(self, loss):
        self.seen.append(loss)  # <- graph-held by what only a handler leads to

    def attach(self, bus):
        bus.handlers[Gathers].append((self.update, ()))


def by_what_only_a_handler_leads_to():
    """graph-held | self.seen | words"""
    step, bus = job(), Handlers()
    Gathers().attach(bus)
    for _ in range(STEPS):
        bus.fire(Gathers, step())


class Taps(nn.Module):
    """A frozen trunk, of which the loss reads what two layers gave last."""

    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 4)).requires_grad_(
            requires_grad=False
        )
        self.taps, self.features = (0, 1), []
        for each in self.taps:
            self.trunk[each].register_forward_hook(self.save)

    def save(self, layer, given, output):
        self.features.append(output)  # <- by_features_of_which_the_newest_are_trained_through

    def forward(self, x):
        self.trunk(x)
        return self.features[-len(self.taps) :]


def by_features_of_which_the_newest_are_trained_through():
    """graph-held | taps.features | words"""
    torch.manual_seed(0)
    model, taps = nn.Linear(4, 4), Taps()
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for _ in range(STEPS):
        low, high = taps(model(torch.randn(3, 4)))
        optimizer.zero_grad()
        (low.pow(2).mean() + high.pow(2).mean()).backward()
        optimizer.step()


class Seen:
    """Lists what each layer gives; the loss takes the newest."""

    def __init__(self, model):
        self.given_by = {}
        for name, layer in model.named_children():
            layer.register_forward_hook(self.sees(name))

    def sees(self, name):
        def hook(_layer, _given, out):
            self.given_by.setdefault(name, []).append(out)  # <- by_what_each_layer_gives

        return hook

    def newest(self):
        return {name: outs[-1] for name, outs in self.given_by.items()}


def by_what_each_layer_gives():
    """graph-held | seen.given_by | words"""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1))
    optimizer, seen = torch.optim.SGD(model.parameters(), 0.01), Seen(model)
    for _ in range(STEPS):
        loss = model(torch.randn(8, 4)).pow(2).mean()
        loss = loss + sum(out.abs().mean() for out in seen.newest().values())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class ByPlace:
    def __init__(self, model, places):
        for place in places:
            model[place].register_forward_hook(functools.partial(self.tap, f"{place}"))
        self.seen = {f"{place}": [] for place in places}

    def tap(self, place, module, inputs, output):
        self.seen[place].append(output)  # <-


def by_taps_of_which_one_is_never_read():
    """graph-held | taps.seen['2'] | words"""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 3))
    optimizer, taps = torch.optim.SGD(model.parameters(), 0.01), ByPlace(model, [0, 2])
    for _ in range(STEPS):
        loss = model(torch.randn(8, 4)).pow(2).mean() + taps.seen["0"].pop().pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class Occupancy:
    """What a layer gives, of which the last few are looked at."""

    def __init__(self):
        self.caught_outputs = []

    def catch(self, module, inputs, output):
        self.caught_outputs.append(output)  # <- by_outputs_of_which_the_last_few_are_looked_at

    def share(self, window=5):
        recent = self.caught_outputs[-window:]
        return sum((each > 0).float().mean().item() for each in recent)


def by_outputs_of_which_the_last_few_are_looked_at():
    """graph-held | occupancy.caught_outputs | words"""
    torch.manual_seed(0)
    model, occupancy = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 1)), Occupancy()
    model[0].register_forward_hook(occupancy.catch)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for _ in range(STEPS):
        optimizer.zero_grad()
        model(torch.randn(8, 4)).square().mean().backward()
        optimizer.step()
        occupancy.share()


def by_hooks_whose_handles_are_listed():
    """graph-held | activations | words"""
    torch.manual_seed(0)
    model, activations = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3)), {}
    optimizer = torch.optim.SGD(model.parameters(), 0.01)

    def record(kept_by_layer):
        handles = []
        for name, layer in model.named_children():
            handles.append(  # <-
                layer.register_forward_hook(
                    lambda m, x, out, name=name: kept_by_layer.setdefault(name, []).append(out)
                )
            )
        return handles

    record(activations)
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss = model(torch.randn(8, 4)).pow(2).mean()
        loss = loss + 0.1 * sum(outs[-1].abs().mean() for outs in activations.values())
        loss.backward()
        optimizer.step()
