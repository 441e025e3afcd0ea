# gradwatch-corpus: kind=none
"""Energy-based density model of a checkerboard; negatives by Langevin dynamics from a persistent buffer of particles,
some of which are reborn at each call."""
from typing import Tuple
import torch
from torch import nn, Tensor


class Energy(nn.Module):
    def __init__(self, h: int = 64):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, h), nn.SiLU(), nn.Linear(h, h), nn.SiLU(), nn.Linear(h, 1))

    def forward(self, x: Tensor) -> Tensor:
        return self.net(x).squeeze(-1) + 0.02 * x.pow(2).sum(-1)


class Particles:
    def __init__(self, n: int, reborn: float = 0.05):
        self.x = torch.rand(n, 2) * 8 - 4
        self.reborn = reborn
        self.age = torch.zeros(n)

    def draw(self, k: int) -> Tuple[Tensor, Tensor]:
        idx = torch.randperm(len(self.x))[:k]
        fresh = torch.rand(k) < self.reborn
        start = torch.where(fresh[:, None], torch.rand(k, 2) * 8 - 4, self.x[idx])
        self.age[idx] = torch.where(fresh, torch.zeros(k), self.age[idx] + 1)
        return idx, start

    def put_back(self, idx: Tensor, x: Tensor) -> None:
        self.x[idx] = x


def langevin(energy: nn.Module, x: Tensor, steps: int = 6, eta: float = 0.06, noise: float = 0.1) -> Tensor:
    was = [p.requires_grad for p in energy.parameters()]
    for p in energy.parameters():
        p.requires_grad_(False)
    x = x.clone().requires_grad_(True)
    for _ in range(steps):
        g = torch.autograd.grad(energy(x).sum(), x)[0].clamp(-2, 2)
        x = (x - eta * g + noise * torch.randn_like(x)).detach().requires_grad_(True)
    for p, w in zip(energy.parameters(), was):
        p.requires_grad_(w)
    return x.detach().clamp(-5, 5)


def checkerboard(n: int) -> Tensor:
    a = torch.rand(n) * 4 - 2
    b = torch.rand(n) - torch.randint(2, (n,)).float() * 2
    return torch.stack([a, b + a.floor() % 2], 1) * 2


class ContrastiveDivergence:
    def __init__(self, energy: Energy, particles: Particles, alpha: float = 0.05):
        self.energy, self.particles, self.alpha = energy, particles, alpha
        self.opt = torch.optim.Adam(energy.parameters(), lr=1e-3, betas=(0.0, 0.99))
        self.gap = 0.0

    def __call__(self, pos: Tensor) -> float:
        idx, start = self.particles.draw(len(pos))
        neg = langevin(self.energy, start)
        self.particles.put_back(idx, neg)
        e_pos, e_neg = self.energy(torch.cat([pos, neg])).split(len(pos))
        loss = (e_pos - e_neg).mean() + self.alpha * (e_pos.pow(2) + e_neg.pow(2)).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.gap += 0.05 * ((e_neg.mean() - e_pos.mean()).item() - self.gap)
        return loss.item()


if __name__ == "__main__":
    torch.manual_seed(31)
    trainer = ContrastiveDivergence(Energy(), Particles(1024))
    values = []
    for it in range(350):
        values.append(trainer(checkerboard(96)))
        if it % 70 == 0:
            recent = values[-30:]
            print(f"it {it:3d}  loss {sum(recent) / len(recent):+.4f}  gap {trainer.gap:+.3f}  "
                  f"mean age {trainer.particles.age.mean():.1f}")
