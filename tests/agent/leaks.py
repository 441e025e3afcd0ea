"""Small faulty jobs, each a function: what it does wrong stands in the line with the arrow.

The first line of a docstring tells the kind, the holder and the cure: "replaced" if the code that
is suggested replaces the statement, "before" if it goes before it, "words" if there is none.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import contextvars
import functools
import gc
import heapq
import itertools
import logging
import logging.handlers
import queue
import random
import threading
import types
import weakref
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple, Protocol

import numpy as np
import torch
from torch import nn
from torch.nn.utils import parametrize

STEPS = 40


def job():
    torch.manual_seed(0)
    model = nn.Linear(4, 3)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)

    def step():
        loss = model(torch.randn(8, 4)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss

    return step


def remember(store, thing):
    store.append(thing)  # <- graph-held by a helper


def by_a_helper():
    """graph-held | kept | words"""
    step, kept = job(), []
    for _ in range(STEPS):
        remember(kept, step())


def by_a_heap():
    """graph-held | heap | replaced"""
    step, heap = job(), []
    for n in range(STEPS):
        loss = step()
        heapq.heappush(heap, (-n, loss))  # <-


def by_pairs_made_on_the_way():
    """graph-held | sums | replaced"""
    step, sums = job(), {"all": 0.0, "late": 0.0}
    for n in range(STEPS):
        loss = step()
        sums.update((key, sums[key] + loss * (n > 9 or key == "all")) for key in sums)  # <-


def by_a_list_of_pairs():
    """graph-held | sums | words"""
    step, sums = job(), {"all": 0.0, "late": 0.0}
    for n in range(STEPS):
        loss = step()
        sums.update([("all", sums["all"] + loss), ("late", sums["late"] + loss * (n > 9))])  # <-


def by_an_inner_function():
    """graph-held | trace | replaced"""
    step, trace = job(), []

    def note(loss):
        trace.append(loss)  # <-

    for _ in range(STEPS):
        note(step())


def by_nonlocal():
    """graph-held | total | replaced"""
    step, total = job(), 0.0

    def add(loss):
        nonlocal total
        total = total + loss  # <-

    for _ in range(STEPS):
        add(step())


def by_setattr():
    """graph-held | record | replaced"""
    step = job()

    class Record:
        pass

    record = Record()
    for n in range(STEPS):
        loss = step()
        setattr(record, f"loss_{n}", loss)  # <-


def by_dunder_dict():
    """graph-held | record.history | replaced"""
    step = job()

    class Record:
        pass

    record = Record()
    record.history = ()
    for _ in range(STEPS):
        loss = step()
        record.__dict__["history"] = (*record.history, loss)  # <-


def by_dict_union():
    """graph-held | log | replaced"""
    step, log = job(), {}
    for n in range(STEPS):
        loss = step()
        log |= {n: loss}  # <-


def by_slice():
    """graph-held | ring | replaced"""
    step, ring = job(), []
    for _ in range(STEPS):
        loss = step()
        ring[len(ring) :] = [loss]  # <-


def by_walrus():
    """graph-held | total | words"""
    step, total = job(), 0.0
    for _ in range(STEPS):
        print(end=str(type(total := total + step()))[:0])  # <-


def by_starred():
    """graph-held | seen | replaced"""
    step, seen = job(), ()
    for _ in range(STEPS):
        loss = step()
        seen = (*seen, loss)  # <-


def by_chained_assignment():
    """graph-held | total | words"""
    step, total = job(), 0.0
    for _ in range(STEPS):
        mean = total = total + step()  # <-
    return mean


def by_extending_with_a_comprehension():
    """graph-held | losses | replaced"""
    step, losses = job(), []
    for _ in range(STEPS):
        loss = step()
        losses.extend(part for part in [loss])  # <-


def by_running_mean():
    """graph-held | ema | replaced"""
    step, ema = job(), 0.0
    for _ in range(STEPS):
        loss = step()
        ema = 0.9 * ema + 0.1 * loss  # <-


def by_maximum():
    """graph-held | worst | replaced"""
    step, worst = job(), torch.zeros(())
    for _ in range(STEPS):
        loss = step()
        worst = torch.maximum(worst, loss)  # <-


def by_sum():
    """graph-held | total | replaced"""
    step, total = job(), 0
    for _ in range(STEPS):
        loss = step()
        total += loss  # <-


def by_setdefault():
    """graph-held | log['loss'] | replaced"""
    step, log = job(), {}
    for _ in range(STEPS):
        loss = step()
        log.setdefault("loss", []).append(loss)  # <-


def by_defaultdict():
    """graph-held | log['loss'] | replaced"""
    step, log = job(), collections.defaultdict(list)
    for n in range(STEPS):
        loss = step()
        log["loss"].append((n, loss))  # <-


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


def by_weak_keys():
    """graph-held | cache | replaced"""
    step, cache = job(), weakref.WeakKeyDictionary()

    class Key:
        pass

    keys = [Key() for _ in range(STEPS)]
    for key in keys:
        loss = step()
        cache[key] = loss  # <-


def by_thread_local():
    """graph-held | local.losses | replaced"""
    step, local = job(), threading.local()
    local.losses = []
    for _ in range(STEPS):
        loss = step()
        local.losses.append(loss)  # <-


def by_lru_cache():
    """graph-held | value | words"""
    step = job()

    @functools.cache  # <-
    def value(n):
        return step() * n

    for n in range(STEPS):
        value(n)


@dataclass
class Row:
    step: int
    loss: torch.Tensor


def by_a_dict_made_before():
    """graph-held | history | replaced"""
    step, history = job(), []
    for n in range(30):
        loss = step()
        record = {"step": n, "loss": loss, "twice": 2 * loss}
        history.append(record)  # <-


def by_a_dict_of_several_inside_a_record():
    """graph-held | rows | replaced"""
    step, rows = job(), []
    for number in range(STEPS):
        loss = step()
        parts = {"loss": loss, "twice": loss * 2, "half": loss / 2}
        rows.append({"number": number, "parts": parts})  # <-


def by_a_record_of_several():
    """graph-held | history | replaced"""
    step, history = job(), []
    for n in range(30):
        loss = step()
        history.append({"step": n, "loss": loss, "twice": 2 * loss})  # <-


def by_pairs():
    """graph-held | history | replaced"""
    step, history = job(), []
    for n in range(30):
        loss = step()
        history.append((n, loss, 2 * loss))  # <-


def by_dataclass():
    """graph-held | rows | replaced"""
    step, rows = job(), []
    for n in range(STEPS):
        loss = step()
        rows.append(Row(step=n, loss=loss))  # <-


def by_namedtuple():
    """graph-held | rows | replaced"""
    step, rows = job(), collections.deque()
    Pair = collections.namedtuple("Pair", "n loss")
    for n in range(STEPS):
        loss = step()
        rows.append(Pair(n, loss))  # <-


class Meter:
    __slots__ = ("count", "values")

    def __init__(self):
        self.values, self.count = [], 0

    def update(self, value, n=1):
        self.values.append(value)  # <- graph-held by a slot
        self.count += n


def by_a_slot():
    """graph-held | meters['loss'].values | words"""
    step, meters = job(), {"loss": Meter()}
    for _ in range(STEPS):
        meters["loss"].update(step())


def by_a_generator():
    """graph-held | seen | words"""
    step = job()

    def average():
        seen = []
        while True:
            seen.append((yield))  # <-

    sink = average()
    next(sink)
    for _ in range(STEPS):
        sink.send(step())


def by_a_coroutine_that_adds_up():
    """graph-held | sums['gap'] | words"""
    step = job()

    def averages(keys):
        sums = dict.fromkeys(keys, 0.0)
        while True:
            row = yield
            for key in keys:
                sums[key] = sums[key] + row[key]  # <-

    meters = {"train": averages(["gap"])}
    got = [next(meters["train"])]
    for _ in range(STEPS):
        got += [meters["train"].send({"gap": step()})]


def by_a_coroutine():
    """graph-held | losses | replaced"""
    step = job()

    async def train():
        losses = []
        for _ in range(STEPS):
            loss = step()
            losses.append(loss)  # <-
            await asyncio.sleep(0)

    asyncio.run(train())


def by_tasks_that_are_done():
    """graph-held | tasks | words"""
    step, tasks = job(), []

    async def guarded(gate):
        async with gate:
            return await trained()

    async def trained():
        return step()

    async def every():
        gate = asyncio.Semaphore(2)
        for _ in range(STEPS):
            task = asyncio.create_task(guarded(gate))
            tasks.append(task)  # <-
            await task

    asyncio.run(every())


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


def by_kept_exceptions():
    """graph-held | errors | replaced"""
    step, errors = job(), []

    def check():
        loss = step()
        raise ValueError(str(loss.shape))

    for _ in range(STEPS):
        try:
            check()
        except ValueError as error:  # noqa: PERF203  - as it is written
            errors.append(error)  # <-


def by_exceptions_caught_below_the_step():
    """graph-held | errors | replaced"""
    step, errors = job(), []

    def check(value):
        try:
            raise ValueError(value)  # noqa: TRY301  - as it is written
        except ValueError as error:
            errors.append(error)  # <-

    def trained():
        loss = step()
        check(loss.item())

    for _ in range(STEPS):
        trained()


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


class Diary:
    def __init__(self):
        self.entries = []


class Keeper:
    def __init__(self):
        self.diary = Diary()

    def note(self, error):
        self.diary.entries.append(error)  # <- graph-held, by an exception of another's attribute


def by_exceptions_in_anothers_attribute():
    """graph-held | keeper.diary.entries | words"""
    step, keeper = job(), Keeper()

    def check():
        loss = step()
        raise ValueError(str(loss.shape))

    for _ in range(STEPS):
        try:
            check()
        except ValueError as error:  # noqa: PERF203  - as it is written
            keeper.note(error)


def by_optimizer_state():
    """graph-held | optimizer.state | replaced"""
    torch.manual_seed(0)
    model = nn.Linear(4, 3)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for _ in range(STEPS):
        loss = model(torch.randn(8, 4)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        optimizer.state[model.weight].setdefault("losses", []).append(loss)  # <-


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


class Refreshed:
    def __init__(self, model):
        self.model, self.drafted, self.drafted_at = model, None, -1

    def at(self, number):
        if number > self.drafted_at:
            self.drafted = torch.tanh(self.model(torch.ones(3, 4)))  # <-
            self.drafted_at = number
        return self.drafted


def by_what_is_refreshed_once_for_two_backwards():
    """second-backward | refreshed.drafted | words"""
    model = nn.Linear(4, 4)
    refreshed = Refreshed(model)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for number in range(STEPS):
        for _ in range(2):
            loss = model(torch.randn(8, 4)).pow(2).mean() + refreshed.at(number).pow(2).mean()
            loss.backward()
        optimizer.step()
        optimizer.zero_grad()


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


def two_parts_of_one_carried_whole():
    """graph-chain | upper | before"""
    torch.manual_seed(0)
    model, upper, lower = nn.Linear(4, 8), torch.zeros(2, 4), torch.zeros(2, 4)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for _ in range(STEPS):
        upper, lower = (model(torch.randn(2, 4)) + torch.cat([upper, lower], 1)).chunk(2, 1)  # <-
        optimizer.zero_grad()
        (upper.mean() + lower.mean()).backward(retain_graph=True)
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


def descent_by_hand():
    """graph-chain | w | replaced"""
    torch.manual_seed(0)
    w = torch.randn(4, requires_grad=True)
    for _ in range(STEPS):
        loss = (torch.randn(8, 4) @ w).pow(2).mean()
        (gradient,) = torch.autograd.grad(loss, w)
        w = w - 0.01 * gradient  # <-


def through_the_generator():
    """second-backward | fake | replaced"""
    torch.manual_seed(0)
    generator, critic = nn.Linear(4, 2), nn.Linear(2, 1)
    of_generator = torch.optim.SGD(generator.parameters(), 0.01)
    of_critic = torch.optim.SGD(critic.parameters(), 0.01)

    def update(loss, optimizer):
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    for _ in range(STEPS):
        fake = generator(torch.randn(8, 4))
        critic_loss = critic(fake).pow(2).mean()  # <-
        update(critic_loss, of_critic)
        generator_loss = (critic(fake) - 1).pow(2).mean()
        update(generator_loss, of_generator)


def through_the_critic():
    """second-backward | advantage | replaced"""
    torch.manual_seed(0)
    actor, critic = nn.Linear(4, 1), nn.Linear(4, 1)
    of_actor = torch.optim.SGD(actor.parameters(), 0.01)
    of_critic = torch.optim.SGD(critic.parameters(), 0.01)
    for _ in range(STEPS):
        x = torch.randn(8, 4)
        advantage = 1 - critic(x)
        critic_loss = advantage.pow(2).mean()
        of_critic.zero_grad()
        critic_loss.backward()
        of_critic.step()
        actor_loss = (actor(x) * advantage).mean()  # <-
        of_actor.zero_grad()
        actor_loss.backward()
        of_actor.step()


def an_augmented_activation():
    """inplace-modified | - | replaced"""
    torch.manual_seed(0)
    first, second = nn.Linear(4, 8), nn.Linear(8, 1)
    optimizer = torch.optim.SGD([*first.parameters(), *second.parameters()], 0.01)
    for _ in range(STEPS):
        h = torch.sigmoid(first(torch.randn(8, 4)))
        h += 1  # <-
        optimizer.zero_grad()
        second(h).mean().backward()
        optimizer.step()


def an_element_assigned():
    """inplace-modified | - | replaced"""
    torch.manual_seed(0)
    first, second = nn.Linear(4, 8), nn.Linear(8, 1)
    optimizer = torch.optim.SGD([*first.parameters(), *second.parameters()], 0.01)
    for _ in range(STEPS):
        h = torch.tanh(first(torch.randn(8, 4)))
        h[:, 0] = 0.0  # <-
        optimizer.zero_grad()
        second(h).mean().backward()
        optimizer.step()


def a_method_in_place():
    """inplace-modified | - | replaced"""
    torch.manual_seed(0)
    first, second = nn.Linear(4, 8), nn.Linear(8, 1)
    optimizer = torch.optim.SGD([*first.parameters(), *second.parameters()], 0.01)
    for _ in range(STEPS):
        h = first(torch.randn(8, 4)).exp()
        h.clamp_(max=3.0)  # <-
        optimizer.zero_grad()
        second(h).mean().backward()
        optimizer.step()


def a_functional_in_place():
    """inplace-modified | - | replaced"""
    torch.manual_seed(0)
    first, second = nn.Linear(4, 8), nn.Linear(8, 1)
    optimizer = torch.optim.SGD([*first.parameters(), *second.parameters()], 0.01)
    for _ in range(STEPS):
        h = torch.tanh(first(torch.randn(8, 4)))
        h = nn.functional.relu(h, inplace=True)  # <-
        optimizer.zero_grad()
        second(h).mean().backward()
        optimizer.step()


def a_change_without_gradient():
    """inplace-modified | - | words"""
    torch.manual_seed(0)
    first, second = nn.Linear(4, 8), nn.Linear(8, 1)
    optimizer = torch.optim.SGD([*first.parameters(), *second.parameters()], 0.01)
    for _ in range(STEPS):
        h = torch.sigmoid(first(torch.randn(8, 4)))
        with torch.no_grad():
            h.mul_(0.5)  # <-
        optimizer.zero_grad()
        second(h).mean().backward()
        optimizer.step()


def a_step_between():
    """inplace-modified | other | words"""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for _ in range(STEPS):
        one = model(torch.randn(8, 4)).pow(2).mean()
        other = model(torch.randn(8, 4)).mean()
        optimizer.zero_grad()
        one.backward()
        optimizer.step()  # <-
        other.backward()


def a_step_between_a_score_and_its_loss():
    """inplace-modified | turn.score | words"""
    torch.manual_seed(0)
    critic, maker = nn.Linear(4, 1), nn.Linear(4, 4)
    of_critic = torch.optim.SGD(critic.parameters(), 0.01)
    of_maker = torch.optim.SGD(maker.parameters(), 0.01)
    for _ in range(STEPS):
        turn = types.SimpleNamespace(score=critic(torch.tanh(maker(torch.randn(8, 4)))))
        loss = turn.score.mean() - critic(torch.randn(8, 4)).mean()
        of_critic.zero_grad()
        loss.backward(retain_graph=True)
        of_critic.step()  # <-
        fooled = -turn.score.mean()
        of_maker.zero_grad()
        fooled.backward()
        of_maker.step()


class Numbered:
    def keep(self, step, loss):
        setattr(self, f"loss_{step}", loss)  # <- graph-held under names made up at run time


def under_names_made_up_at_run_time():
    """graph-held | numbered | words"""
    step, numbered = job(), Numbered()
    for number in range(STEPS):
        numbered.keep(number, step())


class Link:
    def __init__(self, loss, before):
        self.loss = loss
        self.before = before


def by_a_linked_list():
    """graph-held | last.before | words"""
    step, last = job(), None
    for _ in range(STEPS):
        last = Link(step(), last)  # <- graph-held


def smoothed():
    """Yields from a state that goes by no name where the loop runs."""
    weight = torch.ones(4, requires_grad=True)
    level = torch.zeros(4)
    while True:
        level = 0.9 * level + weight  # <- graph-chain in a generator that waits
        yield level.sum()


def in_a_generator():
    """graph-chain | level | words"""
    for number, loss in enumerate(smoothed()):
        loss.backward(retain_graph=True)
        if number == STEPS:
            break


class Observer(nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(()))
        self.state = (torch.ones(()), torch.zeros(()))

    def forward(self):
        angle, speed = self.state
        speed = speed - self.gain * torch.sin(angle)
        angle = angle + 0.1 * speed
        self.state = (angle, speed)  # <- graph-chain by a state whose parts go by other names
        return angle


def by_a_state_whose_parts_go_by_other_names():
    """graph-chain | observer.state | words"""
    observer = Observer()
    for _ in range(STEPS):
        angle = observer()
        (angle**2).backward(retain_graph=True)


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


@dataclass(frozen=True)
class Posterior:
    """What a filter believes so far; its next one is made of it, never changed in place."""

    mean: torch.Tensor
    seen: int = 0


class Tracker:
    def __init__(self, weight):
        self.weight, self.belief = weight, Posterior(torch.zeros(3))

    def update(self, x):
        before = self.belief
        mean = 0.5 * before.mean + (self.weight * x).mean(0)  # <- graph-chain: used by a local name
        mean.pow(2).sum().backward(retain_graph=True)
        self.belief = replace(before, mean=mean, seen=before.seen + 1)  # <- graph-chain


def by_an_attribute_read_into_a_local_name():
    """graph-chain | track.belief.mean | words"""
    weight = torch.randn(3, requires_grad=True)
    track = Tracker(weight)
    for _ in range(STEPS):
        track.update(torch.randn(8, 3))
        weight.grad = None


class Carried(NamedTuple):
    weights: dict
    number: int


def by_a_record_not_by_what_each_round_makes_anew():
    """graph-chain | state | words"""
    rate = torch.tensor(0.1, requires_grad=True)
    optimizer = torch.optim.SGD([rate], 0.0)
    state = Carried({"w": torch.ones(4).requires_grad_()}, 0)
    while state.number < STEPS:
        (slope,) = torch.autograd.grad(state.weights["w"].pow(2).sum(), state.weights["w"])
        made = {"w": state.weights["w"] - rate * slope}
        optimizer.zero_grad()
        made["w"].sum().backward(retain_graph=True)
        optimizer.step()
        state = Carried(made, state.number + 1)  # <-


class Parts(NamedTuple):
    net: nn.Module


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.hidden = nn.Linear(4, 4), torch.zeros(1, 4)

    def forward(self):
        self.hidden = torch.tanh(self.cell(self.hidden))  # <- graph-chain of a module in a record
        return self.hidden.sum()


def by_a_module_that_lies_in_a_record():
    """graph-chain | parts.net.hidden | words"""
    parts = Parts(Recurrent())
    for _ in range(STEPS):
        parts.net().backward(retain_graph=True)


class Context(NamedTuple):
    memory: dict


def goes_on(context, weight):
    context.memory["h"] = context.memory["h"] * 0.5 + weight  # <- graph-chain within a record
    return context.memory["h"].sum()


def by_what_changes_within_a_record():
    """graph-chain | context.memory['h'] | words"""
    weight = torch.ones(4, requires_grad=True)
    context = Context({"h": torch.zeros(4)})
    for _ in range(STEPS):
        goes_on(context, weight).backward(retain_graph=True)


def under_a_key_with_a_colon():
    """graph-chain | states['enc:lstm'] | words"""
    cell, states = nn.LSTMCell(4, 4), {"enc:lstm": (torch.zeros(1, 4), torch.zeros(1, 4))}
    for _ in range(STEPS):
        states = {k: cell(torch.ones(1, 4), state) for k, state in states.items()}  # <-
        states["enc:lstm"][0].sum().backward(retain_graph=True)


def remembers(weight):
    remembers._hidden = torch.tanh(weight + remembers._hidden)  # <- graph-chain of a function
    return remembers._hidden.sum()


remembers._hidden = torch.zeros(4)


def by_an_attribute_of_a_function():
    """graph-chain | remembers._hidden | words"""
    weight = torch.ones(4, requires_grad=True)
    for _ in range(STEPS):
        remembers(weight).backward(retain_graph=True)


def under_keys_of_several_parts_beside_much_else():
    """graph-held | kept | replaced"""
    step, kept, much = job(), {}, [[] for _ in range(60_000)]
    for n in range(STEPS):
        loss = step()
        kept["train", n] = loss  # <-
    assert much


@dataclass
class Stats:
    losses: list


def by_a_record_without_methods():
    """graph-held | stats | words"""
    step, stats = job(), {("train", 0): Stats([])}
    for _ in range(STEPS):
        loss = step()
        stats["train", 0].losses.append(loss)  # <-


def by_what_the_loop_around_reads():
    """graph-chain | hidden | words"""
    cells, log = [nn.Linear(4, 4) for _ in range(2)], Handlers()
    hidden = torch.zeros(1, 4)
    for _ in range(STEPS):
        x = torch.tanh(hidden)
        for cell in cells:
            hidden = cell(x)  # <-
            log.hidden = hidden
        hidden.sum().backward(retain_graph=True)


class Handlers:
    def __init__(self):
        self.handlers = collections.defaultdict(list)

    def fire(self, event, loss):
        for handler, _ in self.handlers[event]:
            handler(loss)


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


def by_hooks_on_a_weight_that_an_optimizer_knows():
    """graph-held | trainer.net.weight | words"""
    trainer = Trainer()
    for _ in range(STEPS):
        trainer.step()


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


def weights_in_a_loop():
    """inplace-modified | p | words"""
    model = nn.Linear(4, 4)
    for _ in range(3):
        loss = model(model(torch.ones(2, 4))).sum()
        with torch.no_grad():
            for p in model.parameters():
                p.clamp_(-0.1, 0.1)  # <- inplace-modified, by a name that goes over parameters
        loss.backward()


def in_a_dict_by_step():
    """graph-held | by_step | replaced"""
    step, by_step = job(), {}
    for number in range(STEPS):
        by_step[f"step {number}"] = step()  # <- graph-held


class Smooth:
    def __init__(self):
        self.level = None

    def __call__(self, x):
        if self.level is None:
            self.level = x.detach()
        self.level = 0.9 * self.level + 0.1 * x  # <- graph-chain, though it began detached
        return self.level


def that_only_begins_detached():
    """graph-chain | smooth.level | words"""
    weight, smooth = torch.ones(4, requires_grad=True), Smooth()
    for _ in range(STEPS):
        smooth(weight * torch.rand(4)).sum().backward(retain_graph=True)


@dataclass
class Belief:
    mean: torch.Tensor
    seen: int


def in_turn_through_a_queue():
    """graph-chain | waiting | before"""
    weight, waiting = torch.ones(4, requires_grad=True), queue.Queue()
    for _ in range(3):
        waiting.put(Belief(torch.zeros(4), 0))
    for _ in range(STEPS):
        belief = waiting.get()
        belief = Belief(0.5 * belief.mean + weight, belief.seen + 1)
        belief.mean.sum().backward(retain_graph=True)
        waiting.put(belief)  # <- graph-chain


class Best:
    def __init__(self):
        self.loss = None

    def compared(self, loss):
        if self.loss is None:
            self.loss = loss
            return loss
        compared = loss + 0.1 * torch.relu(loss - self.loss)
        if loss < 2 * self.loss:
            self.loss = compared  # <- graph-chain, where it is not the first
        return compared


def that_begins_with_the_first():
    """graph-chain | best.loss | words"""
    weight, best = torch.ones(4, requires_grad=True), Best()
    for _ in range(STEPS):
        best.compared((weight * torch.rand(4)).sum()).backward(retain_graph=True)


def now_and_then():
    """graph-chain | level | before"""
    weight, level = torch.ones(4, requires_grad=True), torch.zeros(4)
    for number in range(2 * STEPS):
        if number % 5:
            (weight * torch.rand(4)).sum().backward()
        else:
            level = 0.9 * level + weight  # <- graph-chain, in every fifth iteration
            level.sum().backward(retain_graph=True)


def by_partials():
    """graph-held | later | words"""
    step, later = job(), []
    for number in range(STEPS):
        loss = step()
        later.append(functools.partial(print, number, loss))  # <- graph-held


def from_which_rows_are_taken():
    """graph-held | memory | replaced"""
    step, memory = job(), collections.deque(maxlen=10_000)
    for _ in range(STEPS):
        memory.append(step())  # <- graph-held
        rows = random.sample(list(memory), len(memory))
        assert rows


def behind_partials_given_on():
    """graph-held | later | words"""
    step, later = job(), []
    for number in range(STEPS):
        write = functools.partial(print, step(), number)
        later.append(write)  # <- graph-held


def by_a_log_that_waits():
    """graph-held | waiting.buffer | words"""
    step = job()
    waiting = logging.handlers.MemoryHandler(capacity=1_000, flushLevel=logging.CRITICAL)
    log = logging.Logger("training")
    log.addHandler(waiting)
    for _ in range(STEPS):
        loss = step()
        log.info("loss %s", loss)  # <- graph-held
    waiting.close()


def by_what_is_left_to_do():
    """graph-held | - | words"""
    step, undo = job(), contextlib.ExitStack()
    for _ in range(STEPS):
        loss = step()
        undo.callback(abs, loss)  # <- graph-held
    undo.pop_all()


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


def by_reduction():
    """graph-chain | state | words"""
    weight = torch.ones(4, requires_grad=True)

    def onward(state, number):
        mixed = state * 0.5 + weight * number  # <- graph-chain
        mixed.sum().backward(retain_graph=True)
        return mixed  # <- graph-chain

    functools.reduce(onward, range(STEPS), torch.zeros(4))


def by_what_is_moved_after_the_step():
    """second-backward | centre | words"""
    model = nn.Linear(4, 3)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    centre = [torch.zeros(3)]

    def one(number):
        found = model(torch.randn(8, 4))
        loss = (found.tanh() - centre[0]).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if number % 10 == 9:
            centre[0] = torch.lerp(centre[0], found.tanh().mean(0), 0.3)  # <- second-backward

    for number in range(STEPS):
        one(number)


def by_a_reference_beside_gradients_of_gradients():
    """second-backward | reference | words"""
    model = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    reference = {}
    for number in range(STEPS):
        x = torch.randn(8, 2, requires_grad=True)
        (slope,) = torch.autograd.grad(model(x).sum(), x, create_graph=True)
        terms = {"slope": slope.pow(2).mean(), "value": model(x).pow(2).mean()}
        if number == STEPS // 2:
            for name, term in terms.items():
                reference[name] = term + 1e-6  # <- second-backward
        loss = sum(term / reference.get(name, 1.0) for name, term in terms.items())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


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


class Walker:
    def __init__(self):
        self.cell, self.state = nn.LSTMCell(4, 3), (torch.zeros(1, 3), torch.zeros(1, 3))

    def walk(self, x):
        out, cell = self.cell(x, self.state)
        _, self.state = out, (out, cell)  # <-
        return int(out.argmax())


def by_a_state_that_no_backward_walks():
    """graph-held | walker.state | words"""
    step, walker = job(), Walker()
    trained = torch.optim.SGD(walker.cell.parameters(), 0.01)
    for _ in range(STEPS):
        walker.walk(torch.randn(1, 4))
        walker.cell(torch.randn(1, 4))[0].pow(2).sum().backward()
        trained.step()
        trained.zero_grad()
        step()


Move = collections.namedtuple("Move", "place log_prob gain")


class Memory:
    def __init__(self):
        self.ring = collections.deque(maxlen=5000)

    def push(self, move):
        self.ring.append(move)

    def push_all(self, *parts):
        self.ring.append(Move(*parts))

    def note(self, ring, *parts):
        row = parts
        ring.append(row)


def by_parts_that_are_merely_put_away():
    """graph-held | memory.ring | replaced"""
    step, memory = job(), Memory()
    for number in range(STEPS):
        log_prob = step()
        memory.note(memory.ring, number, log_prob)  # <-


def by_parts_that_are_merely_put_together():
    """graph-held | memory.ring | replaced"""
    step, memory = job(), Memory()
    for number in range(STEPS):
        log_prob = step()
        memory.push_all(number, log_prob, 1.0)  # <-


def by_a_record_that_is_merely_put_away():
    """graph-held | memory.ring | replaced"""
    step, memory = job(), Memory()
    for number in range(STEPS):
        log_prob = step()
        memory.push(Move(number, log_prob, 1.0))  # <-


def by_a_record_made_elsewhere():
    """graph-held | memory.ring | replaced"""
    step, memory = job(), Memory()
    for number in range(STEPS):
        move = Move(number, step(), 1.0)
        memory.ring.append(move)  # <-


def by_a_list_under_a_key():
    """graph-held | log | replaced"""
    step, seen = job(), collections.defaultdict(list)
    for _ in range(STEPS):
        log = seen["stem"]
        log.append(step())  # <-


@dataclass(frozen=True)
class Plan:
    number: int
    merit: torch.Tensor | None = None
    origin: Plan | None = None


def by_records_that_lead_to_the_one_before():
    """graph-held | plan | words"""
    step, plan = job(), Plan(0)
    for number in range(STEPS):
        plan = Plan(number, step(), origin=plan)  # <-


Pair = collections.namedtuple("Pair", "fast slow")


def cut_half(pair):
    return Pair(pair.fast.detach(), pair.slow)  # <- graph-chain


def by_the_half_that_is_not_cut():
    """graph-chain | pair | replaced"""
    weight, pair = torch.randn(3, requires_grad=True), Pair(torch.zeros(3), torch.zeros(3))
    for _ in range(STEPS):
        before = cut_half(pair)
        pair = Pair(before.fast + weight, before.slow * 0.5 + weight)
        (pair.fast * pair.slow).sum().backward(retain_graph=True)
        weight.grad = None


async def report(loss):
    await asyncio.sleep(0)
    return loss  # <-


async def rounds(step, inflight):
    for _ in range(STEPS):
        inflight.add(asyncio.create_task(report(step())))  # <-
        await asyncio.sleep(0)


def by_the_results_of_tasks():
    """graph-held | inflight | words"""
    step, inflight = job(), set()
    asyncio.run(rounds(step, inflight))


def smoothed_values(step):
    for _ in range(STEPS):
        yield step()


def smooth(mean, new):
    return 0.9 * mean + 0.1 * new  # <-


def by_an_iterator_that_adds_up():
    """graph-held | - | words"""
    curve = itertools.accumulate(smoothed_values(job()), smooth)
    for _value in curve:
        pass


def by_messages_that_are_made_later():
    """graph-held | pending | replaced"""
    step, pending = job(), []
    for number in range(STEPS):
        loss = step()
        pending.append(lambda loss=loss, number=number: f"{number}: {loss.item()}")  # <-


class Sheet:
    def __init__(self):
        self.rows = []

    def register(self, number, **readings):
        self.rows.append((number, readings))


def by_readings_that_are_made_elsewhere():
    """graph-held | sheet.rows | replaced"""
    step, sheet = job(), Sheet()
    for number in range(STEPS):
        values = {"loss": step()}
        readings = {name: (lambda v=value: v.item()) for name, value in values.items()}  # <-
        sheet.register(number, **readings)


def by_averages_of_what_is_there():
    """graph-held | slow | replaced"""
    torch.manual_seed(0)
    net = nn.Linear(4, 3)
    optimizer = torch.optim.SGD(net.parameters(), 0.01)
    slow = {name: p.detach().clone() for name, p in net.named_parameters()}
    for _ in range(STEPS):
        loss = net(torch.randn(8, 4)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        for name, p in net.named_parameters():
            if name in slow:
                slow[name] = 0.9 * slow[name] + 0.1 * p  # <-
        float(slow["weight"].detach().norm())


def by_functions_with_a_default():
    """graph-held | later | replaced"""
    step, later = job(), collections.deque()
    for _number in range(STEPS):
        loss = step()

        def show(prefix, *, value=loss):  # <-
            print(prefix, value.item())

        later.append(show)


def by_functions_of_one_line():
    """graph-held | shown | words"""
    step, shown = job(), []
    for _number in range(STEPS):
        loss = step()

        def show(value=loss): return value.item()  # <-  # fmt: skip

        shown.append(show)


def by_a_partial_of_the_last_state():
    """graph-chain | advance | replaced"""
    layer = nn.Linear(4, 3)
    optimizer = torch.optim.SGD(layer.parameters(), 0.01)
    advance = functools.partial(torch.add, torch.zeros(3))
    for _ in range(STEPS):
        state = 0.5 * advance(layer(torch.randn(4)))
        optimizer.zero_grad()
        state.sum().backward(retain_graph=True)
        optimizer.step()
        advance = functools.partial(torch.add, state)  # <-


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


def through_the_generator_in_a_loss_of_its_own():
    """second-backward | fake | replaced"""
    torch.manual_seed(0)
    generator, critic = nn.Sequential(nn.Linear(4, 2), nn.Tanh()), nn.Linear(2, 1)
    of_generator = torch.optim.SGD(generator.parameters(), 0.01)
    of_critic = torch.optim.SGD(critic.parameters(), 0.01)

    def of_real_and_made(real, made):
        ones = (critic(real) - 1).pow(2).mean()
        zeros = critic(made).pow(2).mean()  # <-
        return ones + zeros

    for _ in range(STEPS):
        fake = generator(torch.randn(8, 4))
        of_critic.zero_grad()
        loss = of_real_and_made(torch.randn(8, 2), fake)
        loss.backward()
        of_critic.step()
        of_generator.zero_grad()
        (critic(fake) - 1).pow(2).mean().backward()
        of_generator.step()


def through_the_generator_in_an_update_of_its_own():
    """second-backward | rows | replaced"""
    torch.manual_seed(0)
    generator, critic = nn.Sequential(nn.Linear(4, 2), nn.Tanh()), nn.Linear(2, 1)
    of_generator = torch.optim.SGD(generator.parameters(), 0.01)
    of_critic = torch.optim.SGD(critic.parameters(), 0.01)

    def update_of_the_critic(real, synth):
        loss = critic(real).mean() + critic(synth).pow(2).mean()  # <-
        of_critic.zero_grad()
        loss.backward()
        of_critic.step()

    for _ in range(STEPS):
        rows = generator(torch.randn(8, 4))
        update_of_the_critic(torch.randn(8, 2), rows)
        of_generator.zero_grad()
        (critic(rows) - 1).pow(2).mean().backward()
        of_generator.step()


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


def descent_by_hand_on_a_dict():
    """graph-chain | weights['w'] | words"""
    torch.manual_seed(0)
    weights = {"w": torch.randn(4, requires_grad=True)}
    for _ in range(STEPS):
        (torch.randn(8, 4) @ weights["w"]).pow(2).mean().backward()
        weights = {k: w - 0.01 * w.grad for k, w in weights.items()}  # <-
        weights["w"].retain_grad()


def by_a_comprehension_that_is_not_done():
    """graph-held | history | words"""
    step = job()
    history = [step() for _ in range(3 * STEPS)]  # <-
    return len(history)


def by_an_iterator_that_lags_behind():
    """graph-held | to_sum_up | words"""
    step = job()
    to_show, to_sum_up = itertools.tee(step() for _ in range(3 * STEPS))  # <-
    for loss in to_show:
        loss.item()
    sum(loss.item() for loss in to_sum_up)


@dataclass
class Moment:
    worth: torch.Tensor
    chance: torch.Tensor


@dataclass
class Stretch:
    moments: list


def stretches(step_of, count):
    """The last moment of each third stretch waits for the next one."""
    waiting = None
    for number in range(count):
        stretch = Stretch([] if waiting is None else [waiting])
        waiting = None
        stretch.moments += [step_of() for _ in range(4)]
        if number % 3 == 2:
            waiting = stretch.moments[-1]  # <-
        yield stretch


def by_what_moves_from_one_object_to_the_next():
    """second-backward | waiting | words"""
    weight = torch.ones(4, requires_grad=True)
    optimizer = torch.optim.SGD([weight], 0.01)

    def moment():
        seen = (torch.randn(4) * weight).tanh()
        return Moment(seen.sum().exp(), seen.prod())

    coming = stretches(moment, STEPS)
    for stretch in coming:
        optimizer.zero_grad()
        sum(m.worth * m.chance for m in stretch.moments).backward()
        optimizer.step()


def move(optimizer, loss):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def by_the_step_of_another_before_its_own():
    """inplace-modified | - | words"""
    torch.manual_seed(0)
    generator, critic = nn.Linear(4, 4), nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1))
    first = torch.optim.SGD(critic.parameters(), 0.01)
    second = torch.optim.SGD(generator.parameters(), 0.01)
    for _ in range(STEPS):
        fake = generator(torch.randn(8, 4))
        of_critic = critic(fake.detach()).mean()
        of_generator = -critic(fake).mean()
        move(first, of_critic)  # <-
        move(second, of_generator)


class Warm:
    def __init__(self):
        self.state = None


def an_epoch(warm, weight, optimizer):
    """Cuts its state between the batches, and not where it hands it over."""
    state = warm.state if warm.state is not None else torch.zeros(4)
    for number in range(3):
        state = state.detach() if number else state
        state = (state * 0.5 + weight).tanh()
        optimizer.zero_grad()
        state.pow(2).sum().backward()
        optimizer.step()
    warm.state = state  # <-


def from_the_end_of_one_epoch_to_the_next():
    """second-backward | warm.state | words"""
    weight = torch.ones(4, requires_grad=True)
    optimizer, warm = torch.optim.SGD([weight], 0.01), Warm()
    for _ in range(STEPS):
        an_epoch(warm, weight, optimizer)


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


class Codes(NamedTuple):
    z: torch.Tensor


class Judge:
    def __init__(self):
        self.critic = nn.Linear(2, 1)
        self.optimizer = torch.optim.SGD(self.critic.parameters(), 0.01)

    def backward(self, codes):
        loss = self.critic(codes.z).pow(2).mean()  # <-
        self.optimizer.zero_grad()
        loss.backward()


def by_a_critic_that_steps_later():
    """second-backward | codes.z | words"""
    torch.manual_seed(0)
    encoder, judge = nn.Sequential(nn.Linear(4, 2), nn.Tanh()), Judge()
    of_encoder = torch.optim.SGD(encoder.parameters(), 0.01)
    for _ in range(STEPS):
        codes = Codes(encoder(torch.randn(8, 4)))
        judge.backward(codes)
        loss = -judge.critic(codes.z).mean()
        of_encoder.zero_grad()
        loss.backward()
        of_encoder.step()
        judge.optimizer.step()


def by_one_loss_whose_gradients_are_read_and_cleared():
    """second-backward | codes | words"""
    gc.collect()  # another job's optimizer, with gradients that wait, is none of this one's
    torch.manual_seed(0)
    encoder, head = nn.Sequential(nn.Linear(4, 2), nn.Tanh()), nn.Linear(2, 1)
    optimizer = torch.optim.SGD([*encoder.parameters(), *head.parameters()], 0.01)
    for _ in range(STEPS):
        codes = encoder(torch.randn(8, 4))
        of_size, of_sign = codes.pow(2).mean(), head(codes).mean()
        of_size.backward()
        optimizer.zero_grad()
        of_sign.backward()  # <-
        optimizer.step()


@dataclass
class Opinion:
    author: str
    leaning: torch.Tensor


class Blackboard:
    def __init__(self):
        self.notes = {}

    def pin(self, opinion):
        self.notes[opinion.author] = opinion


def by_what_is_put_away_under_a_key_of_its_own():
    """second-backward | board.notes['0'].leaning | words"""
    torch.manual_seed(0)
    model, board = nn.Sequential(nn.Linear(4, 3), nn.Tanh()), Blackboard()
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for number in range(STEPS):
        score = model(torch.randn(8, 4)).tanh()
        loss = score.mean()
        for other in [note for name, note in board.notes.items() if name != str(number % 2)]:
            loss = loss + (score - other.leaning).pow(2).mean()
        board.pin(Opinion(str(number % 2), leaning=score))  # <-
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


@dataclass(frozen=True)
class Passing:
    warmth: torch.Tensor

    def truncated(self):
        return replace(self, warmth=self.warmth.detach())


class Restarting:
    def __init__(self):
        self.weight = torch.ones(4, requires_grad=True)
        self.optimizer = torch.optim.SGD([self.weight], 0.01)
        self.carry, self.best = Passing(torch.zeros(4)), []

    def step(self):
        hidden = (self.carry.warmth * 0.5 + self.weight).tanh()
        self.optimizer.zero_grad()
        hidden.pow(2).sum().backward()
        self.optimizer.step()
        after = Passing(hidden)
        self.best[:] = [after]
        self.carry = after.truncated()

    def restart(self):
        self.carry = self.best[-1]  # <-


def by_a_record_that_is_taken_up_again():
    """second-backward | training.carry.warmth | words"""
    training = Restarting()
    for number in range(STEPS):
        if number % 6 == 5:
            training.restart()
        training.step()


def pulled_to_an_anchor(weight):
    anchor = weight.detach().clone()

    def pull():
        nonlocal anchor
        anchor = torch.lerp(anchor, weight, 0.1)  # <-
        return (weight - anchor).pow(2).sum()

    return pull


def by_a_closure_that_begins_detached():
    """graph-chain | anchor | words"""
    torch.manual_seed(0)
    weight = torch.ones(4, requires_grad=True)
    pull = pulled_to_an_anchor(weight)
    optimizer = torch.optim.SGD([weight], 0.01)
    for _ in range(STEPS):
        optimizer.zero_grad()
        ((torch.randn(8, 4) @ weight).mean() + pull()).backward()
        optimizer.step()


def by_the_forward_of_a_custom_function():
    """graph-held | Kept.results | words"""

    class Kept(torch.autograd.Function):
        results: ClassVar = []

        @staticmethod
        def forward(ctx, x):
            y = x * 2
            Kept.results.append(y)  # <-
            return y

        @staticmethod
        def backward(ctx, gradient):
            return gradient * 2

    torch.manual_seed(0)
    model = nn.Linear(4, 3)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for _ in range(STEPS):
        optimizer.zero_grad()
        Kept.apply(model(torch.randn(8, 4))).pow(2).mean().backward()
        optimizer.step()


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


@dataclass(frozen=True)
class State:
    weight: torch.Tensor
    mean: torch.Tensor


def advanced(state, optimizer):
    loss = (state.weight - state.mean).pow(2).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    mean = torch.lerp(state.mean, state.weight, 0.1)
    return replace(state, mean=mean), loss.item()  # <-


class Carry(NamedTuple):
    params: dict
    count: int


def unpacked(state, rate, optimizer):
    params, count = state
    moved = {name: p - rate * 0.1 for name, p in params.items()}
    optimizer.zero_grad()
    sum(p.sum() for p in moved.values()).backward(retain_graph=True)
    optimizer.step()
    return Carry(moved, count + 1)  # <-


def by_a_record_that_a_function_unpacks():
    """graph-chain | state | words"""
    torch.manual_seed(0)
    rate = torch.ones(3, requires_grad=True)
    optimizer = torch.optim.SGD([rate], 0.01)
    state = Carry({"a": torch.zeros(3), "b": torch.zeros(3)}, 0)
    while state.count < STEPS:
        state = unpacked(state, rate, optimizer)  # <-


def by_a_record_that_a_function_hands_back():
    """graph-chain | state.mean | words"""
    torch.manual_seed(0)
    weight = torch.ones(4, requires_grad=True)
    optimizer = torch.optim.SGD([weight], 0.01)
    state = State(weight, torch.zeros(4))
    for _ in range(STEPS):
        state, _loss = advanced(state, optimizer)


def by_a_context_variable():
    """graph-chain | level | replaced"""
    torch.manual_seed(0)
    level = contextvars.ContextVar("level")
    level.set(torch.zeros(3))
    weight = torch.ones(3, requires_grad=True)
    optimizer = torch.optim.SGD([weight], 0.01)
    for _ in range(STEPS):
        now = level.get() * 0.9 + weight
        optimizer.zero_grad()
        now.pow(2).sum().backward(retain_graph=True)
        weight.data.sub_(weight.grad, alpha=0.01)
        level.set(now)  # <-


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


class Filter:
    """Its state is a pair, given anew after each step from what one call alone knows by name."""

    def __init__(self):
        self.gain = nn.Parameter(torch.tensor(0.5))
        self.pair = (torch.zeros(3), torch.ones(3))
        self.optimizer = torch.optim.SGD([self.gain], 0.01)

    def predicted(self):
        (level, slope), gain = self.pair, self.gain.sigmoid()
        return level + gain * slope, slope * gain

    def corrected(self, level, slope):
        seen = torch.randn(3)
        self.pair = (level + 0.1 * (seen - level), slope + 0.1 * (seen - slope))  # <-

    def window(self):
        level, slope = self.predicted()
        self.optimizer.zero_grad()
        (level.pow(2).sum() + slope.pow(2).sum()).backward(retain_graph=True)
        self.optimizer.step()
        self.corrected(level, slope)


def by_a_pair_that_is_corrected_after_the_step():
    """graph-chain | filtered.pair | words"""
    torch.manual_seed(0)
    filtered = Filter()
    for _ in range(STEPS):
        filtered.window()


class Centres:
    def __init__(self):
        self.places = torch.zeros(3, 2)
        self.seen = [False] * 3

    @torch.no_grad()
    def follow(self, points):
        for number in range(3):
            if self.seen[number]:
                self.places[number].mul_(0.9).add_(points[number], alpha=0.1)
            else:
                self.places[number] = points[number]
                self.seen[number] = True


def by_one_of_two_statements_in_a_call():
    """inplace-modified | - | words"""
    torch.manual_seed(0)
    encoder, centres = nn.Linear(4, 2), Centres()
    for _ in range(STEPS):
        points = encoder(torch.randn(3, 4))
        distance = torch.cdist(points, centres.places).diagonal().sum()
        centres.follow(points)  # <-
        distance.backward()


def by_a_view_of_it():
    """inplace-modified | shown | replaced"""
    torch.manual_seed(0)
    model = nn.Linear(4, 3)
    for _ in range(STEPS):
        shares = model(torch.randn(8, 4)).softmax(1)
        loss = -shares.log().mean()
        shown = shares.detach()[:, 1:]
        shown.clamp_(min=0.4)  # <-
        loss.backward()


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


def by_gradients_that_are_zeroed_with_their_graph():
    """graph-held | each.grad | words"""
    model = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for _ in range(STEPS):
        for each in model.parameters():
            if each.grad is not None:
                with torch.no_grad():
                    each.grad.zero_()
        model(torch.randn(8, 4)).pow(2).sum().backward(create_graph=True)  # <-
        optimizer.step()


def by_a_second_pass_when_the_first_ones_gradients_are_gone():
    """second-backward | score | before"""
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(STEPS):
        x = torch.randn(8, 4)
        score = model(x)
        score.pow(2).mean().backward()
        optimizer.zero_grad()
        score.pow(2).mean().backward()  # <-
        optimizer.step()


def conditioned(model, optimizer):
    last = None

    def step(x):
        nonlocal last
        given = last if last is not None and random.random() < 2.0 else torch.zeros_like(x)
        estimate = model(torch.cat([x, given], dim=-1))
        last = estimate  # <-
        loss = (estimate - x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    return step


def by_a_closures_variable_that_is_taken_up_now_and_then():
    """second-backward | last | words"""
    model = nn.Linear(8, 4)
    step = conditioned(model, torch.optim.SGD(model.parameters(), lr=0.01))
    for _ in range(STEPS):
        step(torch.randn(3, 4))


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


class Labels:
    def __init__(self, encode):
        self.encode, self.rows = encode, {}

    def matrix(self, task):
        rows = self.rows.get(task)
        if rows is None:
            rows = self.rows[task] = self.encode(torch.ones(2, 4))  # <-
        return rows


def by_a_memory_that_two_batches_of_one_step_ask():
    """second-backward | labels.rows['a'] | words"""
    model = nn.Sequential(nn.Linear(4, 4), nn.Tanh())
    optimizer, labels = torch.optim.SGD(model.parameters(), lr=0.01), Labels(model)
    for _ in range(STEPS):
        optimizer.zero_grad()
        for _ in range(2):
            (model(torch.randn(3, 4)) @ labels.matrix("a").t()).pow(2).sum().backward()
        optimizer.step()
        labels.rows.clear()


def actor():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
    return model, torch.optim.Adam(model.parameters(), lr=1e-3)


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


@dataclass
class Rollout:
    states: torch.Tensor
    log_probs: torch.Tensor

    def flat(self):
        return Rollout(self.states.flatten(0, 1), self.log_probs.flatten(0, 1))


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


def by_a_loss_that_a_closure_does_not_make():
    """second-backward | loss | words"""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
    optimizer = torch.optim.LBFGS(model.parameters(), max_iter=4)
    x, y = torch.randn(16, 3), torch.randn(16, 1)
    for _ in range(STEPS):
        loss = (model(x) - y).pow(2).mean()  # <-

        def closure(loss=loss):
            optimizer.zero_grad()
            loss.backward()
            return loss

        optimizer.step(closure)


def by_a_part_that_a_closure_does_not_make():
    """second-backward | anchor | words"""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
    optimizer = torch.optim.LBFGS(model.parameters(), max_iter=4)

    def objective(anchor):
        optimizer.zero_grad()
        loss = model(torch.randn(16, 3)).pow(2).mean() + anchor
        loss.backward()
        return loss

    for _ in range(STEPS):
        anchor = (model(torch.ones(2, 3)) - 1).pow(2).mean()  # <-
        optimizer.step(functools.partial(objective, anchor))


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


def by_what_an_optimizer_keeps_under_a_key():
    """graph-held | state | replaced"""
    torch.manual_seed(0)
    model, state = nn.Linear(4, 3), collections.defaultdict(dict)
    for _ in range(STEPS):
        loss = model(torch.randn(8, 4)).pow(2).mean()
        gradients = torch.autograd.grad(loss, list(model.parameters()), create_graph=True)
        with torch.no_grad():
            sizes = [gradient.abs().sum() for gradient in gradients]
        sum((g * g).sum() for g in gradients).backward()
        for p, g in zip(model.parameters(), gradients, strict=True):
            own = state[p]
            own["steps"] = own.get("steps", 0) + 1
            own["mean"] = 0.9 * own.get("mean", 0.0) + 0.1 * g  # <-
            p.data.sub_(0.001 * g.detach())
        assert len(sizes) == 2


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


def by_an_advantage_of_which_both_losses_are_made_first():
    """second-backward | advantage | replaced"""
    model, optimizer = actor()
    critic = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
    second = torch.optim.Adam(critic.parameters(), lr=1e-3)
    for _ in range(STEPS):
        states = torch.randn(4, 3)
        advantage = torch.rand(4, 1) - critic(states)
        actor_loss = -(model(states) * advantage).mean()  # <-
        critic_loss = advantage.pow(2).mean()
        optimizer.zero_grad()
        actor_loss.backward()
        optimizer.step()
        second.zero_grad()
        critic_loss.backward()
        second.step()


def by_a_loss_that_is_walked_again_elsewhere():
    """second-backward | loss | before"""
    model, optimizer = actor()
    for _ in range(STEPS):
        states = torch.randn(4, 3)
        loss = model(states).pow(2).mean()
        loss.backward()
        model[0].weight.data.add_(0.01 * model[0].weight.grad)
        optimizer.zero_grad()
        loss.backward()  # <-
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


def by_a_sum_on_which_backward_is_called():
    """second-backward | total | words"""
    model, optimizer = actor()
    total = 0.0
    for _ in range(STEPS):
        loss = model(torch.randn(4, 3)).pow(2).mean()
        total += loss  # <-
        optimizer.zero_grad()
        total.backward()
        optimizer.step()


class Propagation(nn.Module):
    def __init__(self):
        super().__init__()
        self.edges, self.mix, self.memo = nn.Parameter(torch.zeros(4, 4)), nn.Linear(3, 1), None

    def matrix(self):
        if self.memo is None:
            self.memo = self.edges.exp() / self.edges.exp().sum()  # <-
        return self.memo

    def forward(self, x):
        return self.matrix() @ self.mix(x)


def by_a_memory_of_one_thing():
    """second-backward | net.memo | words"""
    torch.manual_seed(0)
    net = Propagation()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    for _ in range(STEPS):
        optimizer.zero_grad()
        net(torch.randn(4, 3)).pow(2).mean().backward()
        optimizer.step()


class Pooling:
    def __init__(self, pool):
        self.pool, self.pooled = pool, {}

    def of(self, number, row):
        if number not in self.pooled:
            self.pooled[number] = self.pool(row).tanh()  # <-
        return self.pooled[number]

    def __call__(self, rows):
        return torch.stack([self.of(number, row) for number, row in rows])


class Training:
    def __init__(self):
        torch.manual_seed(0)
        self.pooling = Pooling(nn.Linear(3, 3))
        self.head = nn.Linear(3, 1)
        weights = [*self.pooling.pool.parameters(), *self.head.parameters()]
        self.optimizer = torch.optim.SGD(weights, lr=0.01)

    def fit(self, rows):
        for _ in range(2):
            for at in range(0, len(rows), 4):
                batch = self.pooling(rows[at : at + 4])
                self.optimizer.zero_grad()
                self.head(batch).pow(2).mean().backward()
                self.optimizer.step()


def by_a_memory_that_another_self_fills():
    """second-backward | self.pooling.pooled | words"""
    Training().fit(list(enumerate(torch.randn(48, 3))))


class Backwards(torch.autograd.Function):
    """Turns gradients around, and saves nothing."""

    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, gradient):
        return -gradient


class OneStep:
    """What the two losses of a step share."""

    def __init__(self, encoder, x):
        self.encoder, self.x, self.made = encoder, x, None

    @property
    def pooled(self):
        if self.made is None:
            self.made = self.encoder(self.x).tanh()
        return self.made


def behind_a_function_that_saves_nothing():
    """second-backward | shared.made | words"""
    torch.manual_seed(0)
    encoder, head, other = nn.Linear(4, 3), nn.Linear(3, 2), nn.Linear(3, 2)
    losses = [
        lambda shared: head(shared.pooled).pow(2).mean(),
        lambda shared: other(Backwards.apply(shared.pooled)).exp().mean(),
    ]
    optimizer = torch.optim.SGD([*encoder.parameters(), *head.parameters()], 0.01)
    for number in range(40):
        shared = OneStep(encoder, torch.randn(8, 4))
        optimizer.zero_grad()
        for loss in losses[: 1 + number // 6]:
            loss(shared).backward()  # <-
        optimizer.step()


def by_advantages_that_train_the_critic():
    """second-backward | advantages | before"""
    policy, critic = nn.Linear(4, 2), nn.Linear(4, 1)
    by_policy = torch.optim.SGD(policy.parameters(), 0.01)
    for _ in range(STEPS):
        states, returns = torch.randn(8, 4), torch.randn(8)
        advantages = returns - critic(states).squeeze(-1).exp()
        advantages = advantages / advantages.std()  # <-
        for _ in range(3):
            loss = -(policy(states).log_softmax(-1)[:, 0] * advantages).mean()
            by_policy.zero_grad()
            loss.backward()
            by_policy.step()


def by_records_that_a_function_hands_back():
    """graph-held | done | replaced"""
    step, done = job(), collections.deque()

    def one_round(n):
        loss = step()
        return {"round": n, "loss": loss, "shifted": loss + 1}  # <-

    for n in range(STEPS):
        done.append(one_round(n))


@dataclass
class Outcome:
    number: int
    loss: torch.Tensor


def by_records_of_a_class_that_a_function_hands_back():
    """graph-held | outcomes | replaced"""
    step, outcomes = job(), {}

    def one_outcome(n):
        return Outcome(n, step())  # <-

    for n in range(STEPS):
        outcomes[n] = one_outcome(n)


def by_gradients_asked_for_ahead():
    """second-backward | - | replaced"""
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)

    def adapted(x):
        fit = model(x).pow(2).mean()
        gradients = torch.autograd.grad(fit, list(model.parameters()))  # <-
        return [p - 0.1 * g for p, g in zip(model.parameters(), gradients, strict=True)], fit

    for _ in range(STEPS):
        x = torch.randn(8, 4)
        weights, fit = adapted(x)
        loss = nn.functional.linear(x, *weights).pow(2).mean() + 0.1 * fit
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def by_gradients_of_several_losses():
    """second-backward | - | replaced"""
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for _ in range(STEPS):
        out = model(torch.randn(8, 4)).tanh()
        losses = [out.pow(2).mean(), (out - 1).pow(2).mean()]
        norms = [torch.autograd.grad(each, model.weight)[0].norm() for each in losses]  # <-
        loss = sum(norm.item() * each for norm, each in zip(norms, losses, strict=True))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def by_a_function_that_saves_its_scratch():
    """inplace-modified | - | replaced"""
    model, scratch = nn.Linear(4, 4), torch.empty(8, 4)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)

    class Threshold(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, scratch):
            margin = torch.sub(x.abs(), 0.1, out=scratch)  # <- by the next call
            ctx.save_for_backward(x, margin)
            return x.sign() * margin.clamp(min=0)

        @staticmethod
        def backward(ctx, gradient):
            _, margin = ctx.saved_tensors
            return gradient * (margin > 0), None

    for _ in range(STEPS):
        x = torch.randn(8, 4)
        for _ in range(2):
            x = Threshold.apply(model(x), scratch)
        loss = x.pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def by_a_meter_that_is_given_numbers_too():
    """graph-held | meter.weighed | replaced"""
    step, size = job(), 8

    class Meter:
        weighed = 0.0

        def update(self, value, n):
            self.weighed += value * n  # <-

    meter, speed = Meter(), Meter()
    for _ in range(STEPS):
        meter.update(step(), size)
        speed.update(0.5, size)


class Listening(nn.Module):
    def __init__(self, layers=2):
        super().__init__()
        self.loudness = nn.ParameterList(torch.zeros(4) for _ in range(layers))
        self.heard = [None] * layers

    def forward(self, x):
        for place, loudness in enumerate(self.loudness):
            before = self.heard[place]
            x = x + loudness if before is None else x + loudness + before
            self.heard[place] = x  # <-
        return x


class Listener:
    def __init__(self, model):
        self.ear = model
        self.optimizer = torch.optim.SGD(model.parameters(), 0.01)

    def listen(self):
        for _ in range(STEPS):
            loss = self.ear(torch.randn(8, 4)).pow(2).mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()


def by_states_of_which_there_are_none_at_first():
    """graph-chain | listener.ear.heard | words"""
    listener = Listener(Listening())
    listener.listen()


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


class Timing(NamedTuple):
    seconds: float
    outcome: object


class Stopwatch:
    def __init__(self):
        self.timings = []

    def take(self, seconds: float, outcome: object):
        self.timings.append(Timing(seconds, outcome))  # <-


def by_outcomes_some_of_which_are_numbers():
    """graph-held | watch.timings | words"""
    step, watch, other = job(), Stopwatch(), Stopwatch()
    for _ in range(STEPS):
        watch.take(0.1, step())
        other.take(0.1, 0.5)


class Scoreboard:
    def __init__(self):
        self.rows = collections.defaultdict(list)

    def put(self, tag, score, at):
        self.rows[tag].append((at, score))  # <-


def by_rows_some_of_which_are_of_numbers():
    """graph-held | board.rows['loss'] | words"""
    step, board = job(), Scoreboard()
    for n in range(STEPS):
        board.put("reward", n / STEPS, n)
        board.put("loss", step(), n)


def by_rows_that_are_all_of_tensors():
    """graph-held | board.rows['loss'] | words"""
    step, board = job(), Scoreboard()
    for n in range(STEPS):
        loss = step()
        board.put("loss", loss, n)
        board.put("twice", loss.detach() * 2, n)


class TwoStates(NamedTuple):
    cell: torch.Tensor
    hidden: torch.Tensor
    age: int


def by_a_record_of_two_states_and_a_count():
    """graph-chain | memory | words"""
    weight = torch.zeros(4, requires_grad=True)
    optimizer = torch.optim.SGD([weight], 0.01)
    memory = TwoStates(torch.zeros(4), torch.zeros(4), 0)
    for _ in range(STEPS):
        cell = memory.cell + weight
        memory = TwoStates(cell, memory.hidden + cell, memory.age + 1)  # <-
        optimizer.zero_grad()
        memory.hidden.sum().backward()
        optimizer.step()


class Seen:
    def __init__(self):
        self.by_layer = collections.defaultdict(lambda: {"mean": [], "dead": []})

    def take(self, name, value):
        entry = self.by_layer[name]
        entry["mean"].append(value.abs().mean())  # <-
        entry["dead"].append((value <= 0).float().mean().item())


def by_lists_of_each_layer():
    """graph-held | seen.by_layer | words"""
    step, seen = job(), Seen()
    for _ in range(STEPS):
        loss = step()
        for name in ("first", "second", "third"):
            seen.take(name, loss * 2)


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


@dataclass(frozen=True, eq=False)
class Draft:
    """Each leads to the one that it came from."""

    at: int = 0
    worth: torch.Tensor | None = None
    came_from: object = None


def judged(draft, weight):
    return replace(draft, worth=weight.exp().sum())


def by_drafts_that_lead_to_their_origin():
    """graph-held | draft | words"""
    weight, draft = torch.zeros(4, requires_grad=True), Draft()
    optimizer = torch.optim.SGD([weight], 0.01)
    for n in range(STEPS):
        draft = judged(replace(draft, at=n, came_from=draft), weight)  # <-
        optimizer.zero_grad()
        draft.worth.backward()
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


def by_sums_of_a_dict_of_losses():
    """graph-held | sums | replaced"""
    step, sums = job(), collections.defaultdict(float)
    for n in range(STEPS):
        loss = step()
        for name, value in {"loss": loss, "scaled": 2 * loss, "step": n}.items():
            sums[name] += value  # <-


def by_lists_of_a_dict_of_losses():
    """graph-held | history | replaced"""
    step, history = job(), collections.defaultdict(list)
    for n in range(STEPS):
        loss = step()
        for name, value in {"loss": loss, "scaled": 2 * loss, "step": n}.items():
            history[name].append(value)  # <-


def by_a_row_with_what_was_unpacked():
    """graph-held | rows | replaced"""
    step, rows = job(), []
    for n in range(STEPS):
        logs = {"loss": step()}
        rows.append({"step": n, **logs})  # <-


def by_what_was_zipped():
    """graph-held | worst | replaced"""
    step, worst = job(), []
    for n in range(STEPS):
        loss = step()
        worst.extend(zip([loss, loss + 1], (n, -n), strict=True))  # <-


def by_gradients_with_a_switch():
    """second-backward | - | replaced"""
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)

    def slope(y, x, last):
        (found,) = torch.autograd.grad(y.sum(), x, create_graph=not last)  # <-
        return found

    for _ in range(STEPS):
        x = torch.randn(8, 4, requires_grad=True)
        y = model(x).tanh()
        loss = (slope(y, x, last=True) + y).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


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


class Track:
    def __init__(self, mean, spread):
        self.mean, self.spread = mean, spread


def by_a_queue_of_things_with_two_attributes():
    """graph-chain | waiting | before"""
    gain = torch.ones(1, requires_grad=True)
    optimizer = torch.optim.SGD([gain], 0.001)
    waiting = queue.Queue()
    for _ in range(3):
        waiting.put(Track(torch.zeros(1), torch.ones(1)))
    for _ in range(STEPS):
        track = waiting.get()
        track = Track(0.9 * track.mean + gain, 0.9 * track.spread + gain)
        loss = (track.mean + track.spread - 1).sum()
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()
        waiting.put(track)  # <-


def by_a_record_of_which_one_field_is_cut():
    """graph-chain | guess.spread | replaced"""

    @dataclass(frozen=True)
    class Guess:
        mean: torch.Tensor
        spread: torch.Tensor

        def handed_over(self):
            return replace(self, mean=self.mean.detach())  # <-

    gain = torch.ones(1, requires_grad=True)
    optimizer = torch.optim.SGD([gain], 0.001)
    guess = Guess(torch.zeros(1), torch.ones(1))
    for _ in range(STEPS):
        guess = Guess(0.9 * guess.mean + gain, 0.9 * guess.spread + gain)
        loss = (guess.mean + guess.spread - 1).sum()
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()
        guess = guess.handed_over()


def by_sums_that_are_attributes_of_made_up_names():
    """graph-held | sums.drift | replaced"""
    step, sums = job(), types.SimpleNamespace()

    def record(count, **values):
        for key, value in values.items():
            setattr(sums, key, getattr(sums, key, 0.0) + count * value)  # <-

    for n in range(STEPS):
        record(8, drift=step(), rate=0.1 * n)


def by_slow_weights_of_a_function_around():
    """graph-chain | slow | before"""
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    slow = {name: p.detach().clone() for name, p in model.named_parameters()}

    def drag():
        for name, p in model.named_parameters():
            slow[name] = slow[name].lerp(p, 0.1)  # <-

    for _ in range(STEPS):
        drag()
        gap = torch.stack([(p - slow[n]).pow(2).sum() for n, p in model.named_parameters()])
        loss = model(torch.randn(8, 4)).pow(2).mean() + gap.sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def by_gradients_asked_for_behind_the_backward():
    """second-backward | - | words"""
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)

    def sensitivity(result):
        return torch.autograd.grad(result["loss"], model.weight)[0].norm()  # <-

    for _ in range(STEPS):
        result = {"loss": model(torch.randn(8, 4)).tanh().pow(2).mean()}
        optimizer.zero_grad()
        result["loss"].backward()
        sensitivity(result)
        optimizer.step()


def by_a_norm_that_is_told_to_free():
    """second-backward | border | replaced"""
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)

    def norm(loss, keep):
        (found,) = torch.autograd.grad(loss, model.weight, retain_graph=keep)
        return found.norm()

    for _ in range(STEPS):
        inner = model(torch.randn(8, 4)).tanh().pow(2).mean()
        border = model(torch.randn(8, 4)).tanh().pow(2).mean()
        inner_norm = norm(inner, True)
        border_norm = norm(border, False)  # <-
        loss = inner + (inner_norm / border_norm) * border
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def by_a_solver_whose_last_round_frees():
    """second-backward | - | replaced"""
    weight = torch.ones(4, requires_grad=True)
    strength = torch.ones(4, requires_grad=True)
    optimizer = torch.optim.SGD([strength], 0.01)

    def solve(slope, rounds):
        found = torch.ones(4)
        for n in range(rounds):
            (p,) = torch.autograd.grad(slope, weight, found, retain_graph=n < rounds - 1)  # <-
            found = found - 0.1 * p
        return found

    for _ in range(STEPS):
        inner = (strength.exp() * weight.pow(4)).sum()
        (slope,) = torch.autograd.grad(inner, weight, create_graph=True)
        (outer,) = torch.autograd.grad(weight.pow(2).sum(), weight)
        found = solve(slope, 3)
        (gradient,) = torch.autograd.grad(slope, strength, found * outer)
        strength.grad = -gradient
        optimizer.step()


def by_an_embedding_made_once_for_all_batches():
    """second-backward | embedding | words"""
    encoder, decoder = nn.Linear(4, 4), nn.Linear(4, 1)
    optimizer = torch.optim.SGD([*encoder.parameters(), *decoder.parameters()], 0.01)
    for _ in range(STEPS):
        embedding = encoder(torch.randn(16, 4)).tanh()  # <-
        for batch in torch.arange(16).split(4):
            loss = decoder(embedding[batch]).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
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


def by_a_list_of_a_class_of_its_own():
    """graph-held | losses | replaced"""

    class Losses(list):
        def note(self, loss):
            self.append(loss)  # <-

    step, losses = job(), Losses()
    for _ in range(STEPS):
        losses.note(step())


def by_a_dict_of_a_class_of_its_own():
    """graph-held | sums['loss'] | replaced"""

    class Sums(dict):
        def add(self, name, value):
            super().__setitem__(name, self.get(name, 0.0) + value)  # <-

    step, sums = job(), Sums()
    for _ in range(STEPS):
        sums.add("loss", step())


def by_a_user_list():
    """graph-held | ledger | replaced"""

    class Ledger(collections.UserList):
        def note(self, loss):
            self.append(loss)  # <-

    step, ledger = job(), Ledger()
    for _ in range(STEPS):
        ledger.note(step())


def by_a_dict_that_makes_what_is_missing():
    """second-backward | offsets | words"""

    class Lazily(collections.UserDict):
        def __init__(self, make):
            super().__init__()
            self.make = make

        def __missing__(self, key):
            self[key] = self.make(key)  # <-
            return self[key]

    model = nn.Linear(1, 1)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    offsets = Lazily(lambda length: model(torch.full((length, 1), 0.5)).tanh())
    for n in range(STEPS):
        loss = offsets[1 + n % 4].pow(2).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def by_two_lists_of_one_dict():
    """graph-held | parts | replaced"""
    step, parts = job(), {"style": [], "content": [], "steps": []}
    for n in range(STEPS):
        style = step()
        content = style + 1
        parts["style"].append(style)  # <-
        parts["content"].append(content)  # <-
        parts["steps"].append(n)


class Scores(NamedTuple):
    loss: torch.Tensor
    rates: torch.Tensor


def by_a_metric_that_counts_in_what_it_was_shown():
    """inplace-modified | bins | words"""
    model = nn.Linear(4, 1)

    def calibration(scores):
        bins = scores.rates.detach()
        bins.mul_(10).floor_()  # <-
        return bins.mean()

    for _ in range(STEPS):
        rates = model(torch.randn(8, 4)).sigmoid().squeeze(1)
        scores = Scores(nn.functional.binary_cross_entropy(rates, torch.ones(8)), rates)
        calibration(scores)
        scores.loss.backward()


def by_a_list_of_losses_that_is_backwarded_in_each_round():
    """second-backward | rounds | words"""
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for _ in range(STEPS):
        rounds = torch.zeros(())
        optimizer.zero_grad()
        for _ in range(3):
            rounds = rounds + model(torch.randn(8, 4)).tanh().pow(2).mean()
            rounds.backward()  # <-
        optimizer.step()


class Halved(torch.autograd.Function):
    @staticmethod
    def forward(ctx, weight):
        with torch.enable_grad():
            ctx.own = weight.detach().requires_grad_()
            ctx.result = (ctx.own.tanh() / 2).pow(2)
        return ctx.result.detach()

    @staticmethod
    def backward(ctx, gradient):
        (found,) = torch.autograd.grad(ctx.result, ctx.own, gradient)  # <-
        return found


def by_a_function_whose_backward_frees_its_own_graph():
    """second-backward | ctx.result | words"""
    weight = torch.ones(4, requires_grad=True)
    optimizer = torch.optim.SGD([weight], 0.01)
    for _ in range(STEPS):
        out = Halved.apply(weight)
        torch.autograd.grad(out.sum(), weight, retain_graph=True)
        optimizer.zero_grad()
        out.mean().backward()
        optimizer.step()


def by_an_attack_that_walks_the_encoder():
    """second-backward | code | replaced"""
    encoder, head = nn.Linear(4, 4), nn.Linear(4, 1)
    optimizer = torch.optim.SGD([*encoder.parameters(), *head.parameters()], 0.01)

    def attack(given):
        nudge = torch.zeros_like(given, requires_grad=True)
        harm = head(given + nudge).pow(2).mean()
        harm.backward()
        return nudge.grad.sign()

    for _ in range(STEPS):
        code = encoder(torch.randn(8, 4)).tanh()
        optimizer.zero_grad()
        nudge = attack(code)  # <-
        loss = head(code + 0.1 * nudge).pow(2).mean()
        loss.backward()
        optimizer.step()


class Delay:
    def __init__(self):
        self.ring = torch.zeros(4)
        self.place = 0

    def push(self, sample):
        self.ring[self.place] = sample  # <- inplace-modified by a ring that is gone
        self.place = (self.place + 1) % 4

    def weighed(self, taps):
        return self.ring @ taps


def by_a_ring_that_is_gone():
    """inplace-modified | self.ring | words"""
    taps = torch.ones(4, requires_grad=True)

    def filtered(samples):
        delay, found = Delay(), []
        for sample in samples:
            delay.push(sample)
            found.append(delay.weighed(taps))
        return torch.stack(found)

    for _ in range(STEPS):
        filtered(torch.randn(6)).sum().backward()


def actor_and_critic():
    actor, critic = nn.Linear(4, 1), nn.Linear(4, 1)
    return actor, critic, sgd_of(actor), sgd_of(critic)


def sgd_of(model):
    return torch.optim.SGD(model.parameters(), 0.01)


def by_an_advantage_of_two_optimizers():
    """second-backward | gain | replaced"""
    actor, critic, actor_steps, critic_steps = actor_and_critic()
    for _ in range(STEPS):
        state = torch.randn(8, 4)
        gain = 1 - critic(state).tanh()
        actor_loss = -(nn.functional.logsigmoid(actor(state)) * gain).mean()  # <-
        critic_loss = gain.pow(2).mean()
        actor_steps.zero_grad()
        critic_steps.zero_grad()
        actor_loss.backward()
        critic_loss.backward()
        actor_steps.step()
        critic_steps.step()


def by_an_advantage_whose_critic_comes_first():
    """second-backward | gain | replaced"""
    actor, critic, actor_steps, critic_steps = actor_and_critic()
    for _ in range(STEPS):
        state = torch.randn(8, 4)
        gain = 1 - critic(state).tanh()
        actor_loss = -(nn.functional.logsigmoid(actor(state)) * gain).mean()  # <-
        critic_loss = gain.pow(2).mean()
        actor_steps.zero_grad()
        critic_steps.zero_grad()
        critic_loss.backward()
        actor_loss.backward()
        actor_steps.step()
        critic_steps.step()


def by_a_code_that_both_losses_train():
    """second-backward | code | words"""
    encoder, decoder = nn.Linear(4, 2), nn.Linear(2, 4)
    encoder_steps, decoder_steps = sgd_of(encoder), sgd_of(decoder)
    for _ in range(STEPS):
        given = torch.randn(8, 4)
        code = encoder(given).tanh()
        likeness = (decoder(code) - given).pow(2).mean()
        size = code.pow(2).mean()
        encoder_steps.zero_grad()
        decoder_steps.zero_grad()
        likeness.backward()
        size.backward()  # <-
        encoder_steps.step()
        decoder_steps.step()


def by_slow_weights_in_a_dict_with_an_update_of_its_own():
    """graph-chain | anchors | before"""

    class Anchors(dict):
        def update(self, name, value):
            self[name] = self[name].lerp(value, 0.1)  # <-

    model = nn.Linear(4, 1)
    optimizer = sgd_of(model)
    anchors = Anchors((name, p.detach().clone()) for name, p in model.named_parameters())

    def pull():
        return torch.stack([(p - anchors[n]).pow(2).sum() for n, p in model.named_parameters()])

    for _ in range(STEPS):
        for name, p in model.named_parameters():
            anchors.update(name, p)
        loss = model(torch.randn(8, 4)).pow(2).mean() + pull().sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


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


def by_a_table_of_numbers_and_vectors():
    """graph-held | table | replaced"""
    step, table = job(), {}
    for n in range(STEPS):
        loss = step()
        parts = {"loss": loss, "out": loss.detach().repeat(3), "rate": 0.1}
        for name, value in parts.items():
            table[n, name] = value * 0.5  # <-


class Arm:
    def __init__(self):
        self.joints = torch.zeros(4)

    def dynamics(self, x, torque):
        speed = torch.tanh(torque) * x.flip(0).cos()
        return x + 0.1 * speed

    def apply(self, torque):
        self.joints = self.dynamics(self.joints, torque) + 0.01 * torch.randn(4)  # <- by the plant


def planned(arm, x0):
    """Several iterations with what it is given, which it does not store."""
    plan = torch.zeros(2, 4, requires_grad=True)
    optimizer = torch.optim.SGD([plan], 0.1)
    for _ in range(3):
        x = x0
        for torque in plan:
            x = arm.dynamics(x, torque)
        optimizer.zero_grad()
        x.pow(2).sum().backward(inputs=[plan])
        optimizer.step()
    return plan


def by_a_plant_that_is_planned_for():
    """graph-chain | arm.joints | words"""
    arm = Arm()
    for _ in range(STEPS):
        plan = planned(arm, arm.joints)
        arm.apply(plan[0])


def slope(u, x):
    return torch.autograd.grad(u.sum(), x, create_graph=True)[0]


def by_a_closure_whose_helper_asks_for_gradients():
    """second-backward | wave | words"""
    torch.manual_seed(0)
    inner, outer = nn.Linear(1, 8), nn.Linear(8, 1)
    weights = [*inner.parameters(), *outer.parameters()]
    x = torch.linspace(0, 1, 16).unsqueeze(1).requires_grad_()
    optimizer = torch.optim.LBFGS(weights, max_iter=4)
    for _ in range(3):
        wave = torch.tanh(inner(x))  # <-

        def closure():
            optimizer.zero_grad()
            loss = (slope(outer(wave), x) - 1).pow(2).mean()  # noqa: B023
            loss.backward()
            return loss

        optimizer.step(closure)


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


def by_a_temperature():
    """second-backward | chance | replaced"""
    torch.manual_seed(0)
    policy, warmth = nn.Linear(3, 1), torch.zeros((), requires_grad=True)
    of_policy = torch.optim.SGD(policy.parameters(), 0.01)
    of_warmth = torch.optim.SGD([warmth], 0.01)
    for _ in range(STEPS):
        chance = policy(torch.randn(8, 3)).sigmoid().log()
        gain = (warmth.exp().detach() * chance).mean()
        of_policy.zero_grad()
        gain.backward()
        gap = (warmth * (chance + 1)).mean()  # <-
        of_warmth.zero_grad()
        gap.backward()
        of_policy.step()
        of_warmth.step()


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


def by_rows_that_are_made_of_one_another():
    """inplace-modified | heat | replaced"""
    rate = torch.tensor(0.1, requires_grad=True)
    start = torch.linspace(0, 1, 8)
    for _ in range(4):
        heat = start * rate.exp()
        for _ in range(3):
            heat[1:-1] += rate * heat[1:-1] * (heat[2:] - heat[:-2])  # <-
        heat.sum().backward()


def by_advantages_that_are_told_apart_from_values():
    """second-backward | advantages | replaced"""
    torch.manual_seed(0)
    policy, value = nn.Linear(3, 2), nn.Linear(3, 1)
    of_policy = torch.optim.SGD(policy.parameters(), 0.01)
    of_value = torch.optim.SGD(value.parameters(), 0.01)

    def collected():
        values = [value(torch.randn(4, 3)).squeeze(-1) for _ in range(3)]
        running, steps = torch.zeros(4), []
        for each in values:
            running = torch.rand(4) - each + 0.9 * running
            steps.append(running)
        return torch.stack(values), torch.stack(steps)

    for _ in range(3):
        values, advantages = collected()
        worth = values.pow(2).mean()
        of_value.zero_grad()
        worth.backward()
        score = policy(torch.randn(3, 4, 3)).log_softmax(-1)[..., 0]
        gain = (score * advantages).mean()  # <-
        of_policy.zero_grad()
        gain.backward()
        of_value.step()
        of_policy.step()


class Balance:
    """Of two losses, each walked by a backward of its own."""

    def __init__(self):
        self.share = torch.zeros(())

    def settle(self, real, fake):
        lead = 0.5 * real - fake
        self.share = (self.share + 0.1 * lead).clamp(0, 1)  # <-


def by_a_balance_of_two_losses_after_both_steps():
    """second-backward | balance.share | words"""
    torch.manual_seed(0)
    critic, maker, balance = nn.Linear(4, 1), nn.Linear(2, 4), Balance()
    of_critic = torch.optim.SGD(critic.parameters(), 0.01)
    of_maker = torch.optim.SGD(maker.parameters(), 0.01)

    def iteration():
        real = critic(torch.randn(8, 4)).abs().mean()
        fake = critic(maker(torch.randn(8, 2)).detach()).abs().mean()
        of_critic.zero_grad()
        (real - balance.share * fake).backward()
        of_critic.step()
        of_maker.zero_grad()
        made = critic(maker(torch.randn(8, 2))).abs().mean()
        made.backward()
        of_maker.step()
        balance.settle(real, made)

    for _ in range(4):
        iteration()


def by_one_of_two_statements_that_change_the_same():
    """inplace-modified | self.vault | words"""
    torch.manual_seed(0)
    encoder, bank = nn.Linear(4, 3), Bank()
    for _ in range(9):
        loss = (encoder(torch.randn(8, 4)) @ bank.vault.t()).pow(2).mean()
        bank.absorb()  # <-
        loss.backward()


class Bank:
    def __init__(self):
        self.vault = torch.ones(5, 3)

    @torch.no_grad()
    def absorb(self):
        self.vault.mul_(0.9)
        self.vault.add_(0.1)


@dataclass
class Ride:
    states: torch.Tensor
    before: Ride | None = None


class Rides:
    def __init__(self):
        self.latest = None

    def ride(self, model):
        self.latest = Ride(model(torch.randn(8, 4)), before=self.latest)  # <-
        return self.latest


def by_what_a_variable_of_each_call_shows():
    """graph-held | rides.latest.before | words"""
    torch.manual_seed(0)
    model, rides = nn.Linear(4, 3), Rides()
    optimizer = torch.optim.SGD(model.parameters(), 0.01)

    def update():
        shown = rides.ride(model)
        optimizer.zero_grad()
        shown.states.pow(2).mean().backward()
        optimizer.step()

    for _ in range(STEPS):
        update()


def by_a_loss_of_several_that_has_gone():
    """second-backward | loss | words"""
    torch.manual_seed(0)
    trunk, heads = nn.Linear(4, 3), [nn.Linear(3, 1), nn.Linear(3, 1)]

    def losses():
        shared = trunk(torch.randn(8, 4)).relu()
        return [head(shared).pow(2).mean() for head in heads]

    for loss in losses():
        loss.backward()  # <-


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


def without_gradients(state):
    hidden, cell = state
    return hidden.detach(), cell  # <-


class Chunks:
    def __init__(self):
        self.core, self.handed = nn.LSTMCell(4, 3), None

    def learn(self, rows):
        state = self.handed if self.handed is not None else (torch.zeros(8, 3), torch.zeros(8, 3))
        error = 0
        for row in rows:
            state = self.core(row, state)
            error = error + state[0].pow(2).mean()
        self.handed = without_gradients(state)
        return error


def by_a_function_that_cuts_half():
    """second-backward | chunks.handed | words"""
    torch.manual_seed(0)
    chunks = Chunks()
    optimizer = torch.optim.SGD(chunks.core.parameters(), 0.01)
    for _ in range(4):
        error = chunks.learn(torch.randn(3, 8, 4))
        optimizer.zero_grad()
        error.backward()
        optimizer.step()


class Sample:
    def __init__(self, encoder):
        self.encoder, self.spectra = encoder, torch.randn(8, 4)

    @functools.cached_property
    def embedded(self):
        return self.encoder(self.spectra).relu()


def by_what_an_iteration_itself_has_remembered():
    """second-backward | sample.embedded | words"""
    torch.manual_seed(0)
    encoder, heads = nn.Linear(4, 3), [nn.Linear(3, 2), nn.Linear(3, 1)]
    optimizer = torch.optim.SGD(encoder.parameters(), 0.01)

    def learn(head, sample):
        loss = head(sample.embedded).pow(2).mean()
        loss.backward()  # <-

    for number in range(9):
        sample = Sample(encoder)
        optimizer.zero_grad()
        for head in heads[: 1 + number // 6]:
            learn(head, sample)
        optimizer.step()


class InUnits:
    def decoded(self, guessed):
        flat = guessed.detach()
        return flat.mul_(3.0)  # <-

    def on_guess(self, guessed, **_others):
        self.decoded(guessed).mean().item()


def by_a_listener_that_is_given_keywords():
    """inplace-modified | flat | words"""
    torch.manual_seed(0)
    model, listeners = nn.Linear(4, 1), [InUnits()]

    def tell(what, **details):
        for listener in listeners:
            getattr(listener, what)(**details)

    for _ in range(3):
        guess = model(torch.randn(8, 4)).squeeze(-1)
        loss = nn.functional.mse_loss(guess, torch.zeros(8))
        tell("on_guess", guessed=guess, rest=None)
        loss.backward()


class Counterfeiter:
    def __init__(self):
        self.net, self.newest = nn.Linear(2, 4), None

    def notes(self):
        self.newest = self.net(torch.randn(8, 2)).tanh()
        return self.newest


def by_what_a_function_hands_back_and_keeps():
    """second-backward | maker.newest | replaced"""
    torch.manual_seed(0)
    maker, judge = Counterfeiter(), nn.Linear(4, 1)
    of_maker = torch.optim.SGD(maker.net.parameters(), 0.01)
    of_judge = torch.optim.SGD(judge.parameters(), 0.01)

    def judges():
        seen = maker.notes()  # <-
        of_maker.zero_grad()
        of_judge.zero_grad()
        judge(seen).exp().mean().backward()
        of_judge.step()

    def makes():
        of_maker.zero_grad()
        of_judge.zero_grad()
        judge(maker.newest).pow(2).mean().backward()
        of_maker.step()

    for number in range(20):
        judges()
        if number % 5 == 4:
            makes()


class Matching:
    def __init__(self):
        self.aim = None

    def remember(self, layers):
        self.aim = torch.cat([layer.mean(0) for layer in layers])


def by_what_was_made_of_it_after_the_first_backward():
    """second-backward | matching.aim | replaced"""
    torch.manual_seed(0)
    critic, maker, matching = nn.Linear(4, 3), nn.Linear(2, 4), Matching()
    of_critic = torch.optim.SGD(critic.parameters(), 0.01)
    of_maker = torch.optim.SGD(maker.parameters(), 0.01)

    def judges():
        layers = [critic(torch.randn(8, 4)).tanh()]
        of_critic.zero_grad()
        layers[-1].pow(2).mean().backward()
        of_critic.step()
        matching.remember(layers)

    def makes(*, matched):
        seen = critic(maker(torch.randn(8, 2))).tanh()
        loss = seen.mean()
        if matched:
            loss = loss + (seen.mean(0) - matching.aim).pow(2).sum()  # <-
        of_maker.zero_grad()
        loss.backward()
        of_maker.step()

    for number in range(9):
        judges()
        makes(matched=number > 4)


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


def by_an_average_of_which_a_corrected_one_is_read():
    """second-backward | codes.summed | replaced"""
    torch.manual_seed(0)
    net = nn.Linear(4, 3)
    optimizer = torch.optim.SGD(net.parameters(), 0.01)
    codes = types.SimpleNamespace(summed=torch.zeros(3), centre=torch.zeros(3))
    for round_ in range(1, STEPS):
        out = net(torch.randn(8, 4)).exp()
        losses = {"near": (out - codes.centre).pow(2).mean(), "small": out.pow(2).mean()}
        codes.summed = 0.9 * codes.summed + 0.1 * out.mean(0)  # <-
        codes.centre = codes.summed / (1 - 0.9**round_)
        optimizer.zero_grad()
        sum(losses.values()).backward()
        optimizer.step()


class Lately:
    """An attribute that is computed once, by hand."""

    def __init__(self, compute):
        self.compute = compute

    def __set_name__(self, owner, name):
        self.called = name

    def __get__(self, owner, kind=None):
        computed = self.compute(owner)
        owner.__dict__[self.called] = computed
        return computed


class Mesh(nn.Module):
    def __init__(self):
        super().__init__()
        self.stiffness = nn.Parameter(torch.zeros(4))

    @Lately
    def spread(self):
        return self.stiffness.exp().diag()


def by_a_descriptor_that_remembers():
    mesh = Mesh()
    optimizer = torch.optim.SGD(mesh.parameters(), 0.01)
    for _ in range(STEPS):
        loss = (torch.randn(8, 4) @ mesh.spread).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class Symmetric(nn.Module):
    def forward(self, raw):
        return raw @ raw.t()


def by_the_cache_of_parametrizations():
    """second-backward | parametrize._cache | words"""
    layer = parametrize.register_parametrization(nn.Linear(4, 4), "weight", Symmetric())
    optimizer = torch.optim.SGD(layer.parameters(), 0.01)
    with parametrize.cached():  # <-
        for _ in range(STEPS):
            loss = layer(torch.randn(8, 4)).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    measured(layer)


@contextlib.contextmanager
def fast_weights():
    with parametrize.cached():  # <- by a context manager
        yield


def by_the_cache_that_a_context_manager_enters():
    layer = parametrize.register_parametrization(nn.Linear(4, 4), "weight", Symmetric())
    optimizer = torch.optim.SGD(layer.parameters(), 0.01)
    with fast_weights():
        for _ in range(STEPS):
            loss = layer(torch.randn(8, 4)).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def measured(layer):
    with torch.no_grad(), parametrize.cached():  # nothing is walked here
        return layer(torch.ones(8, 4)).sum().item()


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


def by_features_drawn_one_by_one_from_a_list():
    """second-backward | judged | replaced"""
    torch.manual_seed(0)
    judge, maker = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 4)]), nn.Linear(2, 4)
    steps_judge = torch.optim.SGD(judge.parameters(), 0.01)
    steps_maker = torch.optim.SGD(maker.parameters(), 0.01)

    def layers(x):
        judged = []
        for layer in judge:
            x = layer(x).tanh()
            judged.append(x)
        return judged

    for _ in range(STEPS):
        judged = layers(torch.randn(8, 4))
        steps_judge.zero_grad()
        judged[-1].exp().mean().backward()
        steps_judge.step()
        matching = 0.0
        for made, real in zip(layers(maker(torch.randn(8, 2))), judged, strict=True):
            matching = matching + (made.mean(0) - real.mean(0)).abs().mean()  # <-
        steps_maker.zero_grad()
        matching.backward()
        steps_maker.step()


def by_a_sum_that_is_asked_for_a_number_once_it_is_divided():
    """graph-held | costs_so_far | replaced"""
    step, costs_so_far = job(), 0
    for _ in range(STEPS):
        loss = step()
        costs_so_far = costs_so_far + loss  # <-
    assert (costs_so_far / STEPS).item() > 0


class Mean:
    """Is given numbers, and tensors; what comes of these is asked as a tensor."""

    def __init__(self):
        self.mass, self.count, self.mean = 0, 0, 0

    def update(self, value, n=1):
        self.mass = self.mass + value * n  # <- graph-held by a mean
        self.count += n
        self.mean = self.mass / self.count


def by_a_mean_of_numbers_and_of_tensors():
    step, accuracies, costs = job(), Mean(), Mean()
    for _ in range(STEPS):
        accuracies.update(0.5)
        costs.update(step(), 8)
    assert costs.mean.item() > accuracies.mean - 1


def by_two_stores_that_are_filled_side_by_side():
    """inplace-modified | - | replaced"""
    torch.manual_seed(0)
    key, value = nn.Linear(4, 4), nn.Linear(4, 4)
    optimizer = torch.optim.SGD([*key.parameters(), *value.parameters()], 0.01)
    for _ in range(STEPS):
        keys, values, outs = torch.zeros(3, 4), torch.zeros(3, 4), []
        for place in range(3):
            x = key(torch.randn(4))
            keys[place] = key(x)  # <-
            values[place] = value(x)  # <-
            outs.append((keys @ x).softmax(0) @ values)
        loss = torch.stack(outs).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class Publisher:
    """Keeps the tasks that it has begun, with what they returned."""

    def __init__(self):
        self.begun = []

    async def after_step(self, metrics):
        self.begun.append(asyncio.create_task(self.publish(metrics)))  # <- by a publisher

    async def publish(self, metrics):
        await asyncio.sleep(0)
        return metrics


def by_tasks_that_wait():
    """graph-held | plugin.begun | words"""

    async def train():
        step, plugins = job(), [Publisher()]
        for _ in range(STEPS):
            loss = step()
            for plugin in plugins:
                await plugin.after_step({"loss": loss})

    asyncio.run(train())


def once_a_round(method):
    slot = method.__name__

    def remembered(self):
        slots = self.__dict__.setdefault("_worked_out", {})
        if slot not in slots:
            slots[slot] = method(self)  # <- by what it remembers in its owner's dict
        return slots[slot]

    return remembered


class Lookup(nn.Module):
    def __init__(self):
        super().__init__()
        self.rows = nn.Parameter(torch.randn(6, 4))

    @once_a_round
    def unit_rows(self):
        return self.rows / self.rows.norm(dim=-1, keepdim=True)


def by_a_memory_in_the_dict_of_its_owner():
    """second-backward | - | words"""
    table = Lookup()
    optimizer = torch.optim.SGD(table.parameters(), 0.01)
    for _ in range(STEPS):
        loss = (torch.randn(8, 4) @ table.unit_rows().t()).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


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


@dataclass(frozen=True, eq=False)
class Progress:
    """Each leads to the one before."""

    at: int = 0
    merit_now: torch.Tensor | None = None
    earlier: object = None

    def advance(self, **changes):
        return replace(self, at=self.at + 1, earlier=self, **changes)


def moved(progress, step):
    return progress.advance(merit_now=step())  # <- graph-held by progress


def by_states_that_are_advanced():
    """graph-held | progress | words"""
    step, progress = job(), Progress()
    while progress.at < STEPS:
        progress = moved(progress, step)


class Codebook(nn.Module):
    """Is renewed after each step, and now and then within the forward."""

    def __init__(self):
        super().__init__()
        self.register_buffer("entries", torch.randn(3, 3))
        self.calls = 0

    def forward(self, x):
        near = (x @ self.entries.t()).pow(2).mean()
        self.calls += 1
        if self.calls == 2:
            self.revive_entries(x.detach())
        return near

    @torch.no_grad()
    def revive_entries(self, x):
        self.entries[0] = x[0]  # <- inplace-modified by a codebook

    @torch.no_grad()
    def renew_entries(self):
        self.entries.copy_(self.entries * 0.9)


def by_what_is_changed_within_the_forward():
    """inplace-modified | self.entries | words"""
    torch.manual_seed(0)
    encoder, codebook = nn.Linear(4, 3), Codebook()
    optimizer = torch.optim.SGD(encoder.parameters(), 0.01)
    for _ in range(9):
        loss = codebook(encoder(torch.randn(8, 4)))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        codebook.renew_entries()


def by_gradients_asked_of_terms_that_were_summed():
    """second-backward | term | words"""
    torch.manual_seed(0)
    net = nn.Linear(4, 3)
    optimizer = torch.optim.SGD(net.parameters(), 0.01)

    def asked(terms):
        for term in terms:
            torch.autograd.grad(term, net.weight)  # <-

    for _ in range(3):
        out = net(torch.randn(8, 4)).exp()
        terms = [out.mean(), out.pow(2).mean()]
        optimizer.zero_grad()
        sum(terms).backward()
        asked(terms)
        optimizer.step()


def drawn_in_grey(shades):
    shades -= shades.min()
    shades /= shades.max()
    return shades.tolist()


class Attending(nn.Module):
    def forward(self, scores):
        return scores.softmax(-1)


def by_a_hook_that_has_a_picture_drawn_in_place():
    """inplace-modified | shades | words"""
    torch.manual_seed(0)
    encoder, attending, drawings = nn.Linear(4, 3), Attending(), []

    def draw(_module, _given, weights):
        drawings.append(drawn_in_grey(weights.detach()[0]))  # <-

    attending.register_forward_hook(draw)
    for _ in range(3):
        attending(encoder(torch.randn(8, 4))).pow(2).mean().backward()


def by_curves_that_a_pool_works_out():
    """graph-held | curves | replaced"""
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(4, 3), nn.Tanh(), nn.Linear(3, 1))
    optimizer = torch.optim.SGD(net.parameters(), 0.01)
    curves = [[] for _ in range(3)]

    def examined(batch):
        return net(batch).pow(2).mean()

    @torch.no_grad()
    def examine(pool):
        for curve, point in zip(curves, pool.map(examined, torch.randn(3, 8, 4)), strict=True):
            curve.append(point)  # <-

    with ThreadPoolExecutor(max_workers=2) as pool:
        for _ in range(STEPS):
            loss = net(torch.randn(8, 4)).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            examine(pool)


def by_two_changes_in_a_row():
    """inplace-modified | timber | replaced"""
    torch.manual_seed(0)
    spark = nn.Linear(4, 4)
    for horizon in range(1, 4):
        timber, flames = torch.rand(8, 4), torch.rand(8, 4)
        for ahead in range(horizon):
            flames = spark(flames).sigmoid() * timber
            if ahead + 1 < horizon:
                timber -= 0.1 * flames.detach()  # <-
                timber.clamp_(min=0)
        flames.mean().backward()


def by_the_one_of_two_changes_in_a_row_that_comes_after():
    """inplace-modified | embers | replaced"""
    torch.manual_seed(0)
    spark = nn.Linear(4, 4)
    for _ in range(2):
        embers, glow = torch.rand(8, 4), torch.rand(8, 4)
        embers *= 0.9
        glow = spark(glow).sigmoid() * embers
        embers.clamp_(min=0)  # <-
        glow.mean().backward()


def tidal_step(tidal, water):
    low = (
        0.5 * tidal["marks"]["low"].detach() + 0.5 * tidal["marks"]["low"] + water @ tidal["gauge"]
    )
    high = tidal["marks"]["high"] + water @ tidal["gauge"]
    missed = (low + high).mean()
    (slope,) = torch.autograd.grad(missed, [tidal["gauge"]], retain_graph=True)
    gauge = (tidal["gauge"].detach() - 0.01 * slope).requires_grad_()
    following = {"gauge": gauge, "marks": {"low": low, "high": high}}  # <- what a step hands on
    return following, missed.item()


def by_a_state_that_a_step_puts_together():
    torch.manual_seed(0)
    tidal = {"gauge": torch.randn(4, requires_grad=True)}
    tidal["marks"] = {"low": torch.zeros(8), "high": torch.zeros(8)}
    for _ in range(STEPS):
        tidal, _missed = tidal_step(tidal, torch.randn(8, 4))


class Turning(NamedTuple):
    angle: torch.Tensor
    turned: int


def turn(turning, net, optimizer):
    angle = 0.9 * turning.angle + net(torch.randn(8, 4)).mean()
    optimizer.zero_grad()
    net(torch.randn(8, 4)).pow(2).mean().backward()
    optimizer.step()
    return turning._replace(angle=0.5 * angle, turned=turning.turned + 1)  # <- what a turn gives


def by_records_that_go_on_in_a_function():
    torch.manual_seed(0)
    net = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(net.parameters(), 0.01)
    turnings = [Turning(torch.zeros(()), 0) for _ in range(2)]
    for _ in range(STEPS):
        for place, turning in enumerate(turnings):
            turnings[place] = turn(turning, net, optimizer)


class Quarterly:
    def __init__(self, optimizer):
        self.optimizer, self.quarter, self.unwalked = optimizer, collections.deque(maxlen=4), 0

    def takes(self, loss):
        self.quarter.append(loss)  # <-
        self.unwalked += 1
        if self.unwalked == 4:
            self.walks()

    def walks(self):
        self.optimizer.zero_grad()
        (sum(self.quarter) / len(self.quarter)).backward()
        self.optimizer.step()
        self.unwalked = 0


def by_a_window_that_is_walked_again_at_the_end():
    """second-backward | quarterly.quarter | words"""
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(4, 3), nn.Tanh(), nn.Linear(3, 1))
    quarterly = Quarterly(torch.optim.SGD(net.parameters(), 0.01))
    for _ in range(14):
        quarterly.takes(net(torch.randn(8, 4)).pow(2).mean())
    quarterly.walks()


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


class Deck(nn.Module):
    def __init__(self):
        super().__init__()
        self.faces = nn.Parameter(torch.randn(3, 4))
        self.face_of = functools.lru_cache(maxsize=64)(self.worked_out)  # <- by a call

    def worked_out(self, card):
        return self.faces[card].exp()


def by_a_cache_that_a_call_makes():
    deck = Deck()
    optimizer = torch.optim.SGD(deck.parameters(), 0.01)
    for number in range(STEPS):
        loss = deck.face_of(number % 3).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class Racer:
    def __init__(self):
        self.net = nn.Linear(4, 3)
        self.optimizer = torch.optim.SGD(self.net.parameters(), 0.01)
        self.form, self.races = None, 0

    def races_once(self):
        time = self.net(torch.randn(8, 4)).pow(2).mean()
        self.optimizer.zero_grad()
        time.backward()
        self.optimizer.step()
        score = -time
        self.form = score if self.races == 0 else 0.9 * self.form + 0.1 * score  # <- of each racer
        self.races += 1


class Stable:
    def __init__(self, racers):
        self.racers = racers


def by_the_form_of_each_racer():
    stable = Stable([Racer() for _ in range(4)])
    for _ in range(STEPS):
        for racer in stable.racers:
            racer.races_once()


def by_an_actor_that_reads_what_the_critic_trains():
    """second-backward | code | replaced"""
    torch.manual_seed(0)
    encoder, critic, actor = nn.Linear(4, 3), nn.Linear(4, 1), nn.Linear(3, 1)
    of_critic = torch.optim.SGD([*encoder.parameters(), *critic.parameters()], 0.01)
    of_actor = torch.optim.SGD(actor.parameters(), 0.01)

    def worth(code, move):
        return critic(torch.cat([code, move], -1)).mean()

    def train_critic(code):
        loss = (worth(code, torch.rand(8, 1)) - 1).pow(2)
        of_critic.zero_grad()
        loss.backward()

    def train_actor(code):
        loss = -worth(code, actor(code).tanh())  # <-
        of_actor.zero_grad()
        loss.backward()

    for _ in range(3):
        code = encoder(torch.randn(8, 4)).tanh()
        train_critic(code)
        train_actor(code)
        of_critic.step()
        of_actor.step()


class Recording(Protocol):
    def add(self, value: torch.Tensor) -> None: ...


class Recorder(Recording):
    taken: ClassVar[list] = []

    def add(self, value):
        self.taken.append(value)  # <-


def by_a_class_that_implements_a_protocol():
    """graph-held | Recorder.taken | words"""
    step, recorder = job(), Recorder()
    for _ in range(STEPS):
        recorder.add(step())


def by_an_array_of_objects():
    """graph-chain | reaches | before"""
    share = torch.full((3,), 0.4, requires_grad=True)
    reaches = np.empty(3, dtype=object)
    for place in range(3):
        reaches[place] = torch.zeros(())
    optimizer = torch.optim.SGD([share], 0.01)
    for _ in range(STEPS):
        optimizer.zero_grad()
        inflow = torch.zeros(())
        for place in range(3):
            water = reaches[place] + share[place] + inflow
            inflow = water * 0.2
            reaches[place] = water - inflow  # <-
        (inflow - 1).pow(2).backward(retain_graph=True)
        optimizer.step()


async def by_halves(layer):
    """What is encoded once is handed out in parts."""
    for number in range(STEPS):
        await asyncio.sleep(0)
        encoded = layer(torch.randn(4, 4))  # <- second-backward
        for first in range(0, 2 if number < 9 else 4, 2):
            yield encoded[first : first + 2]


async def trained_by_halves():
    layer = nn.Linear(4, 4)
    optimizer = torch.optim.SGD(layer.parameters(), 0.01)
    async for part in by_halves(layer):
        optimizer.zero_grad()
        part.exp().sum().backward()
        optimizer.step()


def by_a_generator_that_is_awaited():
    """second-backward | encoded | words"""
    asyncio.run(trained_by_halves())


class Slate:
    """Whatever it is given lies in one dict."""

    def __init__(self, **first):
        object.__setattr__(self, "_lies", dict(first))

    def __getattr__(self, name):
        return self._lies[name]

    def __setattr__(self, name, value):
        self._lies[name] = value


def by_an_object_that_puts_all_it_is_given_into_a_dict():
    """graph-chain | slate.swell | before"""
    weight = torch.ones(3, requires_grad=True)
    optimizer = torch.optim.SGD([weight], 0.01)
    slate = Slate(swell=torch.zeros(3), high=0.0)
    for _ in range(STEPS):
        slate.swell = 0.5 * slate.swell + weight  # <-
        slate.swell.sum().backward(retain_graph=True)
        optimizer.step()
        slate.high = max(slate.high, float(weight.detach()[0]))


def by_what_is_kept_whatever_happens():
    """graph-chain | swell | words"""
    layer = nn.Linear(4, 3)
    optimizer = torch.optim.SGD(layer.parameters(), 0.01)
    swell = torch.zeros(3)
    for _ in range(STEPS):
        try:
            risen = 0.5 * swell + layer(torch.randn(4))
            optimizer.zero_grad()
            risen.sum().backward(retain_graph=True)
            optimizer.step()
        finally:
            swell = risen  # <-


class Rising:
    """Goes by no name where a loop draws from it."""

    def __init__(self, layer):
        self.layer, self.risen = layer, torch.zeros(3)

    def __iter__(self):
        return self

    def __next__(self):
        self.risen = 0.5 * self.risen + self.layer(torch.randn(4))  # <- in an iterator
        return self.risen


def by_an_iterator_of_ones_own():
    """graph-chain | - | words"""
    layer = nn.Linear(4, 3)
    optimizer = torch.optim.SGD(layer.parameters(), 0.01)
    for _, risen in zip(range(STEPS), Rising(layer), strict=False):
        optimizer.zero_grad()
        risen.sum().backward(retain_graph=True)
        optimizer.step()


def by_the_first_of_a_list():
    """graph-chain | heights | before"""
    layer = nn.Linear(4, 3)
    optimizer = torch.optim.SGD(layer.parameters(), 0.01)
    heights = [torch.zeros(3)]
    for _ in range(STEPS):
        heights.insert(0, 0.5 * heights[0] + layer(torch.randn(4)))  # <-
        heights.pop()
        optimizer.zero_grad()
        heights[0].sum().backward(retain_graph=True)
        optimizer.step()


def by_rows_of_what_was_encoded_at_once():
    """second-backward | row | words"""
    encoder, layer = nn.Linear(4, 4), nn.Linear(4, 1)
    optimizer = torch.optim.SGD([*encoder.parameters(), *layer.parameters()], 0.01)
    rows = encoder(torch.randn(STEPS, 4)).tanh()
    for row, _ in zip(rows, range(STEPS), strict=True):  # <-
        optimizer.zero_grad()
        layer(row).sum().backward()
        optimizer.step()


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


def handed_on_by_descent(rate):
    slopes = torch.zeros(3, requires_grad=True)
    while True:
        x = torch.randn(4, 3)
        (slope,) = torch.autograd.grad((x @ slopes - 1).square().mean(), slopes, create_graph=True)
        slopes = slopes - rate.exp() * slope  # <- drawn by the loop
        yield slopes


def by_a_descent_that_is_drawn():
    rate = nn.Parameter(torch.tensor(-2.0))
    optimizer = torch.optim.SGD([rate], 0.01)
    for _, slopes in zip(range(20), handed_on_by_descent(rate), strict=False):
        loss = (torch.randn(4, 3) @ slopes - 1).abs().mean()
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()


class Holt:
    def __init__(self):
        self.raw = nn.Parameter(torch.zeros(2, 3))
        self.level, self.trend = torch.zeros(3), torch.zeros(3)

    def forecast(self):
        return self.level + self.trend

    def observe(self, y):
        a, b = self.raw.sigmoid()
        level, trend = self.level, self.trend
        self.level = a * y + (1 - a) * (level + trend)  # <- behind the backward
        self.trend = b * (self.level - level) + (1 - b) * trend  # <- behind the backward


def by_two_states_that_go_on_behind_the_backward():
    torch.manual_seed(0)
    holt, season = Holt(), nn.Parameter(torch.zeros(3))
    optimizer = torch.optim.SGD([holt.raw, season], 0.01)
    for _ in range(STEPS):
        y = torch.randn(3)
        loss = (holt.forecast() + season - y).abs().mean()
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()
        holt.observe(y)


class RunBook:
    def __init__(self):
        self.series, self.rows = {}, {}

    def push(self, **values):
        for key, value in values.items():
            self._row(key).append(value)  # <- into what a getter hands back

    def _row(self, key):
        return self.series.setdefault(key, [])

    def close(self, number, tasks):
        self.rows[number] = self._scored(tasks)

    def _scored(self, tasks):
        row = {}
        for each, loss in enumerate(tasks):
            row[each] = loss * 2  # <- where the row is filled
        return row


def by_a_row_that_a_getter_makes():
    """graph-held | book.series | words"""
    step, book = job(), RunBook()
    for _ in range(STEPS):
        loss = step()
        book.push(loss=loss, twice=loss * 2)


def by_a_row_that_is_filled_and_handed_back():
    """graph-held | book.rows | words"""
    step, book = job(), RunBook()
    for number in range(STEPS):
        book.close(number, [step()])


def by_a_partial_that_retains():
    """retain-needless | - | words"""
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    walk = functools.partial(torch.Tensor.backward, retain_graph=True)  # <-
    for _ in range(STEPS):
        optimizer.zero_grad()
        walk(model(torch.randn(8, 4)).pow(2).mean())
        optimizer.step()


def by_settings_that_retain():
    """retain-needless | - | words"""
    model, options = nn.Linear(4, 1), {}
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    options["retain_graph"] = True  # <-
    for _ in range(STEPS):
        optimizer.zero_grad()
        model(torch.randn(8, 4)).pow(2).mean().backward(**options)
        optimizer.step()


class Sharp:
    """An optimizer of one's own, whose step calls its closure, and goes on after it."""

    def __init__(self, base):
        self.base = base

    def step(self, closure):
        first = closure()
        first.backward()
        self.base.step()
        self.plain(first)

    def plain(self, outcome):
        outcome.backward()  # <- walks it again, outside of the closure


