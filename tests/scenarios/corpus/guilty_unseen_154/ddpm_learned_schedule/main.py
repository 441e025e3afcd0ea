# gradwatch-corpus: kind=second-backward
# holder: self.gamma | sched.gamma | schedule.gamma | self.schedule.gamma | model.schedule.gamma
# first-bad: 1
import math

import torch
import torch.nn as nn

from schedule import LearnedSchedule

torch.manual_seed(8)
torch.set_num_threads(1)


class Denoiser(nn.Module):
    def __init__(self, T, dim=2, width=64):
        super().__init__()
        self.emb = nn.Embedding(T, width)
        self.inp = nn.Linear(dim, width)
        self.body = nn.Sequential(nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, dim))

    def forward(self, x, t):
        return self.body(self.inp(x) + self.emb(t))


class Diffusion(nn.Module):
    def __init__(self, T=50):
        super().__init__()
        self.T = T
        self.schedule = LearnedSchedule(T)
        self.net = Denoiser(T)

    def loss(self, x0):
        t = torch.randint(0, self.T, (len(x0),))
        a, s = self.schedule.alpha_sigma(t)
        eps = torch.randn_like(x0)
        err = (self.net(a * x0 + s * eps, t) - eps).pow(2).sum(1)
        return 0.5 * self.T * (self.schedule.snr_weight(t) * err).mean()


def moons(n):
    th = torch.rand(n) * math.pi
    up = (torch.rand(n) > 0.5).float()
    x = torch.cos(th) * (2 * up - 1) + (1 - up)
    y = torch.sin(th) * (2 * up - 1) + 0.5 * (1 - up)
    return torch.stack([x, y], 1) + 0.05 * torch.randn(n, 2)


model = Diffusion()
opt = torch.optim.AdamW(model.parameters(), 1e-3)
for step in range(300):
    loss = model.loss(moons(128))
    opt.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    if step % 50 == 0:
        print(f"step {step}: {loss.item():.3f}")
