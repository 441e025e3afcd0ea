# gradwatch-corpus: kind=second-backward
# holder: self.ptdf | self.model.ptdf | grid.ptdf | model.ptdf | obj.__dict__[self.name] | value
# first-bad: 1
# notice: 0
"""Estimate line susceptances of a small transmission grid from metered flows (DC model)."""
import torch

from .grid import DCGrid, ring_with_chords
from .fit import Fitter


def metered(true_grid, n, gen):
    with torch.no_grad():
        inj = torch.randn(n, true_grid.buses, generator=gen)
        inj -= inj.mean(dim=1, keepdim=True)
        flow = true_grid(inj)
        return inj, flow + 0.02 * torch.randn(flow.shape, generator=gen)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(1)
    gen = torch.Generator().manual_seed(12)
    lines = ring_with_chords(10)
    truth = DCGrid(10, lines, 0.6 * torch.randn(len(lines), generator=gen))
    inj, flow = metered(truth, 512, gen)
    grid = DCGrid(10, lines)
    fitter = Fitter(grid, lr=0.03)
    for epoch in range(10):
        err = fitter.epoch(inj, flow, batch=64)
        print(f"epoch {epoch} flow rmse {err ** 0.5:.4f}")
    gap = (grid.log_b - truth.log_b).detach()
    print("spread of log susceptance error", (gap - gap.mean()).std().item())


main()
