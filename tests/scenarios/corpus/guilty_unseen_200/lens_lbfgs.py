# gradwatch-corpus: kind=second-backward
# first-bad: 0
"""Fits a sum of Gaussians to a spectrum, one L-BFGS solve for each spectrum."""
import torch
from torch import nn


class Peaks(nn.Module):
    def __init__(self, k):
        super().__init__()
        self.mu = nn.Parameter(torch.linspace(-2, 2, k))
        self.logw = nn.Parameter(torch.full((k,), -0.5))
        self.amp = nn.Parameter(torch.ones(k) * 0.5)
        self.base = nn.Parameter(torch.zeros(()))

    def forward(self, grid):
        z = (grid[:, None] - self.mu) / self.logw.exp()
        return (self.amp * torch.exp(-0.5 * z * z)).sum(1) + self.base


class SpectrumSource:
    def __init__(self, seed, points=80):
        self.g = torch.Generator().manual_seed(seed)
        self.grid = torch.linspace(-4, 4, points)

    def draw(self, k=3):
        mu = torch.sort(torch.rand(k, generator=self.g) * 5 - 2.5).values
        w = 0.3 + 0.4 * torch.rand(k, generator=self.g)
        amp = 0.5 + torch.rand(k, generator=self.g)
        y = (amp * torch.exp(-0.5 * ((self.grid[:, None] - mu) / w) ** 2)).sum(1)
        return y + 0.02 * torch.randn(len(y), generator=self.g)


def smoothness(model):
    return 1e-3 * (model.amp.pow(2).sum() + model.logw.pow(2).sum())


def solve(model, grid, y, iters=6):
    opt = torch.optim.LBFGS(model.parameters(), lr=0.5, max_iter=iters, history_size=5)
    residual = model(grid) - y  # <- culprit
    calls = 0

    def closure():
        nonlocal calls
        calls += 1
        opt.zero_grad()
        loss = residual.pow(2).mean() + smoothness(model)
        loss.backward()
        return loss

    final = opt.step(closure)
    return float(final), calls


def main(spectra=400):
    torch.manual_seed(41)
    source = SpectrumSource(41)
    model = Peaks(3)
    errors = []
    for i in range(spectra):
        err, calls = solve(model, source.grid, source.draw())
        errors.append(err)
        if i % 40 == 0:
            print(f"spectrum {i} error {err:.5f} after {calls} evaluations")
    print("median", sorted(errors)[len(errors) // 2])


if __name__ == "__main__":
    main()
