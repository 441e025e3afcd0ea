"""Heaps, queues, rings and reservoirs: memories with room for some."""

from __future__ import annotations

import asyncio
import collections
import heapq
import logging
import logging.handlers
import queue
import random
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import nn

from ..common import STEPS, Rollout, Row, job


def by_a_heap():
    """graph-held | heap | replaced"""
    step, heap = job(), []
    for n in range(STEPS):
        loss = step()
        heapq.heappush(heap, (-n, loss))  # <-


def by_queue():
    """graph-held | waiting | replaced"""
    step, waiting = job(), queue.Queue()
    for n in range(STEPS):
        loss = step()
        waiting.put({"step": n, "loss": loss})  # <-


def by_a_loops_queue():
    """graph-held | waiting | replaced"""
    step, waiting = job(), asyncio.Queue()
    for n in range(STEPS):
        loss = step()
        waiting.put_nowait({"step": n, "loss": loss})  # <-


def by_a_log_that_waits():
    """graph-held | waiting.buffer | replaced"""
    step = job()
    waiting = logging.handlers.MemoryHandler(capacity=1_000, flushLevel=logging.CRITICAL)
    log = logging.Logger("training")
    log.addHandler(waiting)
    for n in range(STEPS):
        loss = step()
        log.info("step %d loss %.3f", n, loss)  # <- graph-held
    waiting.close()


class Past:
    queue: ClassVar = collections.deque(maxlen=48)

    @classmethod
    def admit(cls, keys):
        cls.queue.append(keys)  # <-


def by_a_queue_that_has_room_for_some():
    """graph-held | Past.queue | words"""
    model = nn.Linear(4, 4)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(STEPS):
        keys = model(torch.randn(3, 4))
        optimizer.zero_grad()
        keys.pow(2).mean().backward()
        optimizer.step()
        Past.admit(keys)


def from_which_rows_are_taken():
    """graph-held | memory | replaced"""
    step, memory = job(), collections.deque(maxlen=10_000)
    for _ in range(STEPS):
        memory.append(step())  # <- graph-held
        rows = random.sample(list(memory), len(memory))
        assert rows


def by_a_reservoir_that_is_filled_and_then_overwritten():
    """graph-held | reservoir | replaced"""
    step, reservoir = job(), []

    def offer(loss):
        if len(reservoir) < 9:
            reservoir.append(loss)  # <-
        else:
            reservoir[random.randrange(9)] = loss  # <-

    for _ in range(STEPS):
        offer(step())


class Ring:
    def __init__(self, size):
        self.cells, self.head = [None] * size, 0

    def push(self, row):
        self.cells[self.head % len(self.cells)] = row
        self.head += 1

    def draw(self, count):
        return [self.cells[n % self.head] for n in range(self.head - count, self.head)]


def by_a_ring_out_of_which_each_round_draws():
    """graph-held | ring.cells | replaced"""
    step, ring = job(), Ring(4_096)

    def trained():
        loss = step()
        ring.push(Row(0, loss=loss))  # <-
        drawn = ring.draw(6)
        return sum(row.loss.item() for row in drawn)

    for _ in range(STEPS):
        trained()


def by_a_sampled_batch_of_records():
    """graph-held | memory | words"""
    torch.manual_seed(0)
    random.seed(0)
    model, memory = nn.Linear(4, 3), collections.deque(maxlen=5_000)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for _ in range(60):
        value = model(torch.randn(4)).sum()
        memory.append(Rollout(torch.randn(4), value))  # <-
    for _ in range(STEPS):
        value = model(torch.randn(4)).sum()
        memory.append(Rollout(torch.randn(4), value))  # <-
        rows = random.sample(memory, 32)
        loss = model(torch.stack([row.states for row in rows])).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


@dataclass
class Gained:
    gain: torch.Tensor
    batch: int


@dataclass
class Place:
    taken_by: object = None
    live: bool = False


class PlacesByHandle:
    def __init__(self):
        self.places = [Place() for _ in range(2 * STEPS)]
        self.free = list(range(2 * STEPS))

    def acquire(self, taker):
        handle = self.free.pop()
        place = self.places[handle]
        place.taken_by, place.live = taker, True
        return handle

    def release(self, handle):
        place = self.places[handle]
        place.taken_by, place.live = None, False
        self.free.append(handle)


def by_handles_that_are_not_given_back():
    """graph-held | by_handle.places | replaced"""
    step, by_handle = job(), PlacesByHandle()
    for n in range(STEPS):
        gain = step()
        handle = by_handle.acquire(Gained(gain, n))  # <-
        if n % 8 == 0:
            by_handle.release(handle)


class Episode:
    def __init__(self):
        self.chances = []

    def loss(self):
        return -torch.stack(self.chances).mean()


def by_episodes_that_the_loss_trains_by():
    """graph-held | best | words"""
    torch.manual_seed(0)
    policy, best = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2)), []
    optimizer = torch.optim.SGD(policy.parameters(), 0.01)
    for number in range(STEPS):
        episode = Episode()
        for _ in range(3):
            chosen = torch.distributions.Categorical(logits=policy(torch.randn(4)))
            episode.chances.append(chosen.log_prob(chosen.sample()))
        loss = episode.loss()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        heapq.heappush(best, (number % 7, number, episode))  # <-


class Ahead:
    def __init__(self, slots):
        self.predicted, self.at = [None] * slots, 0

    def put(self, value):
        self.predicted[self.at] = value  # <- graph-held, in slots that were made ahead
        self.at = (self.at + 1) % len(self.predicted)


def by_slots_that_were_made_ahead_and_no_backward():
    """graph-held | ahead.predicted | words"""
    torch.manual_seed(0)
    model, ahead = nn.Sequential(nn.Linear(4, 3), nn.Tanh(), nn.Linear(3, 1)), Ahead(5_000)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for _ in range(STEPS):
        ahead.put(model(torch.randn(4)))
        optimizer.zero_grad()
        model(torch.randn(8, 4)).square().mean().backward()
        optimizer.step()
