# gradwatch-corpus: kind=none
import torch
from torch import nn

from reporter import Reporter, calibration, r2


class PowerCurve(nn.Module):
    """Heteroscedastic power prediction from wind, pitch, density and yaw."""

    def __init__(self, width=28):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(4, width), nn.ELU(), nn.Linear(width, width), nn.ELU())
        self.mean = nn.Linear(width, 1)
        self.log_var = nn.Linear(width, 1)

    def forward(self, x):
        h = self.trunk(x)
        return self.mean(h).squeeze(-1), self.log_var(h).squeeze(-1).clamp(-6, 3)


class ScadaStream:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.wind = 0.5

    def __iter__(self):
        return self

    def __next__(self):
        drift = torch.randn((), generator=self.gen).item() * 0.02
        self.wind = min(0.9, max(0.1, self.wind + drift))
        x = torch.rand(40, 4, generator=self.gen)
        x[:, 0] = (x[:, 0] * 0.6 + self.wind * 0.7).clamp(0, 1)
        power = torch.sigmoid(9 * (x[:, 0] - 0.45)) * (1 - 0.3 * x[:, 1]) * (0.9 + 0.2 * x[:, 2])
        power = power - 0.2 * (x[:, 3] - 0.5).pow(2)
        noise = (0.02 + 0.06 * x[:, 0]) * torch.randn(40, generator=self.gen)
        return x, power + noise


def main():
    torch.manual_seed(17)
    model = PowerCurve()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    reporter = Reporter(every=45)
    for n, (x, y) in zip(range(450), ScadaStream(17)):
        mean, log_var = model(x)
        nll = 0.5 * (log_var + (y - mean).pow(2) / log_var.exp()).mean()
        optimizer.zero_grad()
        nll.backward()
        optimizer.step()
        reporter.defer("nll", lambda v: v, nll.detach())
        reporter.defer("r2", r2, mean, y)
        reporter.defer("inside", calibration, log_var, mean, y)
        reporter.step(n)
    best = max(reporter.published, key=lambda p: p[1]["r2"])
    print("best r2 at", best[0])


if __name__ == "__main__":
    main()
