# gradwatch-corpus: kind=graph-held
# holder: level | smooth | smoothers | smoothers[name] | x
# first-bad: 1
"""Next-day heat load of a small district grid, hour by hour. Toy data, generators all the way down, because I like them."""
import math
import random
from functools import partial
from itertools import islice

import torch
from torch import nn

DAY, PAST = 24, 72


def weather(rng):
    drift = 0.0
    hour = 0
    while True:
        drift = 0.97 * drift + rng.gauss(0, 0.6)
        season = 8 * math.sin(2 * math.pi * hour / (24 * 90))
        daily = 4 * math.sin(2 * math.pi * (hour - 9) / 24)
        yield hour, 6 + season + daily + drift
        hour += 1


def load(stream, rng):
    for hour, temp in stream:
        base = max(0.0, 17 - temp) * 1.8
        morning = 6 * math.exp(-((hour % 24 - 7) ** 2) / 6)
        weekend = -3 if (hour // 24) % 7 >= 5 else 0
        yield temp / 10, (base + morning + weekend + rng.gauss(0, 0.8)) / 20


def windows(rows, n):
    rows = list(rows)
    table = torch.tensor(rows)
    picks = random.Random(9)
    while True:
        at = [picks.randrange(len(rows) - PAST - DAY) for _ in range(n)]
        block = torch.stack([table[i:i + PAST + DAY] for i in at])
        yield block[:, :PAST], block[:, PAST:, :1], block[:, PAST:, 1]


def ema(beta):
    """Coroutine: send numbers, get their debiased running mean."""
    level, t = 0.0, 0
    shown = None
    while True:
        x = yield shown
        t += 1
        level = beta * level + (1 - beta) * x  # <- culprit
        shown = level / (1 - beta ** t)


def primed(gen):
    next(gen)
    return gen


def build():
    net = nn.ModuleDict({
        "past": nn.GRU(2, 24, batch_first=True),
        "future": nn.Linear(1, 24),
        "head": nn.Sequential(nn.ReLU(), nn.Linear(24, 3)),
    })

    def predict(past, temp):
        _, h = net["past"](past[:, -36:])
        return net["head"](h[0][:, None] + net["future"](temp))

    return net, predict


def pinball(pred, y, qs=(0.1, 0.5, 0.9)):
    q = torch.tensor(qs)
    d = y[..., None] - pred
    return torch.maximum(q * d, (q - 1) * d).mean((0, 1))


def training(net, predict, data, lr=3e-3):
    opt = torch.optim.Adam(net.parameters(), lr=lr)
    for past, temp, y in data:
        parts = pinball(predict(past, temp), y)
        loss = parts.sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
        yield {"loss": loss, "q10": parts[0].item(), "q90": parts[2].item()}  # <- culprit


def smoothed(steps, beta=0.97):
    smoothers = {}
    make = partial(ema, beta)
    for row in steps:
        out = {}
        for name, value in row.items():
            smooth = smoothers.get(name) or smoothers.setdefault(name, primed(make()))
            out[name] = smooth.send(value)  # <- culprit
        yield out


def every(n, rows):
    for i, row in enumerate(rows, 1):
        if i % n == 0:
            yield i, row


def main(iterations=260):
    torch.manual_seed(9)
    rng = random.Random(9)
    history = islice(load(weather(rng), rng), 24 * 200)
    net, predict = build()
    steps = training(net, predict, windows(history, 16))
    for i, row in every(65, islice(smoothed(steps), iterations)):
        print(f"{i:4d} " + " ".join(f"{k}={v:.4f}" for k, v in row.items()))


if __name__ == "__main__":
    main()
