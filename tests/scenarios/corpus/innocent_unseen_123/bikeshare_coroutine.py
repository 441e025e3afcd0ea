# gradwatch-corpus: kind=none
"""Bike-share demand: a coroutine learner with truncated backpropagation, and a short ring of losses walked together."""
from collections import deque

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(10)

SPAN = 4


def demand(stations=3, window=6):
    t = 0
    while True:
        clock = torch.arange(t, t + window + 1) / 24 * 6.283
        base = 1 + torch.sin(clock)[None, :] * torch.linspace(0.5, 1.0, stations)[:, None]
        x = base + 0.05 * torch.randn(stations, window + 1)
        yield x[:, :-1, None], x[:, 1:, None]
        t += window


def learner(cells):
    rnn, out = nn.GRU(1, cells, batch_first=True), nn.Linear(cells, 1)
    opt = torch.optim.Adam([*rnn.parameters(), *out.parameters()], lr=3e-3)
    h, pending, report = None, deque(maxlen=SPAN), None
    while True:
        past, future = yield report
        y, h = rnn(past, h)
        pending.append((out(y) - future).square().mean())
        if len(pending) == SPAN:
            loss = torch.stack(tuple(pending)).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            pending.clear()
            h = h.detach()
            report = loss.item()


learn = learner(8)
next(learn)
for n, window in zip(range(1, SPAN * 700 + 1), demand()):
    report = learn.send(window)
    if n % 700 == 0:
        print(n, round(report, 4))
