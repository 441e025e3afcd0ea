# gradwatch-corpus: kind=none
"""Household survey: one trunk and three objectives, which share the trunk in two different ways."""
import torch

from .objectives import make_objectives
from .sharing import STRATEGIES, Trunk


def households(n, inputs=14):
    x = torch.randn(n, inputs)
    income = x[:, :5].sum(1) + 0.3 * x[:, 5] * x[:, 6]
    return x, {
        "income": income + 0.1 * torch.randn(n),
        "owner": (x[:, 2] + x[:, 7] > 0).float(),
        "region": (x[:, 8:12]).argmax(1),
    }


class Study:
    def __init__(self, strategy, width=28):
        self.trunk = Trunk(14, width)
        self.objectives = make_objectives(width)
        self.share = STRATEGIES[strategy]
        params = [*self.trunk.parameters(), *self.objectives.parameters()]
        self.opt = torch.optim.Adam(params, lr=2e-3)
        self.history = {name: [] for name in self.objectives}

    def step(self, n=48):
        x, answers = households(n)
        self.opt.zero_grad()
        values = self.share(self.trunk, self.objectives, x, answers)
        self.opt.step()
        for name, value in values.items():
            self.history[name].append(value)

    def report(self):
        return {name: round(sum(v[-20:]) / 20, 3) for name, v in self.history.items()}


def main():
    torch.set_num_threads(1)
    for strategy in STRATEGIES:
        torch.manual_seed(6)
        study = Study(strategy)
        for _ in range(100):
            study.step()
        print(f"{strategy:>9s}", study.report())


if __name__ == "__main__":
    main()
