# gradwatch-corpus: kind=none
"""Turbine power and bearing temperature from SCADA values; gradient surgery between the two tasks."""
import argparse
from collections import deque

import torch
from torch import nn


def scada(n):
    wind = 12 * torch.rand(n)
    ambient = 10 + 8 * torch.randn(n)
    pitch = torch.relu(wind - 9) * 3 + 0.3 * torch.randn(n)
    rpm = torch.clamp(wind * 1.4, max=14.0) + 0.2 * torch.randn(n)
    power = torch.clamp((wind / 10) ** 3, max=1.0)
    bearing = 0.5 * rpm / 14 + 0.02 * ambient + 0.2 * power
    x = torch.stack([wind / 12, ambient / 20, pitch / 10, rpm / 14], dim=1)
    return x, power.unsqueeze(1), bearing.unsqueeze(1)


class Turbine(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(4, width), nn.ELU(), nn.Linear(width, width), nn.ELU())
        self.power = nn.Linear(width, 1)
        self.bearing = nn.Linear(width, 1)

    def forward(self, x):
        z = self.trunk(x)
        return self.power(z), self.bearing(z)


def flat(grads):
    return torch.cat([g.reshape(-1) for g in grads])


def project(a, b):
    dot = torch.dot(a, b)
    if dot < 0:
        a = a - dot / b.norm().square() * b
    return a, dot.item()


def assign(params, vector):
    start = 0
    for p in params:
        n = p.numel()
        p.grad = vector[start:start + n].view_as(p).clone()
        start += n


def train(cfg):
    torch.manual_seed(cfg.seed)
    net = Turbine(cfg.width)
    shared = list(net.trunk.parameters())
    heads = list(net.power.parameters()) + list(net.bearing.parameters())
    opt = torch.optim.Adam(net.parameters(), lr=cfg.lr)
    recent = deque(maxlen=20)
    conflicts = 0
    for it in range(cfg.iters):
        x, p, b = scada(cfg.batch)
        p_hat, b_hat = net(x)
        loss_p = nn.functional.mse_loss(p_hat, p)
        loss_b = nn.functional.smooth_l1_loss(b_hat, b)

        g_p = flat(torch.autograd.grad(loss_p, shared, retain_graph=True))
        g_b = flat(torch.autograd.grad(loss_b, shared, retain_graph=True))
        opt.zero_grad()
        (loss_p + loss_b).backward(inputs=heads)

        new_p, dot = project(g_p, g_b)
        new_b, _ = project(g_b, g_p)
        assign(shared, new_p + new_b)
        conflicts += int(dot < 0)
        opt.step()

        recent.append((loss_p.detach(), loss_b.detach()))
        if it % 30 == 29:
            mp = sum(r[0] for r in recent) / len(recent)
            mb = sum(r[1] for r in recent) / len(recent)
            print(f"{it + 1:4d} power {mp:.4f} bearing {mb:.4f} conflicts {conflicts}")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=150)
    ap.add_argument("--batch", type=int, default=64)
    ap.add_argument("--width", type=int, default=32)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--seed", type=int, default=26)
    train(ap.parse_args([]))
