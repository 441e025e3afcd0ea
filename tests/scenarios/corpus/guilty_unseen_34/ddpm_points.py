# gradwatch-corpus: kind=graph-held
# holder: running_loss | running
# first-bad: 1
"""DDPM on two moons, epsilon prediction, tiny MLP."""
import math
import time

import torch
import torch.nn as nn

T = 100


def moons(n):
    t = torch.rand(n) * math.pi
    up = torch.rand(n) < 0.5
    x = torch.where(up, torch.cos(t), 1 - torch.cos(t))
    y = torch.where(up, torch.sin(t), 0.5 - torch.sin(t))
    return torch.stack([x, y], 1) + 0.05 * torch.randn(n, 2)


class Schedule:
    def __init__(self, T, b0=1e-4, b1=0.02):
        self.betas = torch.linspace(b0, b1 * 5, T)
        self.alphas = 1 - self.betas
        self.abar = torch.cumprod(self.alphas, 0)

    def q_sample(self, x0, t, eps):
        a = self.abar[t].unsqueeze(1)
        return a.sqrt() * x0 + (1 - a).sqrt() * eps


class TimeEmbedding(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.register_buffer("freq", torch.exp(torch.linspace(0, -6, dim // 2)))

    def forward(self, t):
        a = t.float().unsqueeze(1) * self.freq
        return torch.cat([a.sin(), a.cos()], 1)


class Denoiser(nn.Module):
    def __init__(self, width=96, temb=32):
        super().__init__()
        self.temb = TimeEmbedding(temb)
        self.inp = nn.Linear(2 + temb, width)
        self.mid = nn.ModuleList(nn.Linear(width, width) for _ in range(2))
        self.out = nn.Linear(width, 2)

    def forward(self, x, t):
        h = torch.nn.functional.silu(self.inp(torch.cat([x, self.temb(t)], 1)))
        for layer in self.mid:
            h = h + torch.nn.functional.silu(layer(h))
        return self.out(h)


def diffusion_loss(model, sched, x0):
    t = torch.randint(0, T, (len(x0),))
    eps = torch.randn_like(x0)
    pred = model(sched.q_sample(x0, t, eps), t)
    return ((pred - eps) ** 2).mean()


def train_epoch(model, sched, data, optimizer, batch_size=64):
    model.train()
    running_loss = 0
    n = 0
    for x0 in data[torch.randperm(len(data))].split(batch_size):
        loss = diffusion_loss(model, sched, x0)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        running_loss += loss * len(x0)  # <- culprit
        n += len(x0)
    return running_loss / n


@torch.no_grad()
def sample(model, sched, n):
    model.eval()
    x = torch.randn(n, 2)
    for i in reversed(range(T)):
        eps = model(x, torch.full((n,), i))
        x = (x - sched.betas[i] / (1 - sched.abar[i]).sqrt() * eps) / sched.alphas[i].sqrt()
        if i:
            x = x + sched.betas[i].sqrt() * torch.randn_like(x)
    return x


def main():
    torch.manual_seed(8)
    data = moons(2560)
    sched = Schedule(T)
    model = Denoiser()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    tic = time.time()
    for epoch in range(3):
        avg = train_epoch(model, sched, data, optimizer)
        print("epoch %d | loss %.4f | %.1fs" % (epoch, avg, time.time() - tic))
    pts = sample(model, sched, 256)
    print("sample mean", [round(v, 2) for v in pts.mean(0).tolist()])


if __name__ == "__main__":
    main()
