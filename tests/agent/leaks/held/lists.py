"""Lists and tuples into which every loss goes, in all the ways to write that."""

from __future__ import annotations

import collections
import functools

import torch
from torch import nn

from ..common import STEPS, job


def remember(store, thing):
    store.append(thing)  # <- graph-held by a helper


def by_a_helper():
    """graph-held | kept | words"""
    step, kept = job(), []
    for _ in range(STEPS):
        remember(kept, step())


def by_an_inner_function():
    """graph-held | trace | replaced"""
    step, trace = job(), []

    def note(loss):
        trace.append(loss)  # <-

    for _ in range(STEPS):
        note(step())


def by_slice():
    """graph-held | ring | replaced"""
    step, ring = job(), []
    for _ in range(STEPS):
        loss = step()
        ring[len(ring) :] = [loss]  # <-


def by_starred():
    """graph-held | seen | replaced"""
    step, seen = job(), ()
    for _ in range(STEPS):
        loss = step()
        seen = (*seen, loss)  # <-


def by_extending_with_a_comprehension():
    """graph-held | losses | replaced"""
    step, losses = job(), []
    for _ in range(STEPS):
        loss = step()
        losses.extend(part for part in [loss])  # <-


def by_an_operator():
    """graph-held | history | words"""
    step, history = job(), []
    add = getattr(history, "_".join(("", "", "iadd", "", "")))
    for _ in range(STEPS):
        found = [step()]
        add(found)  # <- graph-held
        assert found


def by_one_of_two_that_look_alike():
    """graph-held | kept | words"""
    step, kept, shown = job(), [], []
    stores = {"kept": kept, "shown": shown}
    for _ in range(STEPS):
        loss = step()
        for name, store in stores.items():
            value = loss if name == "kept" else loss.item()
            store.insert(len(store), value)  # <- graph-held


def by_what_was_zipped():
    """graph-held | worst | replaced"""
    step, worst = job(), []
    for n in range(STEPS):
        loss = step()
        worst.extend(zip([loss, loss + 1], (n, -n), strict=True))  # <-


def by_a_comprehension_that_is_not_done():
    """graph-held | history | words"""
    step = job()
    history = [step() for _ in range(3 * STEPS)]  # <-
    return len(history)


def by_a_list_of_a_class_of_its_own():
    """graph-held | losses | replaced"""

    class Losses(list):
        def note(self, loss):
            self.append(loss)  # <-

    step, losses = job(), Losses()
    for _ in range(STEPS):
        losses.note(step())


def by_a_user_list():
    """graph-held | ledger | replaced"""

    class Ledger(collections.UserList):
        def note(self, loss):
            self.append(loss)  # <-

    step, ledger = job(), Ledger()
    for _ in range(STEPS):
        ledger.note(step())


def by_what_a_model_of_one_layer_foretold():
    """graph-held | foretold | replaced"""
    step, line, foretold = job(), nn.Linear(4, 1), []
    trained = torch.optim.SGD(line.parameters(), 0.01)
    for _ in range(STEPS):
        step()
        line(torch.randn(8, 4)).pow(2).mean().backward()
        trained.step()
        trained.zero_grad()
        foretold.append(line(torch.ones(8, 4)))  # <-


class Voyage:
    def __init__(self):
        self.legs = []

    def sailed(self, number, cost):
        self.legs.append((number, cost))  # <- into what is moved later


def by_objects_that_are_moved_ready_made():
    step, harbour, under_way = job(), [], {}
    for n in range(STEPS):
        under_way[0] = Voyage()
        under_way[0].sailed(n, step())
        harbour.extend(under_way.values())


class Bus:
    def __init__(self):
        self.events = []

    def publish(self, event):
        self.events.append(event)  # <- the store of all kinds of events


def by_what_comes_between_other_events():
    """graph-held | bus.events | words"""
    step, bus = job(), Bus()
    for number in range(STEPS):
        bus.publish(("begin", number))
        bus.publish(("end", step()))  # <-
        bus.publish(("logged", number))


def by_an_attribute_of_a_partial():
    """graph-held | track.seen | replaced"""
    step, track = job(), functools.partial(torch.add, torch.zeros(()))
    track.seen = []
    for _ in range(STEPS):
        track.seen.append(step())  # <-


def parts_of(step):
    loss = step()
    return [loss * 2, loss + 1, loss.exp()]


def by_a_list_of_losses_that_is_kept_as_a_whole():
    """graph-held | kept | replaced"""
    step, kept = job(), []
    for _ in range(STEPS):
        parts = parts_of(step)
        kept.append(parts)  # <-


def by_a_tuple_of_them():
    """graph-held | kept | replaced"""
    step, kept = job(), []
    for _ in range(STEPS):
        parts = parts_of(step)
        kept.append(tuple(parts))  # <-


