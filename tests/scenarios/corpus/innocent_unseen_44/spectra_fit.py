# gradwatch-corpus: kind=none
"""Fits sums of Lorentz peaks to noisy spectra with L-BFGS."""
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class FitReport:
    sample: int
    losses: list = field(default_factory=list)
    evaluations: int = 0

    def line(self):
        return f"sample {self.sample}: {self.losses[0]:.4f} -> {self.losses[-1]:.5f} after {self.evaluations} evaluations"


class Peaks(nn.Module):
    def __init__(self, count, span):
        super().__init__()
        lo, hi = span
        self.centre = nn.Parameter(torch.linspace(lo, hi, count + 2)[1:-1].clone())
        self.log_width = nn.Parameter(torch.full((count,), -0.5))
        self.height = nn.Parameter(torch.full((count,), 0.5))
        self.base = nn.Parameter(torch.zeros(2))

    def forward(self, x):
        w2 = self.log_width.exp().square()
        shape = w2 / ((x[:, None] - self.centre).square() + w2)
        return shape @ self.height + self.base[0] + self.base[1] * x


def synth_spectrum(seed, points=200):
    g = torch.Generator().manual_seed(seed)
    x = torch.linspace(-5, 5, points)
    y = 0.1 + 0.02 * x
    for c in (-2.8, 0.3, 2.6):
        width = 0.4 + 0.4 * torch.rand(1, generator=g)
        c = c + 0.6 * torch.rand(1, generator=g) - 0.3
        y = y + (0.5 + torch.rand(1, generator=g)) * width ** 2 / ((x - c) ** 2 + width ** 2)
    return x, y + 0.02 * torch.randn(points, generator=g)


class Fitter:
    def __init__(self, rounds=22, ridge=1e-4):
        self.rounds = rounds
        self.ridge = ridge

    def objective(self, model, x, y):
        misfit = (model(x) - y).square().mean()
        return misfit + self.ridge * sum(p.square().sum() for p in model.parameters())

    def fit(self, sample, x, y):
        model = Peaks(3, (-5.0, 5.0))
        report = FitReport(sample)
        opt = torch.optim.LBFGS(
            model.parameters(), lr=0.7, max_iter=4, history_size=8, line_search_fn="strong_wolfe"
        )

        def closure():
            opt.zero_grad()
            loss = self.objective(model, x, y)
            loss.backward()
            report.evaluations += 1
            return loss

        for _ in range(self.rounds):
            loss = opt.step(closure)
            report.losses.append(loss.item())
        return model, report


def main():
    torch.manual_seed(0)
    fitter = Fitter()
    centres = []
    for sample in range(4):
        x, y = synth_spectrum(sample)
        model, report = fitter.fit(sample, x, y)
        centres.append(model.centre.detach().clone())
        print(report.line())
    spread = torch.stack(centres).std(dim=0)
    print("spread of the centres:", [round(v, 3) for v in spread.tolist()])


if __name__ == "__main__":
    main()
