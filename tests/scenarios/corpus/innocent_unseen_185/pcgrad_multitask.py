# gradwatch-corpus: kind=none
"""Gradient surgery for a shared encoder with three property heads."""
from collections import deque

import torch
from torch import nn


class Shared(nn.Module):
    def __init__(self, dim, tasks):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(dim, 48), nn.Tanh(), nn.Linear(48, 48), nn.Tanh())
        self.heads = nn.ModuleDict({t: nn.Linear(48, 1) for t in tasks})

    def forward(self, x):
        z = self.trunk(x)
        return {t: h(z).squeeze(-1) for t, h in self.heads.items()}


def flat_grads(loss, params, keep):
    grads = torch.autograd.grad(loss, params, retain_graph=keep, allow_unused=True)
    return torch.cat([torch.zeros_like(p).flatten() if g is None else g.flatten() for g, p in zip(grads, params)])


def project(vectors):
    out = []
    for i, g in enumerate(vectors):
        g = g.clone()
        for j in torch.randperm(len(vectors)).tolist():
            if j == i:
                continue
            dot = torch.dot(g, vectors[j])
            if dot < 0:
                g -= dot / vectors[j].pow(2).sum().clamp(min=1e-12) * vectors[j]
        out.append(g)
    return torch.stack(out).sum(0)


def assign(params, vector):
    at = 0
    for p in params:
        p.grad = vector[at:at + p.numel()].view_as(p).clone()
        at += p.numel()


def molecules(gen, n, dim, coef):
    x = torch.randn(n, dim, generator=gen)
    raw = x @ coef
    return x, {"logp": raw[:, 0], "tpsa": raw[:, 1].abs(), "sol": -raw[:, 0] + 0.3 * torch.sin(raw[:, 2])}


def main(steps=450):
    torch.manual_seed(12)
    gen = torch.Generator().manual_seed(14)
    coef = torch.randn(16, 3, generator=gen) / 4
    net = Shared(16, ["logp", "tpsa", "sol"])
    params = list(net.parameters())
    opt = torch.optim.Adam(params, lr=2e-3)
    recent = {t: deque(maxlen=20) for t in net.heads}
    for step in range(steps):
        x, targets = molecules(gen, 32, 16, coef)
        preds = net(x)
        losses = {t: (preds[t] - targets[t]).pow(2).mean() for t in preds}
        names = list(losses)
        vectors = [flat_grads(losses[t], params, keep=t != names[-1]) for t in names]
        assign(params, project(vectors))
        opt.step()
        for t, value in losses.items():
            recent[t].append(value)
        if step % 90 == 0:
            means = {t: round(torch.stack(list(d)).mean().item(), 4) for t, d in recent.items()}
            print(step, means)


if __name__ == "__main__":
    main()