def by_a_step_that_walks_again_what_its_closure_made():
    """second-backward | first | words"""
    model = nn.Linear(4, 1)
    sharp = Sharp(torch.optim.SGD(model.parameters(), 0.01))
    for _ in range(STEPS):
        x = torch.randn(8, 4)
        sharp.step(lambda: model(x).pow(2).mean())  # noqa: B023


class Tilted(nn.Module):
    def __init__(self):
        super().__init__()
        self.slope = nn.Parameter(torch.ones(1))
        self.tilt = functools.lru_cache(maxsize=None)(self._tilt)  # <- not where it is asked

    def _tilt(self, number):
        return self.slope.exp() * number

    def forward(self, x, number):
        bent = self.tilt(number)
        return x + bent


def by_a_cache_that_the_constructor_makes():
    """graph-held | model.tilt | words"""
    model = Tilted()
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for number in range(STEPS):
        optimizer.zero_grad()
        model(torch.randn(8, 4), number).pow(2).mean().backward()
        optimizer.step()


@dataclass
class Gathered:
    seen: torch.Tensor
    gain: torch.Tensor


def gather(critic):
    seen = torch.randn(8, 4)
    return Gathered(seen, 1 - critic(seen))  # <- its field is a function's parameter below


def improve(actor, optimizer, gathered, rounds):
    for _ in range(rounds):
        loss = (actor(gathered.seen) * gathered.gain).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def by_a_field_of_what_a_function_is_given():
    """second-backward | gathered.gain | words"""
    actor, critic = nn.Linear(4, 1), nn.Linear(4, 1)
    optimizer = torch.optim.SGD([*actor.parameters(), *critic.parameters()], 0.01)
    for number in range(STEPS):
        improve(actor, optimizer, gather(critic), 1 if number < 5 else 4)


