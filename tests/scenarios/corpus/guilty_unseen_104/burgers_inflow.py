# gradwatch-corpus: kind=inplace-modified
# holder: u | state
# first-bad: 60
# notice: 0
"""Recover viscosity and the initial profile of a 1-D Burgers flow from sparse
probes.  The first part of the fit runs with free ends, then the inflow sensor
is switched on."""
from typing import Callable, Optional

import torch
from torch import Tensor, nn

torch.manual_seed(12)
torch.set_num_threads(1)

NX, NT, DT = 64, 12, 2e-3
DX = 1.0 / NX
EdgeRule = Callable[[Tensor, int], Tensor]


def inflow(signal: Tensor) -> EdgeRule:
    def rule(state: Tensor, t: int) -> Tensor:
        state[:2] = signal[t]  # <- culprit
        return state

    return rule


def free(state: Tensor, t: int) -> Tensor:
    return state


class Burgers(nn.Module):
    def __init__(self, log_nu: float, profile: Tensor):
        super().__init__()
        self.log_nu = nn.Parameter(torch.tensor(log_nu))
        self.profile = nn.Parameter(profile)
        self.edge: EdgeRule = free

    def flux_difference(self, u: Tensor, t: int) -> Tensor:
        f = 0.5 * u.square()
        u = self.edge(u, t)  # <- culprit
        return (f - torch.roll(f, 1)) / DX

    def laplacian(self, u: Tensor) -> Tensor:
        return (torch.roll(u, 1) - 2 * u + torch.roll(u, -1)) / DX ** 2

    def forward(self, probes: Optional[Tensor] = None) -> Tensor:
        nu = self.log_nu.exp()
        u = self.profile + 0.0
        out = []
        for t in range(NT):
            adv = self.flux_difference(u, t)
            u = u - DT * adv + DT * nu * self.laplacian(u)
            out.append(u if probes is None else u[probes])
        return torch.stack(out)


def smoothness(p: Tensor) -> Tensor:
    return (p - torch.roll(p, 1)).square().mean()


def main() -> None:
    x = torch.linspace(0, 1, NX + 1)[:-1]
    with torch.no_grad():
        truth = Burgers(-4.0, 1 + 0.5 * torch.sin(2 * torch.pi * x))
        field = truth()
    probes = torch.arange(0, NX, 4)
    data = field[:, probes] + 0.005 * torch.randn(NT, len(probes))
    signal = field[:, 0]

    model = Burgers(-6.0, torch.ones(NX))
    opt = torch.optim.Adam([
        {"params": [model.log_nu], "lr": 2e-2},
        {"params": [model.profile], "lr": 1e-2},
    ])
    for it in range(240):
        if it == 60:
            model.edge = inflow(signal)
        misfit = (model(probes) - data).square().mean()
        loss = misfit + 1e-2 * smoothness(model.profile)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 30 == 0:
            print(f"it {it:3d} misfit {misfit.item():.5f} nu {model.log_nu.exp().item():.4f}")


if __name__ == "__main__":
    main()
