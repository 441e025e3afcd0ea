# gradwatch-corpus: kind=none
from collections import deque

import torch

torch.set_num_threads(1)
from torch import nn


class LossSecondMomentResampler:
    """Keeps the latest few losses of every timestep bucket and samples hard buckets more often."""

    def __init__(self, buckets, history=4, floor=0.05):
        self.recent = [deque(maxlen=history) for _ in range(buckets)]
        self.floor = floor

    def probabilities(self):
        if any(len(r) < r.maxlen for r in self.recent):
            return torch.full((len(self.recent),), 1 / len(self.recent))
        second = torch.tensor([sum(float(x) ** 2 for x in r) / len(r) for r in self.recent]).sqrt()
        p = second / second.sum()
        return (1 - self.floor) * p + self.floor / len(p)

    def draw(self):
        p = self.probabilities()
        b = int(torch.multinomial(p, 1))
        return b, 1.0 / (len(p) * float(p[b]))

    def record(self, bucket, loss):
        self.recent[bucket].append(loss)


class Eps(nn.Module):
    def __init__(self, hid=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(8 + 8 + 2, hid), nn.SiLU(), nn.Linear(hid, hid), nn.SiLU(), nn.Linear(hid, 8))

    def forward(self, x, t, self_cond):
        tt = torch.cat([(t * 3.14).sin(), (t * 3.14).cos()], -1)
        return self.net(torch.cat([x, self_cond, tt], -1))


def alpha_sigma(t):
    return torch.cos(0.5 * torch.pi * t), torch.sin(0.5 * torch.pi * t)


def bumps(n):
    centre = torch.rand(n, 1)
    return torch.exp(-((torch.linspace(0, 1, 8) - centre) ** 2) / 0.02) * 2 - 1


torch.manual_seed(19)
model, sampler = Eps(), LossSecondMomentResampler(buckets=4)
shadow = [p.detach().clone() for p in model.parameters()]
opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
for it in range(1500):
    bucket, weight = sampler.draw()
    x0 = bumps(16)
    t = (bucket + torch.rand(16, 1)) / 4 * 0.98 + 0.01
    a, s = alpha_sigma(t)
    eps = torch.randn_like(x0)
    xt = a * x0 + s * eps
    cond = torch.zeros_like(xt)
    if torch.rand(()) < 0.5:
        guess = model(xt, t, cond)
        cond = ((xt - s * guess) / a.clamp(min=0.1)).clamp(-1, 1).detach()
    loss = (model(xt, t, cond) - eps).pow(2).mean()
    sampler.record(bucket, loss)
    opt.zero_grad()
    (weight * loss).backward()
    opt.step()
    with torch.no_grad():
        for sh, p in zip(shadow, model.parameters()):
            sh.lerp_(p, 0.01)
    if it % 300 == 0:
        print(it, f"{loss.item():.4f}", [round(v, 2) for v in sampler.probabilities().tolist()])
