# gradwatch-corpus: kind=none
"""Online demand forecast, six steps ahead. The truth comes late, so forecasts wait with their graphs in a queue until they can be scored."""
import math
import random
from collections import deque
from typing import NamedTuple

import torch
from torch import nn

AHEAD, LAGS = 6, 24


class Pending(NamedTuple):
    due: int
    forecast: torch.Tensor


def demand(shops, rng):
    """Endless rows, one number for each shop."""
    t, level = 0, [rng.uniform(0.5, 1.5) for _ in range(shops)]
    while True:
        level = [max(0.1, v + rng.gauss(0, 0.01)) for v in level]
        wave = 1 + 0.4 * math.sin(2 * math.pi * t / 24) + 0.2 * math.sin(2 * math.pi * t / 168)
        yield t, torch.tensor([v * wave + rng.gauss(0, 0.05) for v in level])
        t += 1


def features(window, t):
    w = torch.stack(list(window), 1)
    scale = w.mean(1, keepdim=True)
    clock = torch.tensor([math.sin(2 * math.pi * t / 24), math.cos(2 * math.pi * t / 24)]).expand(len(w), 2)
    x = torch.cat([w / scale - 1, clock, (w[:, -1:] - w[:, -2:-1]) / scale], 1)
    return x, scale.squeeze(1)


class Quantiles(nn.Module):
    """Linear in the features, three quantiles; the scale is put back afterwards."""

    def __init__(self, d, qs=(0.1, 0.5, 0.9)):
        super().__init__()
        self.register_buffer("qs", torch.tensor(qs))
        self.lin = nn.Linear(d, len(qs))

    def forward(self, x, scale):
        return (1 + self.lin(x)) * scale[:, None]

    def score(self, forecast, truth):
        d = truth[:, None] - forecast
        return torch.maximum(self.qs * d, (self.qs - 1) * d).mean()


def scored(stream, model):
    """Yields (t, loss) as soon as a forecast meets its truth."""
    window = deque(maxlen=LAGS)
    waiting = deque(maxlen=AHEAD + 1)
    for t, row in stream:
        if waiting and waiting[0].due == t:
            yield t, model.score(waiting.popleft().forecast, row)
        window.append(row)
        if len(window) == LAGS:
            waiting.append(Pending(t + AHEAD, model(*features(window, t))))


def main(iterations=600):
    torch.manual_seed(10)
    model = Quantiles(LAGS + 3)
    opt = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.8)
    smooth, curve = 0.0, []
    for it, (t, loss) in zip(range(iterations), scored(demand(16, random.Random(10)), model)):
        opt.zero_grad()
        loss.backward()
        opt.step()
        smooth = loss.item() if it == 0 else 0.98 * smooth + 0.02 * loss.item()
        if it % 120 == 119:
            curve.append(smooth)
            print(f"hour {t:5d}  pinball {smooth:.4f}")
    print("curve:", " ".join(f"{v:.4f}" for v in curve))


if __name__ == "__main__":
    main()
