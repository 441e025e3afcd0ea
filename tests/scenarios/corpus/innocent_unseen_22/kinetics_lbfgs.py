# gradwatch-corpus: kind=none
"""Rate constants of a three-species reaction from noisy concentration curves, one experiment after the other,
by L-BFGS with log-parameters and a smoothness prior on the temperature dependence."""
import math

import torch
from torch import nn

TIMES = 16
DT = 0.15


class Kinetics(nn.Module):
    """A -> B -> C with Arrhenius rates, integrated by the midpoint rule."""

    def __init__(self):
        super().__init__()
        self.log_k = nn.Parameter(torch.tensor([0.0, 0.0]))
        self.energy = nn.Parameter(torch.tensor([0.5, 0.5]))

    def rates(self, temperature):
        return torch.exp(self.log_k - self.energy * (1 / temperature - 1)[:, None])

    @staticmethod
    def slope(c, k):
        a, b = c[:, 0], c[:, 1]
        r1, r2 = k[:, 0] * a, k[:, 1] * b
        return torch.stack([-r1, r1 - r2, r2], 1)

    def forward(self, start, temperature):
        k = self.rates(temperature)
        c, path = start, []
        for _ in range(TIMES):
            mid = c + 0.5 * DT * self.slope(c, k)
            c = c + DT * self.slope(mid, k)
            path.append(c)
        return torch.stack(path, 1)


def experiment(truth, rng, n=6):
    start = torch.rand(n, 3, generator=rng)
    start = start / start.sum(1, keepdim=True)
    temperature = 0.8 + 0.4 * torch.rand(n, generator=rng)
    with torch.no_grad():
        curves = truth(start, temperature)
    return start, temperature, curves + 0.01 * torch.randn(curves.shape, generator=rng)


class Estimator:
    def __init__(self, model, window=3):
        self.model = model
        self.window = window
        self.recent = []
        self.calls = 0

    def objective(self):
        total = 0.0
        for start, temperature, curves in self.recent:
            total = total + (self.model(start, temperature) - curves).square().mean()
        return total / len(self.recent) + 1e-4 * self.model.energy.square().sum()

    def assimilate(self, data):
        self.recent = (self.recent + [data])[-self.window:]
        solver = torch.optim.LBFGS(self.model.parameters(), lr=0.5, max_iter=2, history_size=4)

        def closure():
            solver.zero_grad()
            loss = self.objective()
            loss.backward()
            self.calls += 1
            return loss

        return solver.step(closure).item()


def main():
    torch.manual_seed(12)
    rng = torch.Generator().manual_seed(13)
    truth = Kinetics().requires_grad_(False)
    truth.log_k.copy_(torch.tensor([math.log(1.8), math.log(0.6)]))
    truth.energy.copy_(torch.tensor([1.2, 0.3]))
    estimator = Estimator(Kinetics(), window=1)
    for i in range(1, 201):
        loss = estimator.assimilate(experiment(truth, rng))
        if i % 50 == 0:
            k = estimator.model.log_k.detach().exp().tolist()
            print(f"experiment {i}: misfit {loss:.5f}  k = {k[0]:.3f}, {k[1]:.3f}  ({estimator.calls} evaluations)")


if __name__ == "__main__":
    main()
