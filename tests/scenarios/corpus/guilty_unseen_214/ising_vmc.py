# gradwatch-corpus: kind=graph-held
# holder: _amp_cache
# first-bad: 1
"""Variational Monte Carlo for the 1D transverse-field Ising chain, computational physics homework 9."""
import torch
from torch import nn

N_SPINS, H_FIELD, J = 10, 0.8, 1.0
_amp_cache = {}


class LogPsi(nn.Module):
    def __init__(self, n, alpha=3):
        super().__init__()
        self.a = nn.Parameter(0.01 * torch.randn(n))
        self.hidden = nn.Linear(n, alpha * n)
        nn.init.normal_(self.hidden.weight, std=0.05)

    def forward(self, s):
        th = self.hidden(s)
        return s @ self.a + torch.log(torch.cosh(th)).sum(-1)


def cached(psi, tag, step, s):
    """log-amplitudes of a sample set; asked for by sampler, energy and gradient in turn"""
    key = (tag, step)
    if key not in _amp_cache:
        _amp_cache[key] = psi(s)  # <- culprit
    return _amp_cache[key]


@torch.no_grad()
def metropolis(psi, s, sweeps, gen):
    lp = psi(s)
    for _ in range(sweeps):
        i = torch.randint(0, s.shape[1], (s.shape[0],), generator=gen)
        prop = s.clone()
        prop[torch.arange(len(s)), i] *= -1
        lpn = psi(prop)
        acc = torch.rand(len(s), generator=gen) < torch.exp(2 * (lpn - lp))
        s = torch.where(acc[:, None], prop, s)
        lp = torch.where(acc, lpn, lp)
    return s


def local_energy(psi, s, step):
    diag = -J * (s * s.roll(-1, 1)).sum(-1)
    logp = cached(psi, "main", step, s).detach()
    flips = s[:, None, :] * (1 - 2 * torch.eye(s.shape[1]))
    with torch.no_grad():
        lf = psi(flips.reshape(-1, s.shape[1])).view(len(s), -1)
    return diag - H_FIELD * torch.exp(lf - logp[:, None]).sum(-1)


def optimise(steps=100, walkers=64):
    torch.manual_seed(6)
    gen = torch.Generator().manual_seed(6)
    psi = LogPsi(N_SPINS)
    opt = torch.optim.SGD(psi.parameters(), lr=0.03)
    s = torch.randint(0, 2, (walkers, N_SPINS), generator=gen).float() * 2 - 1
    energies = []
    for step in range(steps):
        s = metropolis(psi, s, 12, gen)
        e = local_energy(psi, s, step)
        logp = cached(psi, "main", step, s)
        loss = 2 * ((e - e.mean()) * logp).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        energies.append(e.mean().item() / N_SPINS)
        if step % 20 == 19:
            print(f"step {step + 1}: E/N = {sum(energies[-20:]) / 20:.4f}")
    return energies


if __name__ == "__main__":
    optimise()
