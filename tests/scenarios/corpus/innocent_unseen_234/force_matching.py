# gradwatch-corpus: kind=none
"""Interatomic potential from energies and forces, with per-atom checkpointing."""
import copy

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

N_ATOMS = 8
CUT = 4.0


def pair_reference(r):
    return 4.0 * 0.2 * ((1.6 / r) ** 8 - (1.6 / r) ** 4)


def pairs(pos):
    i, j = torch.triu_indices(N_ATOMS, N_ATOMS, offset=1)
    return (pos[:, i] - pos[:, j]).norm(dim=-1)


class Frames:
    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        corner = torch.tensor([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)])
        self.pos = 1.9 * corner.float() + 0.12 * torch.randn(n, N_ATOMS, 3, generator=g)
        p = self.pos.clone().requires_grad_(True)
        energy = pair_reference(pairs(p)).sum(dim=1)
        self.force = -torch.autograd.grad(energy.sum(), p)[0]
        self.energy = energy.detach()

    def batch(self, size, gen):
        idx = torch.randint(len(self.pos), (size,), generator=gen)
        return self.pos[idx], self.energy[idx], self.force[idx]


class Potential(nn.Module):
    def __init__(self, n_basis=12):
        super().__init__()
        self.register_buffer("centres", torch.linspace(1.2, CUT, n_basis))
        self.mlp = nn.Sequential(nn.Linear(n_basis, 24), nn.SiLU(), nn.Linear(24, 1))
        self.shift = nn.Parameter(torch.zeros(()))

    def pair_energy(self, r):
        basis = torch.exp(-6.0 * (r[..., None] - self.centres) ** 2)
        return self.mlp(basis).squeeze(-1)

    def forward(self, pos):
        e = checkpoint(self.pair_energy, pairs(pos), use_reentrant=False)
        return e.sum(dim=1) + self.shift


def energy_and_force(model, pos, training):
    pos = pos.clone().requires_grad_(True)
    energy = model(pos)
    force = -torch.autograd.grad(energy.sum(), pos, create_graph=training)[0]
    return energy, force


def validate(model, frames):
    energy, force = energy_and_force(model, frames.pos, training=False)
    return (force - frames.force).abs().mean().item(), energy.detach().std().item()


def train(model, steps):
    gen = torch.Generator().manual_seed(2)
    train_set = Frames(120, seed=3)
    valid_set = Frames(30, seed=4)
    model.shift.data.fill_(train_set.energy.mean())
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    best = (float("inf"), None)
    average = copy.deepcopy(model).requires_grad_(False)
    history = []
    for step in range(steps):
        pos, e_ref, f_ref = train_set.batch(16, gen)
        energy, force = energy_and_force(model, pos, training=True)
        loss = 0.05 * (energy - e_ref).square().mean() + (force - f_ref).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        with torch.no_grad():
            for slow, fast in zip(average.parameters(), model.parameters()):
                slow.lerp_(fast, 0.05)
        if step % 20 == 19:
            mae, spread = validate(average, valid_set)
            history.append((step, loss.item(), mae))
            if mae < best[0]:
                best = (mae, copy.deepcopy(average.state_dict()))
    return best, history


if __name__ == "__main__":
    torch.manual_seed(29)
    best, history = train(Potential(), steps=140)
    for step, loss, mae in history:
        print(f"{step:4d}  loss {loss:.4f}  force mae {mae:.4f}")
    print("best", round(best[0], 4))
