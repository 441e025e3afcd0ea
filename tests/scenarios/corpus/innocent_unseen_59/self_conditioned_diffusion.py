# gradwatch-corpus: kind=none
"""Self-conditioned diffusion on short motion curves, with a spike inspector.

The inspector keeps the last few steps' loss tensors so that, when a spike shows
up, it can print how deep their graphs are and which op they end in.
"""
import argparse
from collections import deque

import torch
import torch.nn.functional as F
from torch import nn


class CurveDenoiser(nn.Module):
    def __init__(self, points, width):
        super().__init__()
        self.points = points
        self.net = nn.Sequential(
            nn.Linear(4 * points + 1, width), nn.SiLU(),
            nn.Linear(width, width), nn.SiLU(),
            nn.Linear(width, 2 * points))

    def forward(self, x, t, guess):
        flat = torch.cat([x.flatten(1), guess.flatten(1), t[:, None]], -1)
        return self.net(flat).view(-1, self.points, 2)


class Schedule:
    def __init__(self, steps):
        s = torch.linspace(0, 1, steps + 1)
        f = torch.cos((s + 0.008) / 1.008 * torch.pi / 2) ** 2
        self.abar = (f / f[0])[1:].clamp(1e-4, 0.9999)
        self.steps = steps

    def corrupt(self, x0):
        t = torch.randint(self.steps, (len(x0),))
        a = self.abar[t].view(-1, 1, 1)
        return a.sqrt() * x0 + (1 - a).sqrt() * torch.randn_like(x0), t / self.steps


class SpikeInspector:
    def __init__(self, window, factor):
        self.recent = deque(maxlen=window)
        self.factor = factor
        self.reports = []

    @staticmethod
    def depth(tensor, limit=400):
        n, node = 0, tensor.grad_fn
        while node is not None and n < limit:
            n += 1
            parents = [p for p, _ in node.next_functions if p is not None]
            node = parents[0] if parents else None
        return n

    def observe(self, step, loss):
        if len(self.recent) == self.recent.maxlen:
            level = sum(v.item() for _, v in self.recent) / len(self.recent)
            if loss.item() > self.factor * level:
                trail = [(s, round(v.item(), 3), type(v.grad_fn).__name__, self.depth(v))
                         for s, v in self.recent]
                self.reports.append((step, trail[-1]))
        self.recent.append((step, loss))


class Averaged:
    """EMA copy used to draw the self-conditioning guesses."""

    def __init__(self, model, decay):
        self.decay = decay
        self.model = CurveDenoiser(model.points, model.net[0].out_features)
        self.model.load_state_dict(model.state_dict())

    @torch.no_grad()
    def update(self, model):
        for a, p in zip(self.model.parameters(), model.parameters()):
            a.mul_(self.decay).add_(p, alpha=1 - self.decay)

    @torch.no_grad()
    def guess(self, x, t):
        return self.model(x, t, torch.zeros_like(x))


def curves(n, points):
    s = torch.linspace(0, 1, points)
    phase, radius = 6.28 * torch.rand(n, 1), 0.5 + torch.rand(n, 1)
    return torch.stack([radius * torch.cos(3 * s + phase), radius * torch.sin(3 * s + phase)], -1)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=220)
    ap.add_argument("--points", type=int, default=10)
    ap.add_argument("--window", type=int, default=5)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(12)
    model = CurveDenoiser(args.points, 64)
    averaged, schedule = Averaged(model, 0.98), Schedule(100)
    inspector = SpikeInspector(args.window, 1.25)
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    for step in range(args.steps):
        x0 = curves(32, args.points)
        noisy, t = schedule.corrupt(x0)
        guess = averaged.guess(noisy, t) if torch.rand(()) < 0.5 else torch.zeros_like(noisy)
        loss = F.mse_loss(model(noisy, t, guess), x0)
        opt.zero_grad()
        loss.backward()
        opt.step()
        averaged.update(model)
        inspector.observe(step, loss)
        if step % 50 == 0:
            print(step, round(loss.item(), 4))
    print(len(inspector.reports), "spikes; the last:", inspector.reports[-1:])


if __name__ == "__main__":
    main()
