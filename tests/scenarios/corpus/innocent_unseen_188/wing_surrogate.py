# gradwatch-corpus: kind=none
"""Lift/drag surrogate for airfoils; polar statistics are worked out in a thread pool."""
from concurrent.futures import ThreadPoolExecutor

import torch
import torch.nn as nn


class Surrogate(nn.Module):
    def __init__(self):
        super().__init__()
        self.shape = nn.Sequential(nn.Linear(3, 32), nn.SiLU(), nn.Linear(32, 16))
        self.polar = nn.Sequential(nn.Linear(17, 32), nn.SiLU(), nn.Linear(32, 2))

    def forward(self, shape, alpha):
        z = self.shape(shape)[:, None].expand(-1, alpha.shape[1], -1)
        return self.polar(torch.cat([z, alpha[..., None]], -1))


def panel_method(shape, alpha):
    camber, thick, pos = shape.unbind(-1)
    lift = 6.28 * (alpha + 2 * camber[:, None]) * (1 - 0.3 * thick[:, None])
    stall = torch.sigmoid(12 * (alpha.abs() - 0.25 - 0.1 * pos[:, None]))
    drag = 0.02 + 0.05 * thick[:, None] + 0.1 * lift.pow(2) + 0.4 * stall
    return torch.stack([lift * (1 - 0.5 * stall), drag], -1)


def polar_stats(step, polar):
    with torch.no_grad():
        ratio = polar[..., 0] / polar[..., 1].clamp(min=0.02)
        best = ratio.max(-1).values.mean().item()
    return {"step": step, "best_ratio": best, "polar": polar}


class Background:
    def __init__(self, workers, backlog):
        self.pool = ThreadPoolExecutor(workers)
        self.backlog = backlog
        self.futures = []
        self.curve = []

    def send(self, step, polar):
        self.futures.append(self.pool.submit(polar_stats, step, polar))
        if len(self.futures) >= self.backlog:
            self.collect()

    def collect(self):
        results = [f.result() for f in self.futures]
        self.futures = []
        self.curve.append(sum(r["best_ratio"] for r in results) / len(results))

    def close(self):
        self.pool.shutdown(wait=True)
        if self.futures:
            self.collect()


def main():
    torch.manual_seed(90)
    gen = torch.Generator().manual_seed(91)
    model = Surrogate()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    background = Background(workers=2, backlog=22)
    try:
        for step in range(440):
            shape = torch.rand(16, 3, generator=gen) * torch.tensor([0.1, 0.5, 1.0])
            alpha = (torch.rand(16, 12, generator=gen) - 0.3) * 0.6
            target = panel_method(shape, alpha)
            polar = model(shape, alpha)
            loss = (polar - target).pow(2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            background.send(step, polar)
            if step % 88 == 0:
                print(step, f"{loss.item():.4f}", [round(v, 2) for v in background.curve[-3:]])
    finally:
        background.close()
    print("windows", len(background.curve))


if __name__ == "__main__":
    main()
