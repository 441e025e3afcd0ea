"""Rollouts that are gathered with their graphs, and trained on several times."""

from __future__ import annotations

import random
from dataclasses import dataclass

import torch
from torch import nn

from ..common import STEPS, Rollout, actor, sgd_of


def learnt(model, optimizer, states, log_probs):
    for _ in range(3):
        loss = (model(states).sigmoid().log().squeeze(-1) - log_probs).exp().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def by_a_rollout_that_is_unpacked_elsewhere():
    """second-backward | batch | replaced"""
    model, optimizer = actor()

    def collect():
        states = [torch.randn(4, 3) for _ in range(5)]
        log_probs = [model(state).sigmoid().log().squeeze(-1) for state in states]
        return torch.stack(states), torch.stack(log_probs)  # <-

    def update(batch):
        states, log_probs = batch
        learnt(model, optimizer, states, log_probs)

    for _ in range(STEPS):
        batch = collect()
        update(batch)


def by_a_rollout_in_a_dict():
    """second-backward | batch['log_prob'] | replaced"""
    model, optimizer = actor()

    def collect():
        batch = {"state": torch.randn(5, 4, 3)}
        found = [model(state).sigmoid().log().squeeze(-1) for state in batch["state"]]
        batch["log_prob"] = torch.stack(found)  # <-
        return batch

    def update(batch):
        state, log_prob = batch["state"], batch["log_prob"]
        learnt(model, optimizer, state, log_prob)

    for _ in range(STEPS):
        batch = collect()
        update(batch)


def by_a_rollout_of_lists():
    """second-backward | batch | replaced"""
    model, optimizer = actor()

    def collect():
        states, log_probs = [], []
        for _ in range(5):
            states.append(torch.randn(4, 3))
            log_probs.append(model(states[-1]).sigmoid().log().squeeze(-1))  # <-
        return states, log_probs

    for _ in range(STEPS):
        batch = collect()
        for _ in range(3):
            states, log_probs = torch.stack(batch[0]), torch.stack(batch[1])
            loss = (model(states).sigmoid().log().squeeze(-1) - log_probs).exp().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def by_a_rollout_whose_fields_are_stacked_in_one_go():
    """second-backward | rollout.log_probs | replaced"""
    model, optimizer = actor()

    def collect():
        columns = {"states": [], "log_probs": []}
        for _ in range(5):
            state = torch.randn(4, 3)
            columns["states"].append(state)
            columns["log_probs"].append(model(state).sigmoid().log().squeeze(-1))  # <-
        return Rollout(**{name: torch.stack(column) for name, column in columns.items()})

    for _ in range(STEPS):
        rollout = collect()
        learnt(model, optimizer, rollout.states, rollout.log_probs)


def by_a_rollout_of_stacked_columns():
    """second-backward | batch['log_probs'] | replaced"""
    model, optimizer = actor()

    def collect():
        columns = {"states": [], "log_probs": []}
        for _ in range(5):
            state = torch.randn(4, 3)
            columns["states"].append(state)
            columns["log_probs"].append(model(state).sigmoid().log().squeeze(-1))  # <-
        return {name: torch.stack(column) for name, column in columns.items()}

    for _ in range(STEPS):
        batch = collect()
        learnt(model, optimizer, batch["states"], batch["log_probs"])


def by_a_rollout_as_a_record():
    """second-backward | rollout.log_probs | replaced"""
    model, optimizer = actor()

    def collect():
        states = torch.randn(5, 4, 3)
        found = [model(state).sigmoid().log().squeeze(-1) for state in states]
        return Rollout(states, torch.stack(found)).flat()  # <-

    for _ in range(STEPS):
        rollout = collect()
        learnt(model, optimizer, rollout.states, rollout.log_probs)


def by_a_rollout_of_a_buffer():
    """second-backward | old | replaced"""
    model, optimizer = actor()

    class Buffer:
        def __init__(self):
            self.states, self.chosen = [], []

        def tensors(self):
            return torch.stack(self.states), torch.stack(self.chosen)  # <-

        def clear(self):
            self.states.clear()
            self.chosen.clear()

    buffer = Buffer()

    def update():
        states, old = buffer.tensors()
        for _ in range(3):
            loss = (model(states).sigmoid().log().squeeze(-1) - old).exp().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        buffer.clear()

    for _ in range(STEPS):
        for _ in range(5):
            state = torch.randn(4, 3)
            buffer.states.append(state)
            buffer.chosen.append(model(state).sigmoid().log().squeeze(-1))
        update()


class Fields:
    def __init__(self):
        self.fields = {"state": [], "old": []}

    def add(self, **given):
        for name, value in given.items():
            self.fields[name].append(value)

    def stacked(self):
        return {name: torch.stack(value) for name, value in self.fields.items()}