def going_back(cell):
    state = torch.zeros(8, 4)
    anchor = state
    told = None
    while True:
        lost, x = yield told
        if lost:
            state = anchor
        state = cell(x, state)
        told = state.sum(1)
        if not lost:
            anchor = state  # <- not where it began
        state = state.detach()


def by_what_a_coroutine_goes_back_to():
    """second-backward | anchor | words"""
    cell = nn.GRUCell(4, 4)
    optimizer = torch.optim.SGD(cell.parameters(), 0.01)
    tracker = going_back(cell)
    next(tracker)
    for number in range(STEPS):
        loss = tracker.send((number % 5 == 4, torch.randn(8, 4))).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def slope_of(model):
    x = torch.randn(8, 4, requires_grad=True)
    model(x).sum().backward(create_graph=True)  # <- a cycle of its own in each iteration
    return x.grad


def by_the_gradient_of_an_input():
    """graph-held | x.grad | words"""
    model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for _ in range(STEPS):
        slope = slope_of(model)
        optimizer.zero_grad()
        slope.pow(2).mean().backward()
        optimizer.step()


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


def by_a_dict_that_is_made_anew_with_its_sums():
    """graph-held | stats['loss'] | replaced"""
    step, stats = job(), {"loss": torch.zeros(()), "seen": 0}
    for _ in range(STEPS):
        loss = step()
        stats = {**stats, "loss": stats["loss"] + loss, "seen": stats["seen"] + 1}  # <-
    assert stats["seen"] == STEPS


