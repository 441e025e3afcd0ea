# gradwatch-corpus: kind=inplace-modified
# first-bad: 60
"""Seq2seq with attention for traffic speed forecasting; scheduled sampling sets in after a few epochs."""
import math
import random
from contextlib import contextmanager
from time import perf_counter

import torch
from torch import nn

SENSORS, PAST, AHEAD = 6, 24, 12
rng = random.Random(2)
torch.manual_seed(2)


def day(n):
    """two rush hours per day plus per-sensor offset"""
    start = torch.rand(n, 1, 1) * 48
    t = start + torch.arange(PAST + AHEAD).view(1, -1, 1)
    lag = torch.linspace(0, 3, SENSORS).view(1, 1, -1)
    rush = torch.exp(-((t + lag) % 24 - 8) ** 2 / 8) + torch.exp(-((t + lag) % 24 - 17) ** 2 / 8)
    speed = 1.0 - 0.7 * rush + 0.04 * torch.randn(n, PAST + AHEAD, SENSORS)
    return speed[:, :PAST], speed[:, PAST:]


class Attention(nn.Module):
    def __init__(self, h):
        super().__init__()
        self.q, self.k = nn.Linear(h, h, bias=False), nn.Linear(h, h, bias=False)

    def forward(self, s, enc):
        w = torch.softmax((self.k(enc) @ self.q(s).unsqueeze(2)).squeeze(2) / math.sqrt(s.size(1)), 1)
        return (w.unsqueeze(1) @ enc).squeeze(1)


class Forecaster(nn.Module):
    def __init__(self, h=40):
        super().__init__()
        self.encoder = nn.GRU(SENSORS, h, batch_first=True)
        self.attend = Attention(h)
        self.embed = nn.Linear(SENSORS, h)
        self.cell = nn.GRUCell(2 * h, h)
        self.out = nn.Linear(2 * h, SENSORS)

    def forward(self, past, future, p_own):
        enc, s = self.encoder(past)
        s = s[0]
        # teacher forcing inputs: last observation, then the truth shifted by one
        fed = torch.cat([past[:, -1:], future[:, :-1]], 1)
        guesses = []
        for t in range(AHEAD):
            x = self.embed(fed[:, t])
            c = self.attend(s, enc)
            s = self.cell(torch.cat([x, c], 1), s)
            y = self.out(torch.cat([s, c], 1))
            guesses.append(y)
            if t + 1 < AHEAD and rng.random() < p_own:
                fed[:, t + 1] = y  # <- culprit
        return torch.stack(guesses, 1)


def own_probability(epoch, begin=2, slope=0.15, top=0.6):
    return 0.0 if epoch < begin else min(top, slope * (epoch - begin + 1) + 0.35)


@contextmanager
def timed(label, sink):
    t = perf_counter()
    yield
    sink[label] = sink.get(label, 0.0) + perf_counter() - t


if __name__ == "__main__":
    net = Forecaster()
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    clockwork = {}
    for epoch in range(12):
        p = own_probability(epoch)
        for b in range(30):
            past, future = day(32)
            with timed("forward", clockwork):
                mae = (net(past, future, p) - future).abs().mean()
            with timed("backward", clockwork):
                opt.zero_grad()
                mae.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
        spent = " ".join(f"{k}={v:.1f}s" for k, v in clockwork.items())
        print(f"epoch {epoch} p_own {p:.2f} mae {mae.item():.4f} ({spent})")
