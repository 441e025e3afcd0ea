# gradwatch-corpus: kind=none
# about: create_graph=True every iteration is needed, since the loss contains forces; the running scale of the forces is cut inside the property
"""Force matching of a learned pair potential for a Lennard-Jones cluster, then a short trajectory with it."""
import torch
from torch import nn


def reference(pos):
    d = pair_distances(pos)
    return (4 * (d ** -12 - d ** -6)).sum(-1)


def pair_distances(pos):
    i, j = torch.triu_indices(pos.shape[-2], pos.shape[-2], 1)
    return (pos[..., i, :] - pos[..., j, :]).norm(dim=-1)


def forces(energy, pos, differentiable):
    return -torch.autograd.grad(energy.sum(), pos, create_graph=differentiable)[0]


class PairPotential(nn.Module):
    def __init__(self, centres=24, reach=3.5):
        super().__init__()
        self.register_buffer("mu", torch.linspace(0.8, reach, centres))
        self.beta = 30.0
        self.f = nn.Sequential(nn.Linear(centres, 32), nn.SiLU(), nn.Linear(32, 1))
        self.core = nn.Parameter(torch.tensor(0.5))

    def forward(self, pos):
        d = pair_distances(pos)
        feat = torch.exp(-self.beta * (d[..., None] - self.mu).pow(2))
        cut = torch.sigmoid(6 * (3.2 - d))
        return (cut * self.f(feat).squeeze(-1) + self.core.abs() * d ** -12).sum(-1)


class ForceScale:
    """Root-mean-square force over the run, used to weigh the two terms."""

    def __init__(self, start=1.0):
        self._ms = torch.tensor(start)

    @property
    def rms(self):
        return self._ms.sqrt()

    @rms.setter
    def rms(self, f):
        self._ms = torch.lerp(self._ms, f.detach().pow(2).mean(), 0.02)


def jiggled(lattice, n):
    return (lattice + 0.06 * torch.randn(n, *lattice.shape)).requires_grad_()


def verlet(model, pos, steps=40, dt=0.004):
    pos = pos.clone().requires_grad_()
    vel = torch.zeros_like(pos)
    acc = forces(model(pos), pos, False)
    for _ in range(steps):
        vel = vel + 0.5 * dt * acc
        pos = (pos + dt * vel).detach().requires_grad_()
        acc = forces(model(pos), pos, False)
        vel = vel + 0.5 * dt * acc
    return 0.5 * vel.pow(2).sum().item() + model(pos).item()


def main():
    torch.manual_seed(14)
    grid = torch.arange(2.0) * 1.12
    lattice = torch.cartesian_prod(grid, grid, grid)
    model, scale = PairPotential(), ForceScale(25.0)
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    for it in range(300):
        pos = jiggled(lattice, 12)
        want_e = reference(pos)
        want_f = forces(want_e, pos, False)
        got_e = model(pos)
        got_f = forces(got_e, pos, True)
        scale.rms = got_f
        loss = (got_f - want_f).pow(2).mean() / scale.rms ** 2 + 0.01 * (got_e - want_e.detach()).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 60 == 0:
            print(f"{it:4d} loss {loss.item():.4f} rms {scale.rms.item():.2f} energy after 40 steps {verlet(model, lattice):.3f}")


if __name__ == "__main__":
    main()