@dataclass
class Drawn:
    seen: torch.Tensor
    edge: torch.Tensor


def refine(actor, optimizer, drawn, rounds):
    for _ in range(rounds):
        loss = (actor(drawn.seen) * drawn.edge).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def by_a_copy_of_a_record_with_a_field_of_its_own():
    """second-backward | drawn.edge | words"""
    actor, critic = nn.Linear(4, 1), nn.Linear(4, 1)
    optimizer = torch.optim.SGD([*actor.parameters(), *critic.parameters()], 0.01)
    empty = Drawn(torch.zeros(8, 4), torch.zeros(8, 1))
    for number in range(STEPS):
        seen = torch.randn(8, 4)
        given = [replace(empty, seen=seen, edge=1 - critic(seen))]  # <- and not the first record
        refine(actor, optimizer, given.pop(), 1 if number < 5 else 4)


def by_a_total_of_parts_that_is_walked_twice():
    """second-backward | total | words"""
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for _ in range(STEPS):
        parts = model(torch.randn(8, 4)).pow(2)
        total = parts.mean() + 0.1 * parts.amax()
        optimizer.zero_grad()
        total.backward()
        total.backward()  # <-
        optimizer.step()


def by_an_attribute_of_a_partial():
    """graph-held | track.seen | replaced"""
    step, track = job(), functools.partial(torch.add, torch.zeros(()))
    track.seen = []
    for _ in range(STEPS):
        track.seen.append(step())  # <-


