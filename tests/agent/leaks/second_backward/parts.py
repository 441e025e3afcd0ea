"""What goes on into the next loss by several names, or is put by beside what goes on itself."""

from __future__ import annotations

import collections

import torch
from torch import nn

from ..common import STEPS, sgd_of


def by_two_lists_that_a_sum_goes_through():
    """second-backward | - | replaced"""
    maker, judge = nn.Linear(4, 4), nn.Linear(4, 1)
    makes, judges = sgd_of(maker), sgd_of(judge)
    for _ in range(STEPS):
        state, seen, won = torch.randn(8, 4), [], []
        for _ in range(3):
            state = torch.tanh(maker(state))
            seen.append(state)
            won.append(state.pow(2).mean(1))
        makes.zero_grad()
        sum(won).mean().backward()
        makes.step()
        loss = sum((judge(s)[:, 0] - r).pow(2).mean() for s, r in zip(seen, won, strict=True))  # <-
        judges.zero_grad()
        loss.backward()
        judges.step()


class Paced:
    def __init__(self):
        self.recent = collections.deque(maxlen=5)

    def weights(self, losses):
        self.recent.append(losses)  # <-
        return torch.sigmoid(torch.cat(tuple(self.recent)).median() - losses)


def by_a_ring_of_what_is_weighed_by_it():
    """second-backward | - | words"""
    model, paced = nn.Linear(4, 1), Paced()
    optimizer = sgd_of(model)
    for _ in range(STEPS):
        losses = torch.tanh(model(torch.randn(8, 4)))[:, 0].pow(2)
        loss = (paced.weights(losses) * losses).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class Balanced:
    def __init__(self):
        self.log = [[], []]

    def combine(self, losses):
        weights = torch.ones(2)
        if len(self.log[0]) > 1:
            weights = torch.stack([each[-1] / each[-2] for each in self.log]).softmax(0)
        for each, loss in zip(self.log, losses, strict=True):
            each.append(loss)  # <-
        return sum(w * loss for w, loss in zip(weights, losses, strict=True))


def by_a_log_of_what_is_weighed_by_it():
    """second-backward | - | words"""
    model, balanced = nn.Linear(4, 2), Balanced()
    optimizer = sgd_of(model)
    for _ in range(STEPS):
        losses = torch.tanh(model(torch.randn(8, 4))).pow(2).mean(0).unbind()
        optimizer.zero_grad()
        balanced.combine(losses).backward()
        optimizer.step()


class Anchored:
    def __init__(self, model):
        self.model, self.tasks = model, []

    def remember(self, loss):
        slopes = torch.autograd.grad(loss, list(self.model.parameters()), create_graph=True)
        pairs = zip(self.model.parameters(), slopes, strict=True)
        self.tasks.append([(p.clone(), g.pow(2)) for p, g in pairs])  # <-

    def penalty(self):
        return sum(
            (f * (p - a).pow(2)).sum()
            for task in self.tasks
            for p, (a, f) in zip(self.model.parameters(), task, strict=True)
        )


def by_anchors_and_what_they_weigh():
    """second-backward | - | words"""
    model = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1))
    anchored, optimizer = Anchored(model), sgd_of(model)
    for number in range(STEPS):
        loss = model(torch.randn(8, 4)).pow(2).mean()
        if anchored.tasks:
            loss = loss + anchored.penalty()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if number % 10 == 5:
            anchored.remember(model(torch.randn(8, 4)).pow(2).mean())


class Balance:
    def __init__(self):
        self.first = None

    def weigh(self, losses):
        every = torch.stack(losses)
        if self.first is None:
            self.first = every  # <-
        return (every / self.first).sum()


def by_the_first_losses_that_all_are_measured_by():
    """second-backward | - | words"""
    model, balance = nn.Linear(4, 2), Balance()
    optimizer = sgd_of(model)
    for _ in range(STEPS):
        given = torch.tanh(model(torch.randn(8, 4)))
        optimizer.zero_grad()
        balance.weigh([given[:, 0].exp().mean(), given[:, 1].exp().mean()]).backward()
        optimizer.step()


class Slots:
    def __init__(self, cell):
        self.cell, (self.in_place, self.asked) = cell, ([None] * 4, [0] * 4)

    def hear(self, place, x):
        self.in_place[place], self.asked[place] = self.cell(x, self.in_place[place]), 1  # <-
        return self.in_place[place]


