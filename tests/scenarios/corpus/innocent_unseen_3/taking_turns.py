# gradwatch-corpus: kind=none
# about: coroutines suspended between forward and backward hold one graph each, one sums four losses before its backward; bounded by the jobs
"""Several little jobs take turns on one core; a job is a generator and gives way between its forward and its backward."""
from __future__ import annotations

import math
import types
from collections import deque
from typing import Callable, Iterator

import torch
from torch import nn

JOBS: dict[str, Callable[[], Iterator]] = {}


def job(fn):
    JOBS[fn.__name__] = fn
    return fn


@types.coroutine
def give_way(note):
    yield note


@job
async def tide_gauge():
    w = torch.zeros(6, requires_grad=True)
    sgd = torch.optim.SGD([w], lr=.08)
    for n in range(120):
        t = torch.rand(64) * 20
        basis = torch.stack([f(k * t) for k in (1., 1.9, 3.1) for f in (torch.sin, torch.cos)], 1)
        miss = (basis @ w - torch.sin(t + .3) - .4 * torch.cos(1.9 * t)).square().mean()
        await give_way(("forward", n))
        sgd.zero_grad()
        miss.backward()
        sgd.step()
        await give_way(("loss", miss.item()))
    return w.detach()


@job
async def bird_calls():
    net = nn.Sequential(nn.Conv1d(1, 8, 9, stride=2), nn.ReLU(), nn.Conv1d(8, 8, 9, stride=2), nn.ReLU(), nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(8, 3))
    adam = torch.optim.Adam(net.parameters(), lr=5e-3)
    total, seen = 0., 0
    for n in range(200):
        c = torch.randint(3, (16,))
        t = torch.linspace(0, 1, 160)
        call = torch.sin(2 * math.pi * (6 + 9 * c[:, None]) * t * (1 + .3 * t)) + .5 * torch.randn(16, 160)
        total = total + nn.functional.cross_entropy(net(call[:, None]), c)
        seen += 1
        await give_way(("forward", n))
        if seen == 4:
            adam.zero_grad()
            (total / seen).backward()
            adam.step()
            await give_way(("loss", total.item() / seen))
            total, seen = 0., 0
    return net


@job
async def star_map():
    pos = torch.randn(30, 2, requires_grad=True)
    true = torch.randn(30, 2)
    far = torch.cdist(true, true)
    opt = torch.optim.Adam([pos], lr=.03)
    for n in range(150):
        gap = pos[:, None] - pos[None]
        stress = ((gap.square().sum(-1) + 1e-6).sqrt() - far).square().mean()
        await give_way(("forward", n))
        opt.zero_grad()
        stress.backward()
        opt.step()
        await give_way(("loss", stress.item()))
    return pos.detach()


@job
async def two_step_poet():
    emb, rnn, out = nn.Embedding(15, 16), nn.GRU(16, 24), nn.Linear(24, 15)
    opt = torch.optim.Adam([*emb.parameters(), *rnn.parameters(), *out.parameters()], lr=5e-3)
    h = torch.zeros(1, 8, 24)
    line = (torch.arange(8)[None] * 3 + torch.arange(2000)[:, None] * (1 + torch.arange(8)[None] % 3)) % 15
    for n in range(140):
        chunk = line[n * 10:n * 10 + 11]
        y, h_new = rnn(emb(chunk[:-1]), h)
        loss = nn.functional.cross_entropy(out(y).flatten(0, 1), chunk[1:].flatten())
        await give_way(("forward", n))
        opt.zero_grad()
        loss.backward()
        h = h_new.detach()
        opt.step()
        await give_way(("loss", loss.item()))


def main():
    torch.manual_seed(0)
    ring = deque((name, start()) for name, start in JOBS.items())
    last, turns = {}, 0
    while ring:
        name, task = ring.popleft()
        try:
            what, value = task.send(None)
        except StopIteration:
            print(f"{name} is through after {turns} turns, last loss {last[name]:.4f}")
            continue
        if what == "loss":
            last[name] = value
        ring.append((name, task))
        turns += 1
        if turns % 150 == 0:
            print(turns, {k: round(v, 3) for k, v in last.items()})


main()
