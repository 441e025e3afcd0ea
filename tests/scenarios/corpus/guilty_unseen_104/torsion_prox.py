# gradwatch-corpus: kind=graph-chain
# holder: self.values | slow.values | values
# first-bad: 1
# notice: 5
"""Fit torsion and Lennard-Jones parameters of a tiny force field to reference
energies, staying close to a slowly moving copy of the parameters."""
from __future__ import annotations

from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

torch.manual_seed(11)
torch.set_num_threads(1)


class ForceField(nn.Module):
    def __init__(self, n_types: int = 5, n_fourier: int = 4):
        super().__init__()
        self.eps_raw = nn.Parameter(torch.zeros(n_types))
        self.sigma = nn.Parameter(torch.ones(n_types))
        self.v_n = nn.Parameter(0.1 * torch.randn(n_types, n_fourier))
        self.register_buffer("order", torch.arange(1, n_fourier + 1).float())

    def forward(self, phi: Tensor, r: Tensor, kind: Tensor) -> Tensor:
        barrier = self.v_n[kind] * (1 + torch.cos(phi[..., None] * self.order))
        sr6 = (self.sigma[kind] / r).pow(6)
        lj = 4 * nn.functional.softplus(self.eps_raw)[kind] * (sr6 * sr6 - sr6)
        return (0.5 * barrier.sum(-1) + lj).sum(-1)


@dataclass
class SlowCopy:
    """Trails the fitted parameters; the fit is pulled towards it."""
    tau: float = 0.05
    weight: float = 1e-2
    values: dict[str, Tensor] = field(default_factory=dict)

    @classmethod
    def of(cls, model: nn.Module, **kw) -> "SlowCopy":
        return cls(values={n: p.detach().clone() for n, p in model.named_parameters()}, **kw)

    def pull(self, model: nn.Module) -> Tensor:
        terms = [(p - self.values[n]).square().sum() for n, p in model.named_parameters()]
        return self.weight * torch.stack(terms).sum()

    def follow(self, model: nn.Module) -> None:
        for n, p in model.named_parameters():
            self.values[n] = torch.lerp(self.values[n], p, self.tau)  # <- culprit


def conformers(n: int, atoms: int, gen: torch.Generator):
    phi = (torch.rand(n, atoms, generator=gen) * 2 - 1) * torch.pi
    r = 0.9 + 1.6 * torch.rand(n, atoms, generator=gen)
    kind = torch.randint(0, 5, (n, atoms), generator=gen)
    return phi, r, kind


def main(iterations: int = 200) -> None:
    gen = torch.Generator().manual_seed(5)
    reference = ForceField()
    with torch.no_grad():
        reference.v_n.mul_(8.0)
        reference.sigma.uniform_(0.8, 1.1, generator=gen)
        reference.eps_raw.uniform_(-2.0, 0.0, generator=gen)

    ff = ForceField()
    slow = SlowCopy.of(ff)
    opt = torch.optim.Adam(ff.parameters(), lr=5e-3)
    for it in range(iterations):
        phi, r, kind = conformers(48, 9, gen)
        with torch.no_grad():
            target = reference(phi, r, kind)
        rmsd = nn.functional.smooth_l1_loss(ff(phi, r, kind), target)
        loss = rmsd + slow.pull(ff)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        slow.follow(ff)
        opt.step()
        if it % 40 == 0:
            print(f"iter {it:4d}  energy {rmsd.item():8.4f}  total {loss.item():8.4f}")


if __name__ == "__main__":
    main()
