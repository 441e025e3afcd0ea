# gradwatch-corpus: kind=none
"""Two tasks whose gradients are projected when they disagree; recent losses are kept for weighting."""
from collections import deque

import torch
from torch import nn
import torch.nn.functional as F


class Shared(nn.Module):
    def __init__(self, d=10, h=24):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(d, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU())
        self.heads = nn.ModuleDict({"risk": nn.Linear(h, 1), "stay": nn.Linear(h, 1)})

    def forward(self, x):
        h = self.trunk(x)
        return {k: head(h).squeeze(1) for k, head in self.heads.items()}


def patients(n, g, d=10):
    x = torch.randn(n, d, generator=g)
    risk = (x[:, 0] + x[:, 1] * x[:, 2] > 0).float()
    stay = (x[:, 3] - x[:, 0]).clamp_min(0) + 0.1 * torch.randn(n, generator=g)
    return x, {"risk": risk, "stay": stay}


class Window:
    def __init__(self, size):
        self.recent = {"risk": deque(maxlen=size), "stay": deque(maxlen=size)}

    def add(self, losses):
        for k, v in losses.items():
            self.recent[k].append(v)

    def weights(self):
        rate = {k: float(q[-1].detach() / q[0].detach().clamp_min(1e-6)) for k, q in self.recent.items()}
        z = sum(rate.values())
        return {k: 2 * v / z for k, v in rate.items()}


def project(g1, g2):
    dot = sum((a * b).sum() for a, b in zip(g1, g2))
    if dot >= 0:
        return g1, False
    norm = sum(b.pow(2).sum() for b in g2)
    return [a - dot / norm * b for a, b in zip(g1, g2)], True


def main(iters=440):
    torch.manual_seed(52)
    g = torch.Generator().manual_seed(52)
    model, window = Shared(), Window(20)
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    shared = list(model.trunk.parameters())
    clashes = 0
    for it in range(iters):
        x, y = patients(32, g)
        out = model(x)
        losses = {
            "risk": F.binary_cross_entropy_with_logits(out["risk"], y["risk"]),
            "stay": F.smooth_l1_loss(out["stay"], y["stay"]),
        }
        window.add(losses)
        w = window.weights()
        opt.zero_grad()
        (w["risk"] * losses["risk"]).backward(retain_graph=True)
        g1 = [p.grad.clone() for p in shared]
        for p in shared:
            p.grad = None
        (w["stay"] * losses["stay"]).backward()
        g2 = [p.grad.clone() for p in shared]
        p1, hit = project(g1, g2)
        p2, _ = project(g2, g1)
        for p, a, b in zip(shared, p1, p2):
            p.grad = a + b
        opt.step()
        clashes += hit
        if it % 80 == 0:
            print(it, {k: round(v.item(), 4) for k, v in losses.items()}, "clashes", clashes)


if __name__ == "__main__":
    main()
