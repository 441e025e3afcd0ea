# gradwatch-corpus: kind=inplace-modified
# holder: snr
# first-bad: 0
# notice: 0
import math

import torch

torch.set_num_threads(1)
import torch.nn as nn


class LearnedSchedule(nn.Module):
    """Monotone log-SNR(t), as in variational diffusion models."""

    def __init__(self):
        super().__init__()
        self.raw_slope = nn.Parameter(torch.tensor(2.0))
        self.offset = nn.Parameter(torch.tensor(4.0))

    def forward(self, t):
        return self.offset - nn.functional.softplus(self.raw_slope) * 4 * t


class Denoiser(nn.Module):
    def __init__(self, hid=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2 + 4, hid), nn.SiLU(), nn.Linear(hid, hid), nn.SiLU(), nn.Linear(hid, 2))

    def forward(self, x, t):
        emb = torch.cat([torch.sin(t * 2 ** i) for i in range(4)], 1)
        return self.net(torch.cat([x, emb], 1))


def min_snr_weight(snr, gamma):
    return snr.clamp_(max=gamma)  # <- culprit


class Diffusion(nn.Module):
    def __init__(self):
        super().__init__()
        self.schedule, self.denoiser = LearnedSchedule(), Denoiser()

    def loss(self, x0):
        t = torch.rand(len(x0), 1)
        log_snr = self.schedule(t)
        alpha, sigma = torch.sigmoid(log_snr).sqrt(), torch.sigmoid(-log_snr).sqrt()
        eps = torch.randn_like(x0)
        pred = self.denoiser(alpha * x0 + sigma * eps, t)
        snr = torch.exp(log_snr)
        weight = min_snr_weight(snr, 5.0)
        return (weight * (pred - x0).pow(2).sum(1, keepdim=True)).mean()


def rings(n):
    a = torch.rand(n) * 2 * math.pi
    r = torch.randint(1, 3, (n,)).float() + 0.05 * torch.randn(n)
    return torch.stack([r * a.cos(), r * a.sin()], 1)


if __name__ == "__main__":
    torch.manual_seed(33)
    ddpm = Diffusion()
    opt = torch.optim.AdamW(ddpm.parameters(), lr=1e-3)
    for step in range(400):
        opt.zero_grad()
        loss = ddpm.loss(rings(32))
        loss.backward()
        opt.step()
        print(step, loss.item())
