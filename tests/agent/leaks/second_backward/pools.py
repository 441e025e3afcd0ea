"""Pools of what a maker has made, which hand out what they hold."""

from __future__ import annotations

import collections
import random

import torch
from torch import nn

from ..common import STEPS


class Pool:
    def __init__(self):
        self.seen = []

    def mixed_with(self, batch):
        self.seen = [point.detach() for point in batch]
        return torch.stack([point * 1.0 for point in batch])


def through_a_pool():
    """second-backward | fake | words"""
    torch.manual_seed(0)
    generator, critic = nn.Sequential(nn.Linear(4, 2), nn.Tanh()), nn.Linear(2, 1)
    of_generator = torch.optim.SGD(generator.parameters(), 0.01)
    of_critic = torch.optim.SGD(critic.parameters(), 0.01)
    pool = Pool()
    for _ in range(STEPS):
        fake = generator(torch.randn(8, 4))
        of_generator.zero_grad()
        (critic(fake) - 1).pow(2).mean().backward()
        of_generator.step()
        of_critic.zero_grad()
        critic(pool.mixed_with(fake)).pow(2).mean().backward()  # <-
        of_critic.step()


class Pictures:
    """A pool that hands out what it holds."""

    def __init__(self):
        self.pooled = []

    def put_up(self, picture):
        self.pooled.append(picture)  # <- by a pool

    def draw_some(self):
        drawn = list(reversed(self.pooled))
        self.pooled.clear()
        return torch.cat(drawn)


def by_a_pool_of_pictures_that_hands_out_what_it_holds():
    """second-backward | album.pooled | words"""
    torch.manual_seed(0)
    maker, judge, album = nn.Sequential(nn.Linear(2, 4), nn.Tanh()), nn.Linear(4, 1), Pictures()
    of_maker = torch.optim.SGD(maker.parameters(), 0.01)
    of_judge = torch.optim.SGD(judge.parameters(), 0.01)

    def train_maker():
        made = maker(torch.randn(4, 2))
        of_maker.zero_grad()
        judge(made).mean().backward()
        of_maker.step()
        album.put_up(made)

    def train_judge():
        drawn = album.draw_some()
        of_judge.zero_grad()
        judge(drawn).pow(2).mean().backward()
        of_judge.step()

    for _ in range(STEPS):
        train_maker()
        train_maker()
        train_judge()


class Shelf:
    """Holds the newest two, and goes on holding them."""

    def __init__(self):
        self.shelved = []

    def shelve(self, picture):
        self.shelved.append(picture)  # <- by a shelf
        del self.shelved[:-2]

    def shown(self):
        return torch.cat([each * 1 for each in reversed(self.shelved)])


def by_a_shelf_of_which_nobody_takes_by_its_name():
    """second-backward | shelf.shelved | words"""
    torch.manual_seed(0)
    maker, judge, shelf = nn.Sequential(nn.Linear(2, 4), nn.Tanh()), nn.Linear(4, 1), Shelf()
    of_maker = torch.optim.SGD(maker.parameters(), 0.01)
    of_judge = torch.optim.SGD(judge.parameters(), 0.01)

    def train_maker():
        of_maker.zero_grad()
        for _ in range(2):
            made = maker(torch.randn(4, 2))
            judge(made).mean().backward()
            shelf.shelve(made)
        of_maker.step()

    def train_judge(drawn):
        of_judge.zero_grad()
        judge(drawn).pow(2).mean().backward()
        of_judge.step()

    for round_ in range(6):
        train_maker()
        train_judge(torch.randn(4, 4) if round_ < 4 else shelf.shown())


class Hardest:
    """Hands out the losses that were highest, and begins anew."""

    def __init__(self):
        self.entries = []

    def offer(self, losses, x):
        self.entries.append((losses.mean(), x))  # <- by_losses_that_are_handed_out
        self.entries.sort(key=lambda entry: float(entry[0]))

    def drain(self):
        out, self.entries = self.entries[-2:], []
        return out


def by_losses_that_are_handed_out():
    """second-backward | hardest.entries | words"""
    torch.manual_seed(0)
    model, hardest = nn.Linear(4, 3), Hardest()
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for number in range(2 * STEPS):
        if number % 4 == 3:
            optimizer.zero_grad()
            hard = hardest.drain()
            sum(loss for loss, _ in hard).backward()
            optimizer.step()
        losses = model(x := torch.randn(8, 4)).exp().mean(1)
        optimizer.zero_grad()
        losses.mean().backward()
        optimizer.step()
        hardest.offer(losses, x)


class History:
    """Once it is full it gives an older picture for each that it takes."""

    def __init__(self, room):
        self.room = room
        self.pictures = []

    def exchanged(self, picture):
        if len(self.pictures) < self.room:
            self.pictures.append(picture)  # <- by a history
            return picture.detach()
        older = self.pictures[0]
        self.pictures[0] = picture  # <- by a history
        return older


def by_a_history_that_gives_an_older_picture():
    """second-backward | history.pictures | words"""
    torch.manual_seed(0)
    maker, judge, history = nn.Sequential(nn.Linear(2, 4), nn.Tanh()), nn.Linear(4, 1), History(1)
    of_maker = torch.optim.SGD(maker.parameters(), 0.01)
    of_judge = torch.optim.SGD(judge.parameters(), 0.01)
    for _ in range(STEPS):
        made = maker(torch.randn(4, 2))
        of_maker.zero_grad()
        judge(made).mean().backward()
        of_maker.step()
        shown = history.exchanged(made)
        of_judge.zero_grad()
        judge(shown).pow(2).mean().backward()
        of_judge.step()


class Reservoir:
    def __init__(self, room):
        self.room = room
        self.codes = []

    def offer(self, codes):
        for code in codes:
            if len(self.codes) < self.room:
                self.codes.append(code)  # <- by a reservoir
            else:
                self.codes[random.randrange(self.room)] = code  # <- by a reservoir

    def some(self, count):
        return torch.stack(random.sample(self.codes, count))


def by_a_reservoir_that_is_drawn_from_once_it_has_enough():
    """second-backward | reservoir.codes | words"""
    torch.manual_seed(0)
    random.seed(0)
    encoder, head, reservoir = nn.Linear(4, 8), nn.Linear(8, 1), Reservoir(200)
    optimizer = torch.optim.SGD([*encoder.parameters(), *head.parameters()], 0.01)
    for number in range(STEPS):
        codes = known = encoder(torch.randn(8, 4)).tanh()
        if number >= 12:
            known = torch.cat([codes, reservoir.some(16)])
        optimizer.zero_grad()
        head(known).pow(2).mean().backward()
        optimizer.step()
        reservoir.offer(codes)


def by_a_replay_from_which_another_phase_draws():
    """second-backward | replay | replaced"""
    torch.manual_seed(0)
    random.seed(0)
    maker, judge = nn.Sequential(nn.Linear(2, 4), nn.Tanh()), nn.Linear(4, 1)
    of_maker = torch.optim.SGD(maker.parameters(), 0.01)
    of_judge = torch.optim.SGD(judge.parameters(), 0.01)
    replay = collections.deque(maxlen=6)

    def train_maker():
        made = maker(torch.randn(4, 2))
        of_maker.zero_grad()
        judge(made).mean().backward()
        of_maker.step()
        replay.append(made)  # <-

    def train_judge():
        made = random.choice(replay)
        loss = judge(made).pow(2).mean() + judge(torch.randn(4, 4)).mean()
        of_judge.zero_grad()
        loss.backward()
        of_judge.step()

    for number in range(STEPS):
        if number % 10 < 5:
            train_maker()
        else:
            train_judge()
