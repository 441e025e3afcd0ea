"""States of unlike parts, some of them nothing at first, and of some elements of a list."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import nn

from ..common import STEPS, sgd_of


def walked(optimizer, made, x):
    optimizer.zero_grad()
    (made - x).pow(2).mean().backward()
    optimizer.step()


class Stated(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(4, 4)
        self.stated = torch.zeros(4)

    def forward(self, x):
        self.stated = torch.tanh(0.9 * self.stated + self.mix(x).mean(0))  # <-
        return x + self.stated


def by_some_layers_of_a_stack():
    """second-backward | stack[6].stated | words"""
    torch.manual_seed(0)
    stack = nn.Sequential(nn.LayerNorm(4), *[Stated() for _ in range(6)], nn.Linear(4, 4))
    optimizer = sgd_of(stack)
    for _ in range(STEPS):
        x = torch.randn(8, 4)
        walked(optimizer, stack(x), x)


def by_one_list_of_a_dict_of_unlike_things():
    """second-backward | kept_in['hidden'] | words"""
    torch.manual_seed(0)
    cells = nn.ModuleList(nn.GRUCell(4, 4) for _ in range(2))
    optimizer, kept_in = sgd_of(cells), {"hidden": [None, None], "steps": 0}
    for _ in range(STEPS):
        made = x = torch.randn(8, 4)
        for place, cell in enumerate(cells):
            made = cell(made, kept_in["hidden"][place])
            kept_in["hidden"][place] = made  # <-
        kept_in["steps"] += 1
        walked(optimizer, made, x)


def by_a_tuple_of_unlike_things():
    """second-backward | whole_state | words"""
    torch.manual_seed(0)
    cell = nn.LSTMCell(4, 4)
    optimizer, whole_state = sgd_of(cell), ((torch.zeros(8, 4), torch.zeros(8, 4)), 0, None)
    for _ in range(STEPS):
        (h, c), count, extra = whole_state
        x = torch.randn(8, 4)
        h, c = cell(x, (h, c))
        whole_state = ((h, c), count + 1, extra)  # <-
        walked(optimizer, h, x)


def by_a_state_with_its_count():
    """second-backward | counted_state | words"""
    torch.manual_seed(0)
    cell = nn.GRUCell(4, 4)
    optimizer, counted_state = sgd_of(cell), (torch.zeros(8, 4), 0)
    for _ in range(STEPS):
        h, count = counted_state
        x = torch.randn(8, 4)
        h = cell(x, h)
        counted_state = (h, count + 1)  # <-
        walked(optimizer, h, x)


class Mixed(NamedTuple):
    layers: list
    context: torch.Tensor | None = None


class Mixing(nn.Module):
    def __init__(self):
        super().__init__()
        self.cells = nn.ModuleList(nn.GRUCell(4, 4) for _ in range(2))

    def forward(self, x, mixed):
        layers = []
        for cell, h in zip(self.cells, mixed.layers, strict=True):
            x = cell(x, h)
            layers.append(x)
        context = x if mixed.context is None else 0.5 * (mixed.context + x)
        return context, mixed._replace(layers=layers, context=context)


def by_a_record_of_a_tensor_beside_a_list():
    """second-backward | mixed_state | words"""
    torch.manual_seed(0)
    model, mixed_state = Mixing(), Mixed([None, None])
    optimizer = sgd_of(model)
    for _ in range(STEPS):
        x = torch.randn(8, 4)
        made, mixed_state = model(x, mixed_state)  # <-
        walked(optimizer, made, x)


@dataclass
class Guess:
    sample: torch.Tensor


@dataclass
class Belief:
    count: int
    guess: Guess | None = None


def believed(cell, x, belief):
    last = torch.zeros(8, 4) if belief.guess is None else belief.guess.sample
    return Belief(belief.count + 1, Guess(cell(x, last)))


def by_a_part_that_is_none_at_first():
    """second-backward | believes.guess.sample | words"""
    torch.manual_seed(0)
    cell, believes = nn.GRUCell(4, 4), Belief(0)
    optimizer = sgd_of(cell)
    for _ in range(STEPS):
        x = torch.randn(8, 4)
        believes = believed(cell, x, believes)  # <-
        walked(optimizer, believes.guess.sample, x)


class Averaged:
    def __init__(self):
        self.averages = None

    def take(self, weights):
        if self.averages is None:
            self.averages = [w.clone() for w in weights]
        else:
            self.averages = [(a + w) / 2 for a, w in zip(self.averages, weights, strict=True)]  # <-


def by_averages_that_are_taken_last():
    """second-backward | averaged.averages | words"""
    torch.manual_seed(0)
    model, averaged = nn.Linear(4, 4), Averaged()
    optimizer = sgd_of(model)
    for _ in range(STEPS):
        x = torch.randn(8, 4)
        apart = torch.zeros(())
        for average, weight in zip(averaged.averages or (), model.parameters(), strict=False):
            apart = apart + (average - weight).pow(2).sum()
        optimizer.zero_grad()
        ((model(x) - x).pow(2).mean() + apart).backward()
        optimizer.step()
        averaged.take(list(model.parameters()))


def by_slopes_that_are_first_taken_last():
    """second-backward | slopes_of | words"""
    torch.manual_seed(0)
    model, slopes_of = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1)), None
    optimizer, weights = sgd_of(model), list(model.parameters())
    for _ in range(STEPS):
        loss = model(torch.randn(8, 4)).pow(2).mean()
        slopes = torch.autograd.grad(loss, weights, create_graph=True)
        for slope, before in zip(slopes, slopes_of or (), strict=False):
            loss = loss + (slope - before).pow(2).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        added = zip(slopes, slopes_of or (), strict=False)
        slopes_of = [s + b for s, b in added] if slopes_of else slopes  # <-


def by_slopes_that_come_late():
    """second-backward | - | words"""
    torch.manual_seed(0)
    model, late = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1)), None
    optimizer, weights = sgd_of(model), list(model.parameters())
    for number in range(STEPS + 20):
        loss = model(torch.randn(8, 4)).pow(2).mean()
        slopes = torch.autograd.grad(loss, weights, create_graph=True)
        for slope, before in zip(slopes, late or (), strict=False):
            loss = loss + (slope - before).pow(2).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if number >= 20:
            added = zip(slopes, late or (), strict=False)
            late = [s + b for s, b in added] if late else slopes  # <-


class Entry:
    def __init__(self):
        self.stand, self.price = torch.zeros(3), None


def by_what_is_put_back_into_a_pool():
    """second-backward | entry.stand | words"""
    random.seed(0)
    torch.manual_seed(0)
    model, entries = nn.Linear(3, 3), [Entry() for _ in range(3)]
    optimizer = sgd_of(model)
    for _ in range(STEPS):
        picked = random.sample(entries, 3)
        x = torch.stack([entry.stand for entry in picked])
        for _ in range(2):
            x = torch.tanh(x + model(x) + 1)
        prices = x.pow(2).mean(1)
        optimizer.zero_grad()
        prices.mean().backward()
        optimizer.step()
        for entry, value, price in zip(picked, x, prices, strict=True):
            entry.stand, entry.price = value, price  # <-


def by_what_is_mixed_into_a_pool():
    """second-backward | one.stand | words"""
    random.seed(0)
    torch.manual_seed(0)
    model, entries = nn.Linear(3, 3), [Entry() for _ in range(3)]
    optimizer = sgd_of(model)
    for _ in range(STEPS):
        picked = random.choices(entries, k=3)
        made = torch.tanh(model(torch.stack([entry.stand for entry in picked])))
        optimizer.zero_grad()
        (made - 1).pow(2).mean().backward()
        optimizer.step()
        for one, value in zip(picked, made, strict=True):
            one.stand = 0.5 * one.stand + value  # <-


def by_dicts_of_a_pool_that_are_updated():
    """second-backward | places[0]['here'] | words"""
    random.seed(0)
    torch.manual_seed(0)
    model, places = nn.GRUCell(3, 3), [{"here": torch.zeros(3), "uses": 0} for _ in range(4)]
    optimizer = sgd_of(model)
    for number in range(STEPS):
        picked = random.sample(places, 4)
        made = model(torch.randn(4, 3), torch.stack([place["here"] for place in picked]))
        optimizer.zero_grad()
        (made - 1).pow(2).mean().backward()
        optimizer.step()
        for place, value in zip(picked, made, strict=True):
            place.update(here=value, uses=place["uses"] + 1, last=number)  # <-


@dataclass(frozen=True)
class Phase:
    angle: torch.Tensor
    turns: int


def by_a_frozen_record_of_a_file_that_replaces_none():
    """second-backward | phase.angle | before"""
    torch.manual_seed(0)
    turn, phase = nn.Linear(4, 4), Phase(torch.zeros(8, 4), 0)
    optimizer = sgd_of(turn)
    for _ in range(STEPS):
        x = torch.randn(8, 4)
        phase = Phase(torch.tanh(phase.angle + turn(x)), phase.turns + 1)  # <-
        walked(optimizer, phase.angle, x)


class Pulse:
    def __init__(self):
        self.beat, self.pair = torch.zeros(8, 4), (torch.zeros(8, 4), torch.zeros(8, 4))


def by_agents_with_a_state_and_a_loss_each():
    """second-backward | pulses['ann'].beat | before"""
    torch.manual_seed(0)
    agents = nn.ModuleDict({name: nn.GRUCell(4, 4) for name in ("ann", "bob")})
    pulses, optimizer = {name: Pulse() for name in agents}, sgd_of(agents)
    for _ in range(STEPS):
        x = torch.randn(8, 4)
        for name, agent in agents.items():
            pulse = pulses[name]
            pulse.beat = agent(x, pulse.beat)  # <-
            walked(optimizer, pulse.beat, x)


def by_agents_with_pairs_and_a_loss_each():
    """second-backward | players[0].pair | before"""
    torch.manual_seed(0)
    cells = nn.ModuleList(nn.LSTMCell(4, 4) for _ in range(2))
    players, optimizer = [Pulse() for _ in cells], sgd_of(cells)
    for _ in range(STEPS):
        x = torch.randn(8, 4)
        for player, cell in zip(players, cells, strict=True):
            player.pair = cell(x, player.pair)  # <-
            walked(optimizer, player.pair[0], x)


class Unannounced(nn.Module):
    def __init__(self):
        super().__init__()
        self.mixes = nn.GRUCell(4, 4)

    def forward(self, x):
        stood = getattr(self, "_stood", None)
        stood = self.mixes(x, torch.zeros(8, 4) if stood is None else stood)
        setattr(self, "_stood", stood)  # <- second-backward # noqa: B010 - as some write it
        return stood


def by_an_attribute_that_is_not_there_at_first():
    """second-backward | unannounced._stood | words"""
    torch.manual_seed(0)
    unannounced = Unannounced()
    optimizer = sgd_of(unannounced)
    for _ in range(STEPS):
        x = torch.randn(8, 4)
        walked(optimizer, unannounced(x), x)


class Shelf(nn.Module):
    def __init__(self):
        super().__init__()
        self.labels, self.shelved = nn.Linear(4, 4), torch.zeros(6, 4)

    def put_up(self, x):
        filled = self.shelved.clone()
        for place, label in enumerate(self.labels(x)):
            filled[place] = 0.5 * filled[place] + 0.5 * label
        self.shelved = filled  # <-

    def taken_down(self, places):
        return self.shelved[places]


def by_a_copy_that_is_filled_with_what_it_was():
    """second-backward | shelf.shelved | words"""
    torch.manual_seed(0)
    shelf = Shelf()
    optimizer = sgd_of(shelf)
    for _ in range(STEPS):
        shelf.put_up(torch.randn(6, 4))
        optimizer.zero_grad()
        (shelf.taken_down([0, 2]) - torch.randn(2, 4)).pow(2).mean().backward()
        optimizer.step()


class Tally:
    def __init__(self, optimizer):
        self.optimizer, self.tallied = optimizer, 0.0

    def reckon(self, cost, number):
        self.tallied = self.tallied + cost  # <-
        if number % 3 == 2:
            self.settle()

    def settle(self):
        self.optimizer.zero_grad()
        (self.tallied / 3).backward()
        self.optimizer.step()


def by_a_sum_that_another_method_walks():
    """second-backward | tally.tallied | words"""
    torch.manual_seed(0)
    model = nn.Linear(4, 4)
    tally = Tally(sgd_of(model))
    for number in range(STEPS):
        tally.reckon(model(torch.randn(8, 4)).tanh().pow(2).mean(), number)


class Tiers(nn.Module):
    def __init__(self):
        super().__init__()
        self.tiers = nn.ModuleList(nn.GRUCell(4, 4) for _ in range(2))
        for n in range(2):
            setattr(self, f"tier{n}", torch.zeros(8, 4))

    def forward(self, x):
        for n, tier in enumerate(self.tiers):
            x = tier(x, getattr(self, f"tier{n}"))
            setattr(self, f"tier{n}", x)  # <- second-backward under names made up at run time
        return x


def by_attributes_of_made_up_names_over_several_steps():
    """second-backward | tiers.tier1 | words"""
    torch.manual_seed(0)
    tiers = Tiers()
    optimizer = sgd_of(tiers)
    for _ in range(STEPS):
        steps = torch.randn(3, 8, 4)
        for n in range(3):
            reached = tiers(steps[n])
        optimizer.zero_grad()
        reached.pow(2).mean().backward()
        optimizer.step()


class Speller(nn.Module):
    def __init__(self):
        super().__init__()
        self.spelling = nn.GRUCell(4, 4)

    def forward(self, x, remembered):
        spelled = remembered.get("spelled")
        spelled = self.spelling(x, spelled) if spelled is not None else self.spelling(x)
        remembered["spelled"] = spelled  # <- second-backward, in a dict that it is handed
        return spelled


def by_a_key_of_a_dict_that_a_module_is_handed():
    """second-backward | remembered['spelled'] | words"""
    torch.manual_seed(0)
    speller, remembered = Speller(), {}
    optimizer = sgd_of(speller)
    for _ in range(STEPS):
        x = torch.randn(8, 4)
        walked(optimizer, speller(x, remembered), x)


class StatesBySeat:
    def __init__(self):
        self.by_seat = {}

    def of(self, seat, part):
        return self.by_seat.setdefault(seat, {}).get(part)

    def seat_down(self, seat, **parts):
        for part, state in parts.items():
            self.by_seat[seat][part] = state  # <-


def by_two_states_of_each_seat():
    """second-backward | states.by_seat['north'] | words"""
    quick, slow = nn.GRUCell(4, 8), nn.GRUCell(8, 3)
    optimizer = torch.optim.SGD([*quick.parameters(), *slow.parameters()], lr=0.01)
    states = StatesBySeat()
    for number in range(STEPS):
        seat = ("north", "south")[number % 2]
        first = quick(torch.randn(2, 4), states.of(seat, "first"))
        second = slow(first, states.of(seat, "second"))
        states.seat_down(seat, first=first.detach(), second=second)
        optimizer.zero_grad()
        second.pow(2).mean().backward()
        optimizer.step()


class Stations(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.by_station = nn.LSTMCell(4, 4), {}

    def measured(self, station, x):
        h, c = self.cell(x, self.by_station.get(station))
        self.by_station[station] = (h.detach(), c)  # <-
        return h


def by_a_tuple_under_a_key_that_is_made_up():
    """second-backward | stations.by_station | words"""
    torch.manual_seed(0)
    stations = Stations()
    optimizer = sgd_of(stations)
    for number in range(STEPS):
        x = torch.randn(8, 4)
        walked(optimizer, stations.measured(["north", "south"][number % 2], x), x)
