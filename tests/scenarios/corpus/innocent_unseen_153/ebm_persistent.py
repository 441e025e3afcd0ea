# gradwatch-corpus: kind=none
"""Energy based model with a persistent buffer of Langevin chains (Du & Mordatch)."""
import random

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(60)
random.seed(60)


class Sampler:
    def __init__(self, energy, n, max_len=512, steps=10, lr=0.1):
        self.energy, self.n, self.max_len = energy, n, max_len
        self.steps, self.lr = steps, lr
        self.examples = [torch.rand(1, 2) * 4 - 2 for _ in range(n)]

    def sample(self):
        n_new = sum(random.random() < 0.05 for _ in range(self.n))
        fresh = torch.rand(n_new, 2) * 4 - 2
        old = torch.cat(random.choices(self.examples, k=self.n - n_new))
        x = self.langevin(torch.cat([fresh, old]))
        self.examples = list(x.chunk(self.n)) + self.examples
        self.examples = self.examples[: self.max_len]
        return x

    def langevin(self, x):
        flags = [p.requires_grad for p in self.energy.parameters()]
        for p in self.energy.parameters():
            p.requires_grad_(False)
        x = x.detach().requires_grad_(True)
        for _ in range(self.steps):
            x.data.add_(0.05 * torch.randn_like(x))
            e = self.energy(x).sum()
            e.backward()
            x.data.add_(x.grad.data.clamp(-1, 1), alpha=-self.lr)
            x.grad.detach_()
            x.grad.zero_()
        for p, f in zip(self.energy.parameters(), flags):
            p.requires_grad_(f)
        return x.detach()


def rings(n):
    a = torch.rand(n, 1) * 6.2832
    return torch.cat([a.cos(), a.sin()], 1) + 0.05 * torch.randn(n, 2)


energy = nn.Sequential(nn.Linear(2, 32), nn.SiLU(), nn.Linear(32, 32), nn.SiLU(), nn.Linear(32, 1))
opt = torch.optim.Adam(energy.parameters(), lr=1e-3, betas=(0.0, 0.999))
sampler = Sampler(energy, 48)
cd_hist = []
for it in range(80):
    real = rings(48)
    fake = sampler.sample()
    e_real, e_fake = energy(real), energy(fake)
    cd = e_real.mean() - e_fake.mean()
    reg = 0.1 * (e_real ** 2 + e_fake ** 2).mean()
    opt.zero_grad()
    (cd + reg).backward()
    nn.utils.clip_grad_norm_(energy.parameters(), 0.1)
    opt.step()
    cd_hist.append(cd.item())
    if it % 20 == 0:
        print(it, "cd %.4f" % cd_hist[-1], "radius %.3f" % fake.norm(dim=1).mean().item(), "buffer", len(sampler.examples))
