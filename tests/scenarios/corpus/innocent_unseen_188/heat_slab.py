# gradwatch-corpus: kind=none
"""Physics-informed network for a cooling slab, with a (stage, slot) table of residual fields."""
import math
from collections import defaultdict

import torch
import torch.nn as nn


class Field(nn.Module):
    def __init__(self, width=20):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))

    def forward(self, x, t):
        bump = x * (1 - x)
        start = torch.sin(math.pi * x)
        return start + t * bump * self.net(torch.cat([x, t], -1))


STAGES = ("collocate", "anchor", "refine")
SLOTS = 8


class ResidualTable:
    def __init__(self):
        self.cells = defaultdict(dict)

    def store(self, stage, i, field, points):
        slot = f"slot{i % SLOTS}"
        self.cells[stage][slot] = {"field": field, "points": points}

    def hottest(self, stage, k):
        rows = self.cells[stage].values()
        if not rows:
            return None
        res = torch.cat([r["field"].detach().abs() for r in rows]).squeeze(-1)
        pts = torch.cat([r["points"].detach() for r in rows])
        return pts[res.topk(min(k, len(res))).indices]

    def level(self, stage):
        rows = self.cells[stage].values()
        return sum(r["field"].abs().mean().item() for r in rows) / max(len(rows), 1)


def pde_residual(model, pts, alpha=0.1):
    pts = pts.clone().requires_grad_(True)
    x, t = pts[:, :1], pts[:, 1:]
    u = model(x, t)
    u_x, u_t = torch.autograd.grad(u.sum(), (x, t), create_graph=True)
    u_xx = torch.autograd.grad(u_x.sum(), x, create_graph=True)[0]
    return u_t - alpha * u_xx


def main():
    torch.manual_seed(40)
    gen = torch.Generator().manual_seed(41)
    model = Field()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    table = ResidualTable()
    for i in range(480):
        stage = STAGES[i // 5 % 3]
        pts = torch.rand(32, 2, generator=gen)
        if stage == "anchor":
            x, t = pts[:, :1], pts[:, 1:]
            exact = torch.exp(-0.1 * math.pi ** 2 * t) * torch.sin(math.pi * x)
            field = model(x, t) - exact
        else:
            hot = table.hottest("refine", 12) if stage == "refine" else None
            if hot is not None:
                pts = torch.cat([pts[:20], (hot + 0.02 * torch.randn(hot.shape, generator=gen)).clamp(0, 1)])
            field = pde_residual(model, pts)
        loss = field.pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        table.store(stage, i, field, pts)
        if i % 80 == 79:
            print(i + 1, f"{loss.item():.5f}", {s: round(table.level(s), 4) for s in STAGES})


if __name__ == "__main__":
    main()
