# gradwatch-corpus: kind=none
"""Variational Monte Carlo, transverse-field Ising chain; RBM-like ansatz, per-sample gradients with torch.func."""
from dataclasses import dataclass, field

import torch
from torch import nn
from torch.func import functional_call, grad, vmap


@dataclass
class Observables:
    energy: list = field(default_factory=list)
    baseline: torch.Tensor = None

    def update(self, e):
        self.energy.append(e.mean().item())
        m = e.mean()
        self.baseline = m if self.baseline is None else 0.9 * self.baseline + 0.1 * m


class LogPsi(nn.Module):
    def __init__(self, n, hidden):
        super().__init__()
        self.w = nn.Linear(n, hidden)
        self.vis = nn.Parameter(0.01 * torch.randn(n))

    def forward(self, s):
        h = self.w(s)
        return torch.logaddexp(h, -h).sum(-1) + s @ self.vis


class VMC:
    def __init__(self, n=8, chains=48, field_h=1.0):
        self.psi = LogPsi(n, 12)
        self.n, self.h = n, field_h
        self.spins = torch.randint(0, 2, (chains, n)).float() * 2 - 1
        self.obs = Observables()
        self.opt = torch.optim.Adam(self.psi.parameters(), lr=0.02)

    @torch.no_grad()
    def sweep(self):
        for _ in range(self.n):
            i = torch.randint(0, self.n, (len(self.spins),))
            prop = self.spins.clone()
            prop[torch.arange(len(prop)), i] *= -1
            ok = torch.rand(len(prop)).log() < 2 * (self.psi(prop) - self.psi(self.spins))
            self.spins = torch.where(ok[:, None], prop, self.spins)

    @torch.no_grad()
    def local_energy(self, s):
        zz = -(s * s.roll(1, -1)).sum(-1)
        flips = s[:, None, :] * (1 - 2 * torch.eye(self.n))
        ratio = (self.psi(flips) - self.psi(s)[:, None]).exp()
        return zz - self.h * ratio.sum(-1)

    def score_norm(self, s):
        params = {k: v.detach() for k, v in self.psi.named_parameters()}
        per = vmap(grad(lambda p, x: functional_call(self.psi, p, (x,))), (None, 0))(params, s)
        return sum(g.flatten(1).pow(2).sum(1) for g in per.values()).mean().item()

    def step(self):
        self.sweep()
        e = self.local_energy(self.spins)
        self.obs.update(e)
        loss = 2 * ((e - self.obs.baseline) * self.psi(self.spins)).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(60)
    vmc = VMC()
    for it in range(100):
        vmc.step()
        if it % 20 == 0:
            print(f"{it} E/N {vmc.obs.energy[-1] / vmc.n:.4f} score {vmc.score_norm(vmc.spins):.2f}")