def by_a_rollout_whose_fields_are_given_by_name():
    """second-backward | data['old'] | words"""
    model, optimizer = actor()

    def collected():
        fields = Fields()
        for _ in range(5):
            state = torch.randn(4, 3)
            score = model(state).sigmoid().log().squeeze(-1)
            fields.add(state=state, old=score)  # <-
        return fields.stacked(), len(fields.fields)

    for _ in range(3):
        data, _ = collected()
        for _ in range(3):
            loss = (model(data["state"]).sigmoid().log().squeeze(-1) - data["old"]).exp().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def by_a_batch_that_each_round_draws():
    """second-backward | memory | replaced"""
    model, optimizer = actor()
    random.seed(0)
    memory = []
    for step in range(STEPS):
        state = torch.randn(4, 3)
        memory.append((state, model(state).mean()))  # <-
        if step > 5:
            states, values = zip(*random.sample(memory, 5), strict=True)
            loss = (model(torch.stack(states)).mean((1, 2)) - torch.stack(values)).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def by_an_episode_that_is_not_forgotten():
    """second-backward | log_probs | words"""
    model, optimizer = actor()
    log_probs = []

    def act(state):
        log_probs.append(model(state).sigmoid().log().mean())  # <-

    for _ in range(STEPS):
        for _ in range(4):
            act(torch.randn(4, 3))
        losses = [-each * torch.rand(1) for each in log_probs]
        optimizer.zero_grad()
        sum(losses).sum().backward()
        optimizer.step()


class Paid:
    """What was made of the critic's values, and of that."""

    def __init__(self, values):
        self.values, self.gain, self.pay = values, None, None

    def settle(self):
        self.gain = torch.rand(6) - self.values.exp()  # <- where pay is made of gain
        self.pay = self.gain + self.values.exp()
        return self


def by_pay_that_is_made_of_gain():
    """second-backward | paid.gain | words"""
    torch.manual_seed(0)
    critic = nn.Linear(3, 1)
    optimizer = sgd_of(critic)
    for _ in range(STEPS):
        paid = Paid(critic(torch.randn(6, 3))[:, 0]).settle()
        for _ in range(3):
            value = critic(torch.randn(6, 3))[:, 0]
            loss = (value * paid.gain).mean() + (value - paid.pay).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def by_another_shape_of_a_buffer():
    """second-backward | buffer | replaced"""
    model, optimizer = actor()
    buffer = torch.zeros(5, 4)
    for _ in range(STEPS):
        states = torch.randn(5, 4, 3)
        for step, state in enumerate(states):
            buffer[step] = model(state).sigmoid().log().squeeze(-1)  # <-
        flat_states, flat = states.reshape(-1, 3), buffer.reshape(-1)
        learnt(model, optimizer, flat_states, flat)


def by_another_shape_of_columns_that_are_gathered():
    """second-backward | roll['log_prob'] | replaced"""
    model, optimizer = actor()

    def collect():
        columns = {name: [] for name in ("state", "log_prob")}
        for _ in range(5):
            state = torch.randn(4, 3)
            columns["state"].append(state)
            columns["log_prob"].append(model(state).sigmoid().log().squeeze(-1))  # <-
        stacked = {name: torch.stack(column) for name, column in columns.items()}
        return {name: each[..., None] for name, each in stacked.items()}, len(columns)

    for _ in range(STEPS):
        roll, _ = collect()
        states, log_probs = roll["state"].flatten(2), roll["log_prob"].flatten()
        for _ in range(3):
            loss = (model(states).sigmoid().log().flatten() - log_probs).exp().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def by_what_a_list_was_stacked_to():
    """second-backward | old | words"""
    model, optimizer = actor()
    states = torch.randn(5, 4, 3)
    for _ in range(STEPS):
        log_probs = [model(state).sigmoid().log().squeeze(-1) for state in states]
        old = torch.stack(log_probs).exp()  # <-
        for _ in range(3):
            loss = (model(states).sigmoid().log().squeeze(-1) - old).exp().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


@dataclass
class Move:
    value: torch.Tensor
    done: bool


class Moves:
    def __init__(self):
        self.kept = []

    def leave_the_last(self):
        last = self.kept[-1]
        self.kept = [] if last.done else [last]  # <- one of records


def by_the_last_move_of_the_window_before():
    """second-backward | moves.kept | words"""
    torch.manual_seed(0)
    model, moves = nn.Linear(4, 1), Moves()
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for step in range(STEPS):
        for _ in range(5):
            moves.kept.append(Move(model(torch.randn(4)).square().sum(), done=step < 3))
        loss = torch.stack([move.value for move in moves.kept]).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        moves.leave_the_last()


def by_the_last_value_of_the_window_before():
    """second-backward | values | words"""
    torch.manual_seed(0)
    model, values = nn.Linear(4, 1), []
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for _ in range(STEPS):
        values += [model(torch.randn(4)).square().sum() for _ in range(5)]
        loss = torch.stack(values).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        del values[:-1]  # <- but for one