def by_slots_that_are_filled_one_after_another():
    """second-backward | slots.in_place | words"""
    cell = nn.GRUCell(4, 3)
    slots, optimizer = Slots(cell), sgd_of(cell)
    for number in range(STEPS):
        loss = slots.hear(number * number % 4, torch.randn(2, 4)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class Replay:
    def __init__(self):
        self.rows = collections.deque(maxlen=20)

    def push(self, **row):
        self.rows.append(row)

    def sample(self, count):
        rows = list(self.rows)[-count:]
        return {key: torch.cat([row[key] for row in rows]) for key in rows[0]}


def by_rows_that_are_put_by_under_names():
    """second-backward | replay.rows | words"""
    model, encode, replay = nn.Linear(3, 1), nn.Linear(4, 3), Replay()
    optimizer = sgd_of(nn.ModuleList([model, encode]))
    for _ in range(STEPS):
        h = torch.tanh(encode(torch.randn(2, 4)))
        replay.push(h=h, reward=torch.randn(2, 1))  # <-
        rows = replay.sample(3)
        loss = (model(rows["h"]) - rows["reward"]).pow(2).mean() + model(h).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class Centers(nn.Module):
    def __init__(self):
        super().__init__()
        self.centers = nn.Parameter(torch.randn(3, 4), requires_grad=False)

    def move(self, given):
        self.centers.index_add_(0, torch.tensor([0, 1]), 0.1 * given[:2])  # <-


def by_a_parameter_that_is_changed_in_place():
    """second-backward | - | words"""
    model, centers = nn.Linear(4, 4), Centers()
    optimizer = sgd_of(model)
    for _ in range(STEPS):
        given = torch.tanh(model(torch.randn(8, 4)))
        loss = (given[:3] - centers.centers).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        centers.move(given)


class Whitened(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("spread", torch.eye(3))

    def forward(self, given):
        self.spread.lerp_(given.T @ given / len(given), 0.1)  # <-
        return torch.linalg.solve(self.spread + torch.eye(3), given.T)


def by_a_buffer_that_is_changed_in_place():
    """second-backward | - | words"""
    model = nn.Sequential(nn.Linear(4, 3), Whitened())
    optimizer = sgd_of(model)
    for _ in range(STEPS):
        optimizer.zero_grad()
        model(torch.randn(8, 4)).pow(2).mean().backward()
        optimizer.step()


class Cautious:
    def __init__(self):
        self.net, self.old = nn.Linear(4, 3), None
        self.optimizer = sgd_of(self.net)

    def update(self, seen):
        new = torch.distributions.Categorical(logits=self.net(seen))
        loss = -new.log_prob(torch.zeros(8)).mean()
        if self.old is not None:
            loss = loss + torch.distributions.kl_divergence(self.old, new).mean()
        self.old = new  # <-
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


def by_a_distribution_that_has_worked_out_more():
    """second-backward | - | words"""
    cautious = Cautious()
    for _ in range(STEPS):
        cautious.update(torch.randn(8, 4))


def dreamt(world, optimizer):
    state, found = torch.randn(8, 4), []
    for _ in range(3):
        state = torch.tanh(world(state))
        found.append(state)  # <-
    optimizer.zero_grad()
    state.pow(2).mean().backward()
    optimizer.step()
    return torch.cat(found)


def by_what_another_function_calls_a_list():
    """second-backward | - | words"""
    world, actor = nn.Linear(4, 4), nn.Linear(4, 2)
    steps = sgd_of(world), sgd_of(actor)
    for _ in range(STEPS):
        found = dreamt(world, steps[0])  # <-
        loss = actor(found).pow(2).mean()
        steps[1].zero_grad()
        loss.backward()
        steps[1].step()


class Learned:
    def __init__(self):
        self.rule, self.theta = nn.Linear(3, 3), torch.randn(3, requires_grad=True)
        self.optimizer = sgd_of(self.rule)

    def unroll(self):
        total = 0.0
        for _ in range(2):
            (slope,) = torch.autograd.grad(self.theta.pow(2).sum(), self.theta, retain_graph=True)
            self.theta = self.theta + 0.1 * torch.tanh(self.rule(slope.detach()))  # <-
            total = total + self.theta.pow(2).sum()
        self.optimizer.zero_grad()
        total.backward()
        self.optimizer.step()


def by_weights_that_an_unroll_trains_through():
    """second-backward | learned.theta | words"""
    torch.manual_seed(0)
    learned = Learned()
    for _ in range(STEPS):
        learned.unroll()


class Framed(nn.Module):
    def __init__(self):
        super().__init__()
        self.encode, self.head = nn.Linear(4, 3), nn.Linear(9, 1)
        self.frames = collections.deque(maxlen=3)

    def forward(self, x):
        self.frames.append(torch.tanh(self.encode(x)))  # <-
        while len(self.frames) < 3:
            self.frames.append(self.frames[-1])
        return self.head(torch.cat(list(self.frames), 1))


def by_frames_by_which_alone_an_encoder_is_trained():
    """second-backward | model.frames | words"""
    model = Framed()
    optimizer = sgd_of(model)
    for _ in range(STEPS):
        optimizer.zero_grad()
        model(torch.randn(8, 4)).pow(2).mean().backward()
        optimizer.step()


class Lazily:
    def __init__(self, compute):
        self.compute, self.value, self.stale = compute, None, True

    def get(self):
        if self.stale:
            self.value, self.stale = self.compute(), False  # <-
        return self.value


def by_a_value_that_nobody_calls_stale():
    """second-backward | lazily.value | words"""
    weight, model = nn.Parameter(torch.ones(4, 4)), nn.Linear(4, 1)
    lazily = Lazily(lambda: torch.tanh(weight @ weight.T))
    optimizer = torch.optim.SGD([weight, *model.parameters()], 0.01)
    for _ in range(STEPS):
        optimizer.zero_grad()
        model(torch.randn(8, 4) @ lazily.get()).pow(2).mean().backward()
        optimizer.step()


class Written(nn.Module):
    def __init__(self):
        super().__init__()
        self.value, self.key = nn.Linear(4, 3), nn.Linear(4, 3)
        self.slots = torch.zeros(3)

    def write(self, x):
        new = 0.5 * self.slots + torch.tanh(self.value(x)).mean(0)
        self.slots = new  # <-

    def read(self, x):
        return torch.tanh(self.key(x)) @ self.slots


def by_a_memory_that_is_written_several_times_and_read_then():
    """second-backward | written.slots | words"""
    written = Written()
    optimizer = sgd_of(written)
    for _ in range(STEPS):
        parts = torch.randn(3, 8, 4)
        for part in parts:
            written.write(part)
        loss = sum(written.read(part).pow(2).mean() for part in parts)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class Begun(nn.Module):
    def __init__(self):
        super().__init__()
        self.begun, self.shift = False, torch.zeros(3)

    def forward(self, x):
        if not self.begun:
            self.shift = -x.mean(0)  # <-
            self.begun = True
        return x + self.shift


def by_what_the_first_batch_has_set():
    """second-backward | model[1].shift | words"""
    model = nn.Sequential(nn.Sequential(nn.Linear(4, 3), nn.Tanh()), Begun(), nn.Linear(3, 1))
    optimizer = sgd_of(model)
    for _ in range(STEPS):
        optimizer.zero_grad()
        model(torch.randn(8, 4)).pow(2).mean().backward()
        optimizer.step()


def rolled(actor, judge):
    seen = torch.randn(8, 4)
    chances, values = actor(seen).log_softmax(1)[:, 0], judge(seen)[:, 0]
    return seen, chances, (torch.rand(8) - values).exp()  # <-


def by_two_parts_of_what_a_rollout_hands_back():
    """second-backward | - | words"""
    actor, judge = nn.Linear(4, 2), nn.Linear(4, 1)
    optimizer = sgd_of(nn.ModuleList([actor, judge]))
    for _ in range(STEPS):
        seen, chances, gains = rolled(actor, judge)
        for _ in range(3):
            ratio = (actor(seen).log_softmax(1)[:, 0] - chances).exp()
            optimizer.zero_grad()
            (-(ratio * gains).mean()).backward()
            optimizer.step()


class Pool:
    def __init__(self):
        self.rows = []

    def add(self, row, weight):
        self.rows.append(row)
        self.weights = weight

    def draw(self):
        return self.rows[len(self.rows) // 2]


def by_a_record_that_is_given_first():
    """second-backward | - | replaced"""
    model, pool = nn.Linear(4, 1), Pool()
    optimizer = sgd_of(model)
    for _ in range(STEPS):
        seen = torch.randn(8, 4)
        value = torch.tanh(model(seen))
        pool.add((seen, value), weight=1.0)  # <-
        old = pool.draw()[1]
        optimizer.zero_grad()
        (model(seen) - 2 * old).pow(2).mean().backward()
        optimizer.step()
