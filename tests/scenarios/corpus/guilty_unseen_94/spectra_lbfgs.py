# gradwatch-corpus: kind=second-backward
# holder: basis | closure | spec.basis
# first-bad: 30
# notice: 0
"""
Peak fitting of Raman spectra: sum of pseudo-Voigt bands with shared line shape.
Coarse fit with Adam, then polishing with L-BFGS.
"""
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(8)

GRID = torch.linspace(200.0, 1800.0, 400)


class BandModel(nn.Module):
    def __init__(self, centres, n_spectra):
        super().__init__()
        self.centre = nn.Parameter(torch.tensor(centres) / 100.0)
        self.log_width = nn.Parameter(torch.full((len(centres),), 3.4))
        self.mix = nn.Parameter(torch.zeros(()))
        self.height = nn.Parameter(torch.full((n_spectra, len(centres)), -0.5))
        self.offset = nn.Parameter(torch.zeros(n_spectra, 1))

    def bands(self):
        """(band, grid) matrix of unit-height profiles"""
        d = (GRID[None] - 100.0 * self.centre[:, None]) / self.log_width.exp()[:, None]
        eta = torch.sigmoid(self.mix)
        return eta / (1 + d ** 2) + (1 - eta) * torch.exp(-0.693 * d ** 2)

    def combine(self, bands):
        return F.softplus(self.height) @ bands + self.offset


def simulate(n):
    true_c = torch.tensor([420.0, 760.0, 1005.0, 1450.0])
    amp = 0.2 + torch.rand(n, 4)
    d = (GRID[None] - true_c[:, None]) / 28.0
    return amp @ (0.4 / (1 + d ** 2) + 0.6 * torch.exp(-0.693 * d ** 2)) + 0.02 * torch.randn(n, GRID.numel())


def misfit(pred, y, model):
    return (pred - y).square().mean() + 1e-4 * (model.log_width - 3.3).square().sum()


def coarse(model, y, steps=30):
    opt = torch.optim.Adam(model.parameters(), lr=0.03)
    for k in range(steps):
        opt.zero_grad()
        loss = misfit(model.combine(model.bands()), y, model)
        loss.backward()
        opt.step()
    return loss.item()


def polish(model, y, rounds=10):
    opt = torch.optim.LBFGS(
        model.parameters(), lr=0.5, max_iter=8, history_size=10, line_search_fn="strong_wolfe"
    )
    for r in range(rounds):
        basis = model.bands()  # <- culprit

        def closure():
            opt.zero_grad()
            loss = misfit(model.combine(basis), y, model)  # <- culprit
            loss.backward()  # <- culprit
            return loss

        loss = opt.step(closure)
        print(f"  polish {r}: {loss.item():.6f}")


def main():
    y = simulate(12)
    model = BandModel([400.0, 780.0, 990.0, 1470.0], len(y))
    print("coarse:", round(coarse(model, y), 6))
    polish(model, y)
    print("centres:", (100 * model.centre.detach()).round(decimals=1).tolist())
    print("width:", model.log_width.detach().exp().round(decimals=1).tolist())


if __name__ == "__main__":
    main()
