# gradwatch-corpus: kind=graph-held
# holder: self.lines | log.lines | log | loss
# first-bad: 1
"""GAN warm-up exercise: eight Gaussians on a circle, non-saturating loss with R1 penalty.
Reports are formatted late, so that the training loop does not wait for them."""
import math
import random

import torch
from torch import nn
import torch.nn.functional as F

random.seed(7)
torch.manual_seed(7)

cfg = dict(z_dim=8, width=64, batch=64, steps=400, lr_g=1e-3, lr_d=1e-3, r1=0.1, r1_every=4, show=100)


def mlp(i, o, w):
    return nn.Sequential(nn.Linear(i, w), nn.LeakyReLU(0.2), nn.Linear(w, w), nn.LeakyReLU(0.2), nn.Linear(w, o))


def real_points(n):
    k = torch.randint(0, 8, (n,))
    ang = k.float() * (2 * math.pi / 8)
    return torch.stack([ang.cos(), ang.sin()], 1) * 2 + torch.randn(n, 2) * 0.05


class LateLog:
    """Collects callables that make a line of text, and writes out the interesting ones."""

    def __init__(self, every):
        self.every = every
        self.lines = []
        self.written = 0

    def add(self, text):
        self.lines.append(text)  # <- culprit

    def flush(self):
        todo = self.lines[self.written:]
        self.written = len(self.lines)
        for text in todo[self.every - 1::self.every]:
            print(text())


G = mlp(cfg["z_dim"], 2, cfg["width"])
D = mlp(2, 1, cfg["width"])
opt_g = torch.optim.Adam(G.parameters(), lr=cfg["lr_g"], betas=(0.5, 0.99))
opt_d = torch.optim.Adam(D.parameters(), lr=cfg["lr_d"], betas=(0.5, 0.99))
log = LateLog(cfg["show"])


def r1_penalty(x):
    x = x.detach().requires_grad_()
    g, = torch.autograd.grad(D(x).sum(), x, create_graph=True)
    return g.pow(2).sum(1).mean()


def d_step(step):
    x = real_points(cfg["batch"])
    with torch.no_grad():
        fake = G(torch.randn(cfg["batch"], cfg["z_dim"]))
    loss = F.softplus(-D(x)).mean() + F.softplus(D(fake)).mean()
    if step % cfg["r1_every"] == 0:
        loss = loss + 0.5 * cfg["r1"] * cfg["r1_every"] * r1_penalty(x)
    opt_d.zero_grad(set_to_none=True)
    loss.backward()
    opt_d.step()
    return loss.item()


def g_step(step, d_value):
    fake = G(torch.randn(cfg["batch"], cfg["z_dim"]))
    loss = F.softplus(-D(fake)).mean()
    opt_g.zero_grad(set_to_none=True)
    loss.backward()
    opt_g.step()
    log.add(lambda: f"[{step:4d}] D {d_value:.3f}  G {loss.item():.3f}  radius {fake.norm(dim=1).mean().item():.2f}")  # <- culprit


def modes_covered(n=512):
    with torch.no_grad():
        pts = G(torch.randn(n, cfg["z_dim"]))
    ang = torch.arange(8).float() * (2 * math.pi / 8)
    centres = torch.stack([ang.cos(), ang.sin()], 1) * 2
    dist, nearest = torch.cdist(pts, centres).min(1)
    return nearest[dist < 0.4].unique().numel()


for step in range(cfg["steps"]):
    d_value = d_step(step)
    g_step(step, d_value)
    if (step + 1) % (2 * cfg["show"]) == 0:
        log.flush()
        print("modes covered:", modes_covered(), "of 8")
