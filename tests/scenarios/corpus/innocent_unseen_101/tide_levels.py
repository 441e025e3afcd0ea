# gradwatch-corpus: kind=none
"""Harmonic tide model: learn amplitudes, phases and a small residual net for one harbour."""
import math

import torch
from torch import nn

PERIODS_H = [12.42, 12.0, 25.82, 23.93, 6.21]


class TideModel(nn.Module):
    def __init__(self):
        super().__init__()
        n = len(PERIODS_H)
        self.amp = nn.Parameter(0.1 * torch.ones(n))
        self.phase = nn.Parameter(torch.zeros(n))
        self.residual = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))
        self.register_buffer("omega", torch.tensor([math.tau / p for p in PERIODS_H]))

    def forward(self, t, weather):
        waves = self.amp * torch.cos(t[:, None] * self.omega + self.phase)
        return waves.sum(1) + self.residual(weather).squeeze(1)


def harbour(n=1600, seed=11):
    g = torch.Generator().manual_seed(seed)
    t = torch.arange(n).float()
    amp = torch.tensor([1.2, 0.5, 0.3, 0.2, 0.1])
    phase = torch.rand(5, generator=g) * math.tau
    omega = torch.tensor([math.tau / p for p in PERIODS_H])
    weather = torch.randn(n, 2, generator=g)
    level = (amp * torch.cos(t[:, None] * omega + phase)).sum(1)
    level = level + 0.2 * weather[:, 0] * weather[:, 1] + 0.05 * torch.randn(n, generator=g)
    return t, weather, level


def epoch(model, opt, data, batch=40):
    """Yields after every update; the value of the generator is the epoch's summary."""
    t, weather, level = data
    order = torch.randperm(len(t))
    seen, worst = [], None
    for lo in range(0, len(order), batch):
        idx = order[lo:lo + batch]
        err = model(t[idx], weather[idx]) - level[idx]
        loss = nn.functional.huber_loss(err, torch.zeros_like(err), delta=0.5)
        opt.zero_grad()
        loss.backward()
        opt.step()
        seen.append(loss)
        if worst is None or loss > worst:
            worst = loss
        yield lo
    values = torch.stack(seen)
    return values.mean().item(), values.std().item(), worst.item()


def drive(gen):
    updates = 0
    while True:
        try:
            next(gen)
        except StopIteration as stop:
            return updates, stop.value
        updates += 1


def main():
    torch.set_num_threads(1)
    torch.manual_seed(10)
    data = harbour()
    model = TideModel()
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.92)
    total = 0
    for k in range(14):
        n, (mean, std, worst) = drive(epoch(model, opt, data))
        total += n
        sched.step()
        if k % 3 == 0:
            print(f"epoch {k:2d} updates {total:4d} loss {mean:.4f} +- {std:.4f} worst {worst:.4f}")


if __name__ == "__main__":
    main()
