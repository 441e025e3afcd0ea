# gradwatch-corpus: kind=graph-held
# holder: self.records | fit.records
# first-bad: 1
"""Fit a neural potential to energies and forces of small argon-like clusters."""
import torch
import torch.nn as nn
from collections import namedtuple

Record = namedtuple("Record", "step energy_mae force_mae largest")


def morse(pos, depth=1.0, a=1.2, r0=1.5):
    n = pos.shape[0]
    i, j = torch.triu_indices(n, n, 1)
    r = (pos[i] - pos[j]).norm(dim=1)
    return (depth * (1 - torch.exp(-a * (r - r0))) ** 2 - depth).sum()


class PairNet(nn.Module):
    def __init__(self, n_rbf=12, hidden=24):
        super().__init__()
        self.register_buffer("mu", torch.linspace(0.8, 4.0, n_rbf))
        self.net = nn.Sequential(
            nn.Linear(n_rbf, hidden),
            nn.Tanh(),
            nn.Linear(hidden, hidden),
            nn.Tanh(),
            nn.Linear(hidden, 1),
        )

    def forward(self, pos):
        n = pos.shape[0]
        i, j = torch.triu_indices(n, n, 1)
        r = (pos[i] - pos[j]).norm(dim=1, keepdim=True)
        rbf = torch.exp(-4.0 * (r - self.mu) ** 2)
        return self.net(rbf).sum()


class PotentialFit:
    def __init__(self, n_atoms=5, seed=0):
        torch.manual_seed(seed)
        self.n_atoms = n_atoms
        self.model = PairNet()
        self.opt = torch.optim.Adam(self.model.parameters(), lr=2e-3)
        self.weight_f = 5.0
        self.records = []

    def sample(self):
        base = torch.rand(self.n_atoms, 3) * 2.5
        pos = base.requires_grad_()
        e = morse(pos)
        f = -torch.autograd.grad(e, pos)[0]
        return pos.detach(), e.detach().clamp(-20, 20), f.clamp(-5, 5)

    def step(self, k):
        pos, e_ref, f_ref = self.sample()
        pos.requires_grad_(True)
        e = self.model(pos)
        f = -torch.autograd.grad(e, pos, create_graph=True)[0]
        loss_e = (e - e_ref) ** 2 / self.n_atoms
        loss_f = ((f - f_ref) ** 2).mean()
        self.opt.zero_grad()
        (loss_e + self.weight_f * loss_f).backward()
        self.opt.step()
        rec = Record(
            step=k,
            energy_mae=(e - e_ref).abs().item(),
            force_mae=(f - f_ref).abs().mean().item(),
            largest=f.norm(dim=1).max(),  # <- culprit
        )
        self.records.append(rec)  # <- culprit
        return rec

    def run(self, steps):
        for k in range(steps):
            rec = self.step(k)
            if k % 30 == 0:
                print(f"{k:4d} E {rec.energy_mae:8.4f}  F {rec.force_mae:7.4f}  max|F| {rec.largest:7.3f}")


fit = PotentialFit()
fit.run(130)
top = max(fit.records, key=lambda r: float(r.largest))
print("largest force at step", top.step, "=", round(float(top.largest), 3))
