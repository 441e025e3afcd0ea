"""Recurrent states that a loop carries into its next iteration with their graphs."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

import torch
from torch import nn

from ..common import STEPS


def a_carried_state():
    """second-backward | h | before"""
    torch.manual_seed(0)
    cell, h = nn.GRUCell(4, 8), torch.zeros(2, 8)
    optimizer = torch.optim.SGD(cell.parameters(), 0.01)
    for _ in range(STEPS):
        h = cell(torch.randn(2, 4), h)  # <-
        optimizer.zero_grad()
        h.pow(2).mean().backward()
        optimizer.step()


def two_carried_states():
    """second-backward | h | before"""
    torch.manual_seed(0)
    cell, h, c = nn.LSTMCell(4, 8), torch.zeros(2, 8), torch.zeros(2, 8)
    optimizer = torch.optim.SGD(cell.parameters(), 0.01)
    for _ in range(STEPS):
        h, c = cell(torch.randn(2, 4), (h, c))  # <-
        optimizer.zero_grad()
        h.pow(2).mean().backward()
        optimizer.step()


def a_carried_tuple():
    """second-backward | state | before"""
    torch.manual_seed(0)
    cell, state = nn.LSTMCell(4, 8), (torch.zeros(2, 8), torch.zeros(2, 8))
    optimizer = torch.optim.SGD(cell.parameters(), 0.01)
    for _ in range(STEPS):
        state = cell(torch.randn(2, 4), state)  # <-
        optimizer.zero_grad()
        state[0].pow(2).mean().backward()
        optimizer.step()


class FusedCell(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, h, c):
        mixed = torch.tanh(x + h)
        ctx.save_for_backward(mixed)
        return mixed + c, mixed * 0.5

    @staticmethod
    def backward(ctx, of_h, of_c):
        (mixed,) = ctx.saved_tensors
        of_mixed = (of_h + 0.5 * of_c) * (1 - mixed * mixed)
        return of_mixed, of_mixed, of_h


def two_carried_outputs_of_one_function():
    """second-backward | fused | before"""
    torch.manual_seed(0)
    model, fused, memory = nn.Linear(4, 8), torch.zeros(2, 8), torch.zeros(2, 8)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for _ in range(STEPS):
        fused, memory = FusedCell.apply(model(torch.randn(2, 4)), fused, memory)  # <-
        optimizer.zero_grad()
        fused.pow(2).mean().backward()
        optimizer.step()


class Spikes(NamedTuple):
    level: torch.Tensor
    current: torch.Tensor


class Neuron(nn.Module):
    def __init__(self):
        super().__init__()
        self.into = nn.Linear(4, 4)

    def step(self, x, state):
        current = 0.8 * state.current + self.into(x)
        level = 0.9 * state.level + 0.1 * current
        spike = torch.sigmoid(level)
        return spike, Spikes(level * (1 - spike.detach()), current)


def by_a_record_of_which_no_part_is_cut():
    """second-backward | state | words"""
    neuron = Neuron()
    optimizer = torch.optim.SGD(neuron.parameters(), lr=0.01)
    state = Spikes(torch.zeros(4), torch.zeros(4))
    for _ in range(STEPS):
        optimizer.zero_grad()
        shown, state = neuron.step(torch.randn(4), state)  # <-
        shown.sum().backward()
        optimizer.step()


def by_the_end_of_a_path_that_is_handed_on_after_the_step():
    """second-backward | last | replaced"""
    model = nn.Linear(2, 2)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)

    def walk(start):
        points = [start]
        for _ in range(3):
            points.append(points[-1] + model(points[-1]).tanh())
        return torch.stack(points)

    last = torch.zeros(2)
    for _ in range(STEPS):
        path = walk(last)
        loss = (path - 1).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        last = path[-1]  # <-


def by_a_state_made_behind_a_backward_now_and_then():
    """second-backward | state | before"""
    cell, head = nn.GRUCell(4, 3), nn.Linear(3, 1)
    optimizer = torch.optim.SGD([*cell.parameters(), *head.parameters()], 0.01)
    state, loss = torch.zeros(2, 3), 0.0
    for n in range(STEPS):
        loss = loss + head(state).pow(2).mean()
        if n % 4 == 3:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            loss = 0.0
        state = cell(torch.randn(2, 4), state)  # <-


def by_a_state_while_two_optimizers_step_by_turns():
    """second-backward | state | words"""
    torch.manual_seed(0)
    cell, head = nn.GRUCell(3, 4), nn.Linear(4, 1)
    of_cell = torch.optim.SGD(cell.parameters(), 0.01)
    of_head = torch.optim.SGD(head.parameters(), 0.01)
    state = torch.zeros(8, 4)
    for number in range(STEPS):
        state = cell(torch.randn(8, 3), state)  # <-
        loss = head(state).pow(2).mean()
        loss.backward()
        (of_cell if number % 2 else of_head).step()
        of_cell.zero_grad()
        of_head.zero_grad()


async def act(cell, states, steps):
    h = torch.zeros(2, 8)
    for _ in range(STEPS):
        h = cell(torch.randn(2, 4), h)  # <-
        await states.put(h)
        await steps.get()


async def learn(cell, states, steps):
    optimizer = torch.optim.SGD(cell.parameters(), 0.01)
    while True:
        state = await states.get()
        optimizer.zero_grad()
        state.pow(2).mean().backward()
        optimizer.step()
        await steps.put(True)


def a_state_carried_by_another_task():
    """second-backward | h | words"""
    torch.manual_seed(0)
    cell = nn.GRUCell(4, 8)

    async def both():
        states, steps = asyncio.Queue(), asyncio.Queue()
        await asyncio.gather(act(cell, states, steps), learn(cell, states, steps))

    asyncio.run(both())


def _losses(cell, head, steps):
    h, c = torch.zeros(2, 6), torch.zeros(2, 6)
    for _ in range(steps):
        h, c = cell(torch.randn(2, 4), (h, c))  # <- second-backward, of a generator's
        yield head(h).pow(2).mean()


def two_states_that_a_generator_carries_on():
    """second-backward | c | words"""
    torch.manual_seed(0)
    cell, head = nn.LSTMCell(4, 6), nn.Linear(6, 1)
    optimizer = torch.optim.SGD([*cell.parameters(), *head.parameters()], 0.01)
    for loss in _losses(cell, head, STEPS):
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class Team:
    def __init__(self):
        self.rating = torch.zeros(1)


def ratings_of_two_in_turn():
    """second-backward | - | replaced"""
    torch.manual_seed(0)
    pace = nn.Linear(3, 1)
    optimizer = torch.optim.SGD(pace.parameters(), 0.05)
    teams = [Team() for _ in range(3)]
    for number in range(STEPS):
        i, j = number % 3, (number + 1) % 3
        k = torch.sigmoid(pace(torch.randn(3)))
        p = torch.sigmoid(teams[i].rating - teams[j].rating + k)
        optimizer.zero_grad()
        p.pow(2).mean().backward()
        optimizer.step()
        teams[i].rating = teams[i].rating + k * p  # <-
        teams[j].rating = teams[j].rating - k * p  # <-


def _with_its_background(model, x, background):
    h = torch.tanh(model(x)).mean(0)
    background = 0.8 * background + 0.2 * h
    return h + background, background


def backgrounds_of_several_that_a_call_hands_back():
    """second-backward | backgrounds | words"""
    torch.manual_seed(0)
    model = nn.Linear(4, 6)
    optimizer = torch.optim.SGD(model.parameters(), 0.05)
    backgrounds = {name: torch.zeros(6) for name in ("north", "south")}
    for number in range(STEPS):
        name = ("north", "south")[number % 2]
        x, own = torch.randn(8, 4), backgrounds[name]
        out, backgrounds[name] = _with_its_background(model, x, own)  # <-
        optimizer.zero_grad()
        out.pow(2).mean().backward()
        optimizer.step()


def _driven(policy, x):
    while True:
        u = policy(x)
        x = 0.9 * x + 0.1 * u  # <- second-backward, of a generator that reads it twice
        yield x


def a_state_that_a_generator_reads_twice():
    """second-backward | x | words"""
    torch.manual_seed(0)
    policy = nn.Linear(3, 3)
    optimizer = torch.optim.SGD(policy.parameters(), 0.01)
    driven = _driven(policy, torch.randn(8, 3))
    for _ in range(STEPS):
        cost = sum(next(driven).pow(2).mean() for _ in range(3))
        optimizer.zero_grad()
        cost.backward()
        optimizer.step()


def _session(cell, head):
    state, said = (torch.zeros(2, 6), torch.zeros(2, 6)), None
    while True:
        x = yield said
        h, c = cell(x, state)
        said = head(h)
        state = (h, c)  # <- second-backward, of a session that is sent what comes


def states_that_a_session_packs():
    """second-backward | state | words"""
    torch.manual_seed(0)
    cell, head = nn.LSTMCell(4, 6), nn.Linear(6, 1)
    optimizer = torch.optim.SGD([*cell.parameters(), *head.parameters()], 0.01)
    session = _session(cell, head)
    next(session)
    for _ in range(STEPS):
        optimizer.zero_grad()
        session.send(torch.randn(2, 4)).pow(2).mean().backward()
        optimizer.step()


class Player:
    def __init__(self):
        self.cell, self.hidden = nn.GRUCell(4, 6), torch.zeros(2, 6)

    def restore(self, kept):
        self.hidden = kept["hidden"]

    def detach(self):
        self.hidden = self.hidden.detach()

    def play(self, x):
        self.hidden = self.cell(x, self.hidden)
        return self.hidden.pow(2).mean()


def a_state_that_is_restored_after_it_is_cut():
    """second-backward | kept['hidden'] | words"""
    torch.manual_seed(0)
    player = Player()
    optimizer = torch.optim.SGD(player.cell.parameters(), 0.01)
    kept = {"hidden": player.hidden}
    for _ in range(STEPS):
        player.detach()
        player.restore(kept)
        loss = player.play(torch.randn(2, 4))
        kept = {"hidden": player.hidden}  # <-
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def by_a_state_that_each_round_gives_another_name():
    """second-backward | hidden | replaced"""
    torch.manual_seed(0)
    cell, head = nn.GRUCell(2, 4), nn.Linear(4, 1)
    optimizer = torch.optim.SGD([*cell.parameters(), *head.parameters()], 0.01)
    hidden = torch.zeros(8, 4)
    for _ in range(STEPS):
        h = hidden
        for step in torch.randn(3, 8, 2):
            h = cell(step, h)
        optimizer.zero_grad()
        head(h).pow(2).mean().backward()
        optimizer.step()
        hidden = h  # <-


def by_a_state_of_each_player_in_a_dict_of_its_own():
    """second-backward | states['a'] | replaced"""
    torch.manual_seed(0)
    cell, head = nn.GRUCell(4, 8), nn.Linear(8, 1)
    optimizer = torch.optim.SGD([*cell.parameters(), *head.parameters()], 0.01)
    states = {"a": {"h": None}, "b": {"h": None}}
    for number in range(STEPS):
        player = "ab"[number % 2]
        h = cell(torch.randn(2, 4), states[player]["h"])
        states[player]["h"] = h  # <-
        optimizer.zero_grad()
        head(h).pow(2).mean().backward()
        optimizer.step()
