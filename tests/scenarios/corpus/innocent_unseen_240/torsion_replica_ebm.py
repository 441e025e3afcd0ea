# gradwatch-corpus: kind=none
"""Contrastive divergence for an energy model of dihedral angles, persistent
chains at several temperatures with replica swaps."""
import random
from collections import namedtuple

import torch

Swap = namedtuple("Swap", "tries wins")
BETAS = torch.tensor([1.0, 0.7, 0.45, 0.25])


def fourier(phi, order=3):
    cols = []
    for k in range(1, order + 1):
        cols.append(torch.sin(k * phi))
        cols.append(torch.cos(k * phi))
    return torch.cat(cols, dim=-1)


def energy(theta, phi):
    w1, b1, w2 = theta
    return (torch.nn.functional.silu(fourier(phi) @ w1 + b1) @ w2).squeeze(-1)


def langevin(theta, phi, betas, n=4, dt=0.05):
    frozen = [t.detach() for t in theta]
    for _ in range(n):
        phi = phi.detach().requires_grad_()
        e = betas[:, None] * energy(frozen, phi)
        (g,) = torch.autograd.grad(e.sum(), phi)
        phi = phi.detach() - dt * g + (2.0 * dt) ** 0.5 * torch.randn_like(phi)
    return torch.remainder(phi + torch.pi, 2.0 * torch.pi) - torch.pi


@torch.no_grad()
def exchange(theta, phi, betas, stat):
    e = energy(theta, phi)
    start = random.randrange(2)
    for r in range(start, len(betas) - 1, 2):
        log_a = (betas[r] - betas[r + 1]) * (e[r] - e[r + 1])
        take = torch.rand_like(log_a) < log_a.exp()
        keep = torch.where(take[:, None], phi[r + 1], phi[r])
        phi[r + 1] = torch.where(take[:, None], phi[r], phi[r + 1])
        phi[r] = keep
        stat = Swap(stat.tries + take.numel(), stat.wins + int(take.sum()))
    return phi, stat


class Reservoir:
    """Fixed number of rows; new samples overwrite random old ones."""

    def __init__(self, capacity, dim):
        self.rows = torch.empty(capacity, dim).uniform_(-torch.pi, torch.pi)

    def draw(self, shape):
        n = shape[0] * shape[1]
        self.idx = torch.randint(len(self.rows), (n,))
        return self.rows[self.idx].reshape(*shape, -1)

    def put_back(self, phi):
        self.rows[self.idx] = phi.reshape(-1, phi.shape[-1])


def torsions(n):
    mode = torch.randint(3, (n, 2))
    centre = torch.tensor([-1.0, 1.1, 3.0])[mode]
    phi = centre + 0.25 * torch.randn(n, 2)
    return torch.remainder(phi + torch.pi, 2.0 * torch.pi) - torch.pi


def train(n_iter=110):
    torch.manual_seed(55)
    random.seed(55)
    theta = [
        (0.3 * torch.randn(12, 48)).requires_grad_(),
        torch.zeros(48, requires_grad=True),
        (0.1 * torch.randn(48, 1)).requires_grad_(),
    ]
    average = [t.detach().clone() for t in theta]
    opt = torch.optim.Adam(theta, lr=3e-3, betas=(0.5, 0.99))
    store = Reservoir(2048, 2)
    stat = Swap(0, 0)
    gap = None
    for it in range(n_iter):
        phi = langevin(theta, store.draw((len(BETAS), 64)), BETAS)
        phi, stat = exchange(theta, phi, BETAS, stat)
        store.put_back(phi)
        e_pos = energy(theta, torsions(64))
        e_neg = energy(theta, phi[0])
        loss = e_pos.mean() - e_neg.mean() + 0.05 * (e_pos ** 2 + e_neg ** 2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        with torch.no_grad():
            for a, t in zip(average, theta):
                a.lerp_(t, 0.02)
        diff = (e_pos.mean() - e_neg.mean()).detach()
        gap = diff if gap is None else 0.9 * gap + 0.1 * diff
        if it % 20 == 0:
            print(f"{it:3d} gap {gap.item():+.3f} swaps {stat.wins / max(stat.tries, 1):.2f}")
    return average


if __name__ == "__main__":
    ema = train()
    with torch.no_grad():
        print("energy at mode", energy(ema, torch.tensor([[1.1, -1.0]])).item())
