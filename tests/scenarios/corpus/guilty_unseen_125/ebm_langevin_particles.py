# gradwatch-corpus: kind=graph-chain
# holder: self.particles | sampler.particles | x
# first-bad: 1
# notice: 5
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(13)


class Energy(nn.Module):
    def __init__(self, d=2, h=24):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(d, h), nn.SiLU(), nn.Linear(h, h), nn.SiLU(), nn.Linear(h, 1))

    def forward(self, x):
        return self.f(x).squeeze(-1) + 0.05 * x.pow(2).sum(-1)


class PersistentSampler:
    """Persistent contrastive divergence: particles survive between updates."""

    def __init__(self, n, d, k=3, eta=0.05, sigma=0.05):
        self.particles = torch.randn(n, d, requires_grad=True)
        self.k, self.eta, self.sigma = k, eta, sigma

    def refresh(self, energy):
        x = self.particles
        for _ in range(self.k):
            g, = torch.autograd.grad(energy(x).sum(), x)
            x = x - self.eta * g + self.sigma * torch.randn_like(x)  # <- culprit
        self.particles = x  # <- culprit
        return x


def two_moons(n):
    t = torch.rand(n) * 3.1416
    s = torch.randint(0, 2, (n,)).float()
    x = torch.stack([torch.cos(t) + s, torch.sin(t) * (1 - 2 * s) + 0.25 * s], 1)
    return x + 0.05 * torch.randn(n, 2)


energy = Energy()
sampler = PersistentSampler(24, 2)
opt = torch.optim.Adam(energy.parameters(), lr=1e-3)
for it in range(240):
    pos = energy(two_moons(24))
    neg = energy(sampler.refresh(energy))
    cd = pos.mean() - neg.mean() + 0.02 * (pos.pow(2).mean() + neg.pow(2).mean())
    opt.zero_grad()
    cd.backward()
    opt.step()
    if it % 60 == 59:
        print(it, f"{pos.mean().item():.3f} {neg.mean().item():.3f}")
