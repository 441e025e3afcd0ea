# gradwatch-corpus: kind=inplace-modified
# first-bad: 9
"""Planar path planning around discs, augmented Lagrangian with first-order dual ascent."""
from dataclasses import dataclass

import torch
import torch.nn as nn


@dataclass
class PlanConfig:
    knots: int = 30
    iters: int = 180
    lr: float = 0.02
    rho: float = 5.0
    dual_every: int = 10
    margin: float = 0.05


class Duals:
    """Multipliers for constraints g(x) <= 0."""

    def __init__(self, n, rho):
        self.lam = torch.zeros(n)
        self.rho = rho

    def term(self, g):
        return (self.lam * g).sum() + 0.5 * self.rho * g.clamp(min=0).pow(2).sum()

    @torch.no_grad()
    def ascend(self, g):
        self.lam.add_(self.rho * g).clamp_(min=0)  # <- culprit


class Path(nn.Module):
    def __init__(self, start, goal, knots):
        super().__init__()
        self.register_buffer("start", start)
        self.register_buffer("goal", goal)
        s = torch.linspace(0, 1, knots + 2)[1:-1, None]
        self.free = nn.Parameter((1 - s) * start + s * goal + 0.05 * torch.randn(knots, 2))

    def forward(self):
        return torch.cat([self.start[None], self.free, self.goal[None]])


class Scene:
    def __init__(self):
        self.centres = torch.tensor([[0.4, 0.45], [0.7, 0.6], [0.55, 0.2]])
        self.radii = torch.tensor([0.18, 0.12, 0.1])

    def violation(self, pts, margin):
        dist = (pts[:, None] - self.centres[None]).norm(dim=-1)
        return (self.radii + margin - dist).flatten()


def smoothness(pts):
    vel = pts[1:] - pts[:-1]
    acc = vel[1:] - vel[:-1]
    return len(pts) * vel.pow(2).sum() + 40.0 * acc.pow(2).sum()


class DualSchedule:
    def __init__(self, duals, every):
        self.duals, self.every, self.updates = duals, every, 0

    def __call__(self, it, g):
        if (it + 1) % self.every == 0:
            self.duals.ascend(g)  # <- culprit
            self.updates += 1


def plan(cfg):
    path = Path(torch.tensor([0.0, 0.0]), torch.tensor([1.0, 1.0]), cfg.knots)
    scene = Scene()
    duals = Duals((cfg.knots + 2) * 3, cfg.rho)
    on_constraints = DualSchedule(duals, cfg.dual_every)
    opt = torch.optim.Adam(path.parameters(), lr=cfg.lr)
    for it in range(cfg.iters):
        pts = path()
        g = scene.violation(pts, cfg.margin)
        objective = smoothness(pts) + duals.term(g)
        on_constraints(it, g)  # <- culprit
        opt.zero_grad()
        objective.backward()
        opt.step()
        if it % 30 == 0:
            print(f"it {it}: cost {objective.item():.3f} worst {g.max().item():+.3f} |lam| {duals.lam.norm().item():.2f}")
    return path


if __name__ == "__main__":
    torch.manual_seed(2)
    plan(PlanConfig())
