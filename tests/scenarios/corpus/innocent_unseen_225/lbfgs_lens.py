# gradwatch-corpus: kind=none
"""Lens design: ray tracing through learnable surfaces, LBFGS with a recording closure."""
from collections import deque

import torch
from torch import nn


class Surface(nn.Module):
    def __init__(self, curvature, n_coef=2):
        super().__init__()
        self.curvature = nn.Parameter(torch.tensor(float(curvature)))
        self.coef = nn.Parameter(torch.zeros(n_coef))

    def slope(self, y):
        s = self.curvature * y
        for k, c in enumerate(self.coef):
            s = s + c * y ** (2 * k + 3)
        return s


class Lens(nn.Module):
    def __init__(self, curvatures, index=1.5, gap=0.4, back=4.0):
        super().__init__()
        self.surfaces = nn.ModuleList(Surface(c) for c in curvatures)
        self.index = index
        self.gap = gap
        self.back = back

    def forward(self, y, u):
        for i, surface in enumerate(self.surfaces):
            power = (self.index - 1) * (1 if i % 2 == 0 else -1)
            u = u - power * surface.slope(y)
            y = y + u * self.gap
        return y + self.back * u


class Journal:
    def __init__(self, keep):
        self.spot = []
        self.rays = deque(maxlen=keep)
        self.best = None

    def note(self, loss, hits, lens):
        self.spot.append(float(loss.detach()))
        self.rays.append(hits.detach())
        if self.best is None or self.spot[-1] < self.best[0]:
            weights = {k: v.detach().clone() for k, v in lens.state_dict().items()}
            self.best = (self.spot[-1], weights)


def main():
    torch.manual_seed(23)
    lens = Lens([0.3, -0.2, 0.1, -0.05])
    journal = Journal(keep=3)
    opt = torch.optim.LBFGS(
        lens.parameters(),
        lr=0.2,
        max_iter=2,
        history_size=5,
        tolerance_change=0.0,
        tolerance_grad=0.0,
    )
    for it in range(90):
        height = 2 * torch.rand(256) - 1
        angle = 0.1 * torch.randn(8, 1)

        def closure():
            opt.zero_grad()
            y = height.expand(8, -1)
            u = angle.expand(-1, 256)
            hits = lens(y, u)
            blur = (hits - 4.0 * angle).pow(2).mean()
            stiff = 1e-3 * sum(s.coef.pow(2).sum() for s in lens.surfaces)
            loss = blur + stiff
            loss.backward()
            journal.note(loss, hits, lens)
            return loss

        final = opt.step(closure)
        if it % 15 == 14:
            spread = torch.stack(list(journal.rays)).std().item()
            print(f"it {it + 1} merit {final.item():.3e} spread {spread:.4f}")
    lens.load_state_dict(journal.best[1])
    print("evaluations", len(journal.spot), "best", f"{journal.best[0]:.3e}")


if __name__ == "__main__":
    main()
