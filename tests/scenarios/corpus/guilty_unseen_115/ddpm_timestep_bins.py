# gradwatch-corpus: kind=graph-held
# holder: tracker.bins | self.bins | tracker.bins[b] | self.bins[b]
# first-bad: 61
# notice: 8
"""Toy DDPM on two moons (eps-prediction, cosine schedule).

Reproduces the loss-vs-timestep figure: where along the chain does the network spend
its capacity.  The curve is gathered during training, after a short burn-in.
"""
import argparse
import math
from collections import defaultdict

import torch
import torch.nn as nn


def two_moons(n, noise=0.06):
    a = torch.rand(n) * math.pi
    flip = (torch.rand(n) < 0.5).float()
    x = torch.cos(a) * (1 - 2 * flip) + flip
    y = torch.sin(a) * (1 - 2 * flip) + 0.5 * flip
    return torch.stack([x, y], 1) + noise * torch.randn(n, 2)


def cosine_alpha_bar(T, s=0.008):
    t = torch.linspace(0, 1, T + 1)
    f = torch.cos((t + s) / (1 + s) * math.pi / 2) ** 2
    return (f / f[0])[1:].clamp(min=1e-4)


class TimeEmbedding(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.register_buffer("freq", torch.exp(-math.log(1000.0) * torch.arange(dim // 2) / (dim // 2)))

    def forward(self, t):
        a = t[:, None].float() * self.freq
        return torch.cat([a.sin(), a.cos()], -1)


class Denoiser(nn.Module):
    def __init__(self, hidden=48, temb=16):
        super().__init__()
        self.temb = TimeEmbedding(temb)
        self.inp = nn.Linear(2 + temb, hidden)
        self.mid = nn.Linear(hidden, hidden)
        self.out = nn.Linear(hidden, 2)
        self.act = nn.SiLU()

    def forward(self, x, t):
        h = self.act(self.inp(torch.cat([x, self.temb(t)], -1)))
        h = h + self.act(self.mid(h))
        return self.out(h)


class TimestepLossTracker:
    def __init__(self, T, n_bins):
        self.width = T // n_bins
        self.n_bins = n_bins
        self.bins = defaultdict(list)

    def update(self, t, losses):
        for ti, li in zip(t.tolist(), losses):
            self.bins[ti // self.width].append(li)  # <- culprit

    def curve(self):
        return [torch.stack(self.bins[b]).mean().item() for b in range(self.n_bins)]


class GaussianDiffusion:
    def __init__(self, T):
        self.T = T
        self.abar = cosine_alpha_bar(T)

    def q_sample(self, x0, t, noise):
        ab = self.abar[t][:, None]
        return ab.sqrt() * x0 + (1 - ab).sqrt() * noise

    def training_losses(self, model, x0):
        t = torch.randint(0, self.T, (x0.size(0),))
        noise = torch.randn_like(x0)
        pred = model(self.q_sample(x0, t, noise), t)
        return t, (pred - noise).pow(2).mean(-1)


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=500)
    p.add_argument("--burn-in", type=int, default=60)
    p.add_argument("--bs", type=int, default=24)
    p.add_argument("--T", type=int, default=100)
    p.add_argument("--lr", type=float, default=2e-3)
    p.add_argument("--seed", type=int, default=11)
    return p.parse_args()


def main():
    args = get_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)

    model = Denoiser()
    diffusion = GaussianDiffusion(args.T)
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr)
    tracker = TimestepLossTracker(args.T, n_bins=10)
    smooth = None

    for step in range(args.steps):
        t, losses = diffusion.training_losses(model, two_moons(args.bs))
        loss = losses.mean()
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()

        smooth = loss.item() if smooth is None else 0.98 * smooth + 0.02 * loss.item()
        if step >= args.burn_in and step % 2 == 0:
            tracker.update(t, losses)  # <- culprit
        if (step + 1) % 100 == 0:
            print(f"step {step + 1}  loss(ema) {smooth:.4f}")

    print("loss by timestep bin:", " ".join(f"{v:.3f}" for v in tracker.curve()))


if __name__ == "__main__":
    main()