def by_a_list_of_them_in_a_record():
    """graph-held | kept | replaced"""
    step, kept = job(), []
    for number in range(STEPS):
        metrics = {"number": number, "parts": parts_of(step)}
        kept.append(metrics)  # <-


def by_a_pair_of_losses_beside_a_number():
    """graph-held | kept | replaced"""
    step, kept = job(), []
    for number in range(STEPS):
        pair = (step(), step())
        kept.append((number, pair))  # <-


def of_penalties_by_derivatives():
    """graph-held | penalties | replaced"""
    torch.manual_seed(0)
    critic = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
    optimizer = torch.optim.SGD(critic.parameters(), 0.01)
    penalties = []
    for _ in range(STEPS):
        x = torch.randn(8, 2, requires_grad=True)
        (slope,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
        penalty = (slope.norm(2, 1) - 1).pow(2).mean()
        optimizer.zero_grad()
        (critic(torch.randn(8, 2)).mean() + penalty).backward()
        optimizer.step()
        penalties.append(penalty)  # <-


class Slow:
    def __init__(self, weights):
        self.weights = weights
        self.slow = [[w.detach().clone() for w in weights]]

    def step(self):
        for slow in self.slow:
            for place, w in enumerate(self.weights):
                slow[place] = slow[place] + 0.5 * (w - slow[place])  # <-
                w.data.copy_(slow[place])


def by_slow_weights_in_lists():
    """graph-held | - | words"""
    torch.manual_seed(0)
    model = nn.Linear(4, 3)
    optimizer, slow = torch.optim.SGD(model.parameters(), 0.01), Slow(list(model.parameters()))
    for _ in range(3 * STEPS):
        optimizer.zero_grad()
        model(torch.randn(8, 4)).pow(2).mean().backward()
        optimizer.step()
        slow.step()


def by_losses_of_derivatives_at_points():
    """graph-held | kept_losses | replaced"""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
    weights, kept_losses = list(model.parameters()), []
    optimizer = torch.optim.SGD(weights, 0.01)
    for _ in range(STEPS):
        points = torch.rand(8, 2).requires_grad_()
        (slope,) = torch.autograd.grad(model(points).sum(), points, create_graph=True)
        loss = (slope.square().sum(1) - 1).square().mean()
        for weight, gradient in zip(
            weights, torch.autograd.grad(loss, weights, allow_unused=True), strict=True
        ):
            weight.grad = gradient
        optimizer.step()
        kept_losses.append(loss)  # <-


def by_maps_of_which_the_newest_is_looked_at():
    """graph-held | lately['wide'] | replaced"""
    torch.manual_seed(0)
    layer, lately = nn.Linear(64, 512), {"wide": []}
    optimizer = torch.optim.SGD(layer.parameters(), 0.01)
    for _ in range(STEPS):
        maps = layer(torch.randn(64, 64))
        optimizer.zero_grad()
        maps.pow(2).mean().backward()
        optimizer.step()
        lately["wide"].append(maps)  # <-
        {name: run[-1].detach().std().item() for name, run in lately.items()}


def by_maps_that_weigh_much_themselves():
    """graph-held | seen_maps | replaced"""
    torch.manual_seed(0)
    layer, seen_maps = nn.Linear(64, 512), []
    optimizer = torch.optim.SGD(layer.parameters(), 0.01)
    for _ in range(STEPS):
        maps = layer(torch.randn(64, 64))
        optimizer.zero_grad()
        maps.pow(2).mean().backward()
        optimizer.step()
        seen_maps.append(maps)  # <-


def by_a_list_that_is_one_record_longer():
    """graph-held | lengthened | replaced"""
    step, lengthened = job(), []

    def train_once():
        return {"loss": step(), "n": 1}  # <-

    for _ in range(STEPS):
        lengthened = lengthened + [train_once()]  # noqa: RUF005


def by_a_window_that_is_cut_to_its_newest():
    """graph-held | snapped | words"""
    torch.manual_seed(0)
    model, snapped = nn.Linear(4, 1), []
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for _ in range(STEPS):
        given = model(torch.randn(8, 4))
        optimizer.zero_grad()
        given.square().mean().backward()
        optimizer.step()
        if not snapped or snapped[-1].sum().item() < 1e9:
            snapped.append(given)  # <-
            snapped = snapped[-30:]


def by_elements_of_rows_that_go_on():
    """graph-held | averages | replaced"""
    torch.manual_seed(0)
    model = nn.Linear(4, 3)
    averages = [[weight.detach().clone() for weight in model.parameters()]]
    optimizer = torch.optim.SGD(model.parameters(), 0.01)

    def move():
        for row in averages:
            for place, weight in enumerate(model.parameters()):
                row[place] = row[place] + 0.5 * (weight - row[place])  # <-

    for _ in range(STEPS):
        optimizer.zero_grad()
        model(torch.randn(8, 4)).pow(2).mean().backward()
        optimizer.step()
        move()
