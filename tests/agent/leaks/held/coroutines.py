"""Generators, coroutines, tasks, iterators and threads that keep what they were given."""

from __future__ import annotations

import asyncio
import itertools
from concurrent.futures import ThreadPoolExecutor

import torch
from torch import nn

from ..common import STEPS, job


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


def by_a_task_that_is_handed_them_by_a_queue():
    """graph-held | seen | replaced"""
    step = job()

    async def produce(queue):
        for number in range(STEPS):
            await queue.put((number, step()))
        await queue.put(None)

    async def log(queue):
        seen = {}
        while (item := await queue.get()) is not None:
            number, loss = item
            seen[number] = loss  # <-

    async def both():
        queue = asyncio.Queue(maxsize=2)
        await asyncio.gather(produce(queue), log(queue))

    asyncio.run(both())


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


def by_an_iterator_that_lags_behind():
    """graph-held | to_sum_up | words"""
    step = job()
    to_show, to_sum_up = itertools.tee(step() for _ in range(3 * STEPS))  # <-
    for loss in to_show:
        loss.item()
    sum(loss.item() for loss in to_sum_up)


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
