# gradwatch-corpus: kind=graph-held
# holder: audit | self.audit | run.audit | tee
# first-bad: 1
# notice: 8
"""Load forecasting on synthetic meters; the loss stream is shared by the optimizer loop and an audit at the end."""
import itertools
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class Forecaster(nn.Module):
    def __init__(self, past=48, ahead=12):
        super().__init__()
        self.trend = nn.Linear(past, ahead)
        self.season = nn.Sequential(nn.Linear(past, 64), nn.ReLU(), nn.Linear(64, ahead))

    def forward(self, x):
        level = x.mean(1, keepdim=True)
        z = x - level
        return level + self.trend(z) + self.season(z)


class Meters:
    def __init__(self, n=40, seed=14):
        self.gen = torch.Generator().manual_seed(seed)
        self.phase = torch.rand(n, generator=self.gen) * 2 * math.pi
        self.amp = 0.5 + torch.rand(n, generator=self.gen)

    def window(self, start, length):
        t = torch.arange(start, start + length).float()
        wave = torch.sin(2 * math.pi * t / 24 + self.phase[:, None])
        noise = 0.1 * torch.randn(len(self.amp), length, generator=self.gen)
        return self.amp[:, None] * wave + noise

    def __iter__(self):
        start = 0
        while True:
            w = self.window(start, 60)
            yield w[:, :48], w[:, 48:]
            start += 7


def pinball(pred, y, q=0.6):
    e = y - pred
    return torch.maximum(q * e, (q - 1) * e).mean()


class Run:
    def __init__(self, steps):
        self.model = Forecaster()
        self.opt = torch.optim.Adam(self.model.parameters(), lr=3e-3)
        stream = itertools.islice(self.losses(Meters()), steps)
        self.train, self.audit = itertools.tee(stream)  # <- culprit

    def losses(self, meters):
        for past, ahead in meters:
            pred = self.model(past)
            yield pinball(pred, ahead) + 0.1 * F.mse_loss(pred, ahead)  # <- culprit

    def fit(self):
        for step, loss in enumerate(self.train):
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            if step % 25 == 0:
                print("step", step, "loss", round(loss.item(), 4))

    def report(self):
        values = [float(v) for v in self.audit]
        worst = max(range(len(values)), key=values.__getitem__)
        return {"mean": sum(values) / len(values), "worst": worst, "last": values[-1]}


def main():
    torch.manual_seed(4)
    torch.set_num_threads(1)
    run = Run(110)
    run.fit()
    print(run.report())


if __name__ == "__main__":
    main()
