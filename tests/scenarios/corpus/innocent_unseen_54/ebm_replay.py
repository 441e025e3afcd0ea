# gradwatch-corpus: kind=none
"""Energy-based model on a 2-D mixture: persistent Langevin chains kept in a ring buffer."""
from collections import deque

import torch
import torch.nn as nn


class Energy(nn.Module):
    def __init__(self, h=48):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(2, h), nn.SiLU(), nn.Linear(h, h), nn.SiLU(), nn.Linear(h, 1))

    def forward(self, x):
        return self.f(x).squeeze(-1) + 0.05 * x.pow(2).sum(-1)


class ChainBuffer:
    def __init__(self, size, dim, restart=0.05):
        self.store = 2 * torch.randn(size, dim)
        self.ptr = 0
        self.restart = restart

    def draw(self, n):
        x = self.store[torch.randint(0, len(self.store), (n,))]
        fresh = torch.rand(n) < self.restart
        x[fresh] = 2 * torch.randn(int(fresh.sum()), x.shape[1])
        return x

    def put(self, x):
        n = len(x)
        where = (self.ptr + torch.arange(n)) % len(self.store)
        self.store[where] = x
        self.ptr = (self.ptr + n) % len(self.store)


def langevin(energy, x, steps, eps):
    for p in energy.parameters():
        p.requires_grad_(False)
    x = x.requires_grad_()
    for _ in range(steps):
        (g,) = torch.autograd.grad(energy(x).sum(), x)
        with torch.no_grad():
            x.sub_(eps * g.clamp(-2, 2)).add_((0.1 * eps) ** 0.5 * torch.randn_like(x))
    for p in energy.parameters():
        p.requires_grad_(True)
    return x.detach()


def mixture(n):
    c = torch.tensor([[2.0, 0.0], [-2.0, 0.5], [0.0, 2.0]])
    return c[torch.randint(0, 3, (n,))] + 0.25 * torch.randn(n, 2)


def main():
    torch.manual_seed(19)
    data = mixture(2000)
    energy = Energy()
    chains = ChainBuffer(1024, 2)
    opt = torch.optim.Adam(energy.parameters(), lr=1e-3, betas=(0.5, 0.99))
    recent = deque(maxlen=25)
    for it in range(200):
        pos = data[torch.randint(0, len(data), (128,))]
        neg = langevin(energy, chains.draw(128), steps=10, eps=0.05)
        e_pos, e_neg = energy(pos), energy(neg)
        loss = e_pos.mean() - e_neg.mean() + 0.05 * (e_pos ** 2 + e_neg ** 2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        chains.put(neg)
        recent.append((e_pos.mean() - e_neg.mean()).item())
        if it % 40 == 39:
            print(f"{it + 1}: gap {sum(recent) / len(recent):+.3f}  spread {chains.store.std():.2f}")


if __name__ == "__main__":
    main()
