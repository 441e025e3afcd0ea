# gradwatch-corpus: kind=none
"""Force matching of a coarse-grained water model: pairwise tabulated-plus-neural potential, double backward through
the forces, averaged weights for the production run."""
from collections import deque
from dataclasses import dataclass, field

import torch
from torch import nn

BEADS, BOX = 12, 6.0


class PairPotential(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(8, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(),
                                 nn.Linear(hidden, 1))
        self.wall = nn.Parameter(torch.tensor(1.0))
        self.register_buffer("freq", torch.arange(1, 9) * torch.pi / (BOX / 2))
        self.register_buffer("pairs", torch.triu_indices(BEADS, BEADS, 1))

    def forward(self, pos):
        i, j = self.pairs
        delta = pos[:, i] - pos[:, j]
        delta = delta - BOX * torch.round(delta.detach() / BOX)
        r = delta.norm(dim=-1).clamp(min=0.3)
        bessel = torch.sin(r[..., None] * self.freq) / r[..., None]
        switch = (1 - (r / (BOX / 2)).clamp(max=1.0) ** 2) ** 2
        u = self.net(bessel).squeeze(-1) + nn.functional.softplus(self.wall) * (0.8 / r) ** 6
        return (u * switch).sum(1)


def forces_of(potential, pos, training):
    pos = pos.detach().requires_grad_(True)
    energy = potential(pos)
    (g,) = torch.autograd.grad(energy.sum(), pos, create_graph=training)
    return -g


def true_forces(pos):
    def energy(p):
        i, j = torch.triu_indices(BEADS, BEADS, 1)
        d = p[:, i] - p[:, j]
        d = d - BOX * torch.round(d.detach() / BOX)
        r = d.norm(dim=-1).clamp(min=0.6)
        return ((0.8 / r) ** 6 - torch.exp(-2 * (r - 1.3) ** 2)).sum()

    p = pos.detach().requires_grad_(True)
    return -torch.autograd.grad(energy(p), p)[0]


@dataclass
class AveragedWeights:
    """Exponential average with a warm-up of the decay, swapped in for evaluation."""

    module: nn.Module
    decay: float = 0.99
    count: int = 0
    shadow: dict = field(default_factory=dict)

    def __post_init__(self):
        self.shadow = {n: p.detach().clone() for n, p in self.module.named_parameters()}

    @torch.no_grad()
    def update(self):
        self.count += 1
        d = min(self.decay, (1 + self.count) / (10 + self.count))
        for n, p in self.module.named_parameters():
            self.shadow[n].lerp_(p, 1 - d)

    def __enter__(self):
        self.backup = {n: p.detach().clone() for n, p in self.module.named_parameters()}
        self._load(self.shadow)
        return self.module

    def __exit__(self, *exc):
        self._load(self.backup)
        del self.backup
        return False

    @torch.no_grad()
    def _load(self, source):
        for n, p in self.module.named_parameters():
            p.copy_(source[n])


class Plateau:
    """Halves the rate if the window's second half is no better than its first."""

    def __init__(self, optimizer, window=40):
        self.optimizer = optimizer
        self.losses = deque(maxlen=window)

    def see(self, loss):
        self.losses.append(loss.detach())
        if len(self.losses) < self.losses.maxlen:
            return
        values = torch.stack(tuple(self.losses))
        half = len(values) // 2
        if values[half:].mean() > 0.995 * values[:half].mean():
            for group in self.optimizer.param_groups:
                group["lr"] = max(group["lr"] * 0.5, 1e-4)
            self.losses.clear()


def frames(batch, seed):
    gen = torch.Generator().manual_seed(seed)
    grid = torch.cartesian_prod(torch.arange(3.0), torch.arange(2.0), torch.arange(2.0)) * 1.6
    while True:
        pos = grid + 0.12 * torch.randn(batch, BEADS, 3, generator=gen)
        yield pos, true_forces(pos)


def main(steps=260):
    torch.manual_seed(10)
    potential = PairPotential()
    optimizer = torch.optim.NAdam(potential.parameters(), lr=4e-3)
    plateau, average = Plateau(optimizer), AveragedWeights(potential)
    check_pos, check_f = next(frames(16, seed=99))
    for step, (pos, target) in zip(range(steps), frames(8, seed=4)):
        f = forces_of(potential, pos, training=True)
        loss = (f - target).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        average.update()
        plateau.see(loss)
        if (step + 1) % 65 == 0:
            with average as averaged:
                err = (forces_of(averaged, check_pos, training=False).detach() - check_f).pow(2).mean().sqrt()
            print(f"{step + 1:4d} train {loss.item():.4f} averaged rmse {err.item():.4f} lr {optimizer.param_groups[0]['lr']:.1e}")


if __name__ == "__main__":
    main()