class Mixing(nn.Module):
    def __init__(self, table):
        super().__init__()
        self.table = table
        self.proj = nn.Linear(4, 4)

    def forward(self, x):
        return self.proj(x @ self.table)


class Farm(nn.Module):
    def __init__(self):
        super().__init__()
        self.sites = nn.Parameter(torch.randn(4, 4))
        table = self.sites.softmax(-1)  # <- and not where the constructor puts it away
        self.first, self.second = Mixing(table), Mixing(table)

    def forward(self, x):
        return self.second(self.first(x))


def by_what_its_parts_are_made_with():
    """second-backward | farm.first.table | words"""
    torch.manual_seed(0)
    farm = Farm()
    optimizer = torch.optim.SGD(farm.parameters(), 0.01)
    for _ in range(STEPS):
        loss = farm(torch.randn(8, 4)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class Visit(NamedTuple):
    seen: torch.Tensor
    state: torch.Tensor
    following: torch.Tensor


def by_records_of_which_the_first_has_fewer_graphs():
    """graph-held | memory | replaced"""
    torch.manual_seed(0)
    cell, memory, state = nn.GRUCell(4, 4), [], torch.zeros(1, 4)
    optimizer = torch.optim.SGD(cell.parameters(), 0.01)
    for number in range(STEPS):
        seen = torch.randn(1, 4)
        following = cell(seen, state)
        memory.append(Visit(seen, state, following))  # <-
        optimizer.zero_grad()
        cell(seen, torch.zeros(1, 4)).pow(2).mean().backward()
        optimizer.step()
        state = torch.zeros(1, 4) if number % 8 == 0 else following


def stepping(optimizer, policy_loss, value_loss):
    optimizer.zero_grad()
    policy_loss.backward()
    value_loss.backward()  # <- and not by what the caller calls it
    optimizer.step()


def by_a_loss_that_goes_by_another_name_outside():
    """second-backward | value_loss | words"""
    torch.manual_seed(0)
    trunk, heads = nn.Linear(4, 4), nn.Linear(4, 2)
    optimizer = torch.optim.SGD([*trunk.parameters(), *heads.parameters()], 0.01)
    for _ in range(STEPS):
        p, v = heads(trunk(torch.randn(8, 4)).tanh()).unbind(1)
        p, v = p.exp().mean(), v.pow(2).mean()
        stepping(optimizer, p, v)
