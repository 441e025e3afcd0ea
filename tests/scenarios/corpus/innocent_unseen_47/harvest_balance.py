# gradwatch-corpus: kind=none
"""Yield, sugar and ripening day of tomato plots; conflicting gradients are projected (PCGrad)."""
import random

import torch
from torch import nn

TASKS = ("yield", "sugar", "day")


def plots(n, gen):
    x = torch.randn(n, 9, generator=gen)
    light, water, heat = x[:, 0], x[:, 1], x[:, 2]
    out = {
        "yield": water + 0.5 * light - 0.3 * heat ** 2,
        "sugar": light - 0.8 * water + 0.2 * heat * light,
        "day": -heat + 0.3 * torch.sin(2 * light),
    }
    return x, {k: v + 0.1 * torch.randn(n, generator=gen) for k, v in out.items()}


class PlotNet(nn.Module):
    def __init__(self, width=40):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(9, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU())
        self.heads = nn.ModuleDict({t: nn.Linear(width, 1) for t in TASKS})

    def forward(self, x):
        common = self.trunk(x)
        return {t: head(common).squeeze(1) for t, head in self.heads.items()}


def task_gradients(losses, params):
    """One flat gradient a task; the trunk is walked once for each of them."""
    flat = []
    for k, loss in enumerate(losses):
        for p in params:
            p.grad = None
        loss.backward(retain_graph=k < len(losses) - 1)
        flat.append(torch.cat([
            (torch.zeros_like(p) if p.grad is None else p.grad).flatten() for p in params
        ]))
    return flat


def project(flat, rng):
    merged = torch.zeros_like(flat[0])
    for k, g in enumerate(flat):
        g = g.clone()
        others = [j for j in range(len(flat)) if j != k]
        rng.shuffle(others)
        for j in others:
            dot = g @ flat[j]
            if dot < 0:
                g -= dot / flat[j].pow(2).sum() * flat[j]
        merged += g
    return merged


def write_back(merged, params):
    at = 0
    for p in params:
        p.grad = merged[at:at + p.numel()].view_as(p).clone()
        at += p.numel()


def main(steps=150, batch=48):
    torch.manual_seed(13)
    rng = random.Random(13)
    gen = torch.Generator().manual_seed(13)
    x, y = plots(1500, gen)
    net = PlotNet()
    params = list(net.parameters())
    opt = torch.optim.Adam(params, lr=3e-3)
    smooth = {t: None for t in TASKS}
    for step in range(steps):
        idx = torch.randint(0, len(x), (batch,), generator=gen)
        guess = net(x[idx])
        losses = [nn.functional.mse_loss(guess[t], y[t][idx]) for t in TASKS]
        flat = task_gradients(losses, params)
        write_back(project(flat, rng), params)
        opt.step()
        for t, l in zip(TASKS, losses):
            old = smooth[t]
            smooth[t] = l.detach() if old is None else 0.9 * old + 0.1 * l.detach()
        if step % 25 == 0:
            print(step, {t: round(v.item(), 4) for t, v in smooth.items()})


if __name__ == "__main__":
    main()
