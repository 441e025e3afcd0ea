# gradwatch-corpus: kind=graph-chain
# holder: self.anchor | learner.anchor
# first-bad: 1
from dataclasses import dataclass, field

import torch
from torch import nn
from torch.nn.utils import parameters_to_vector


@dataclass
class Settings:
    tasks: int = 4
    steps_per_task: int = 110
    batch: int = 48
    lr: float = 0.05
    pull: float = 0.05
    decay: float = 0.98
    dims: list = field(default_factory=lambda: [20, 40, 5])


class RotatedClusters:
    """Gaussian clusters whose input axes are permuted in each task."""

    def __init__(self, settings, seed=0):
        self.gen = torch.Generator().manual_seed(seed)
        d, k = settings.dims[0], settings.dims[-1]
        self.means = 2 * torch.randn(k, d, generator=self.gen)
        self.perms = [torch.randperm(d, generator=self.gen) for _ in range(settings.tasks)]

    def batch(self, task, n):
        y = torch.randint(0, len(self.means), (n,), generator=self.gen)
        x = self.means[y] + torch.randn(n, self.means.shape[1], generator=self.gen)
        return x[:, self.perms[task]], y


class AnchoredLearner:
    def __init__(self, settings):
        self.cfg = settings
        layers = []
        for i, o in zip(settings.dims[:-1], settings.dims[1:]):
            layers += [nn.Linear(i, o), nn.LeakyReLU(0.1)]
        self.net = nn.Sequential(*layers[:-1])
        self.opt = torch.optim.SGD(self.net.parameters(), lr=settings.lr)
        self.anchor = parameters_to_vector(self.net.parameters()).detach().clone()

    def penalty(self, weights):
        return (weights - self.anchor).pow(2).sum()

    def step(self, x, y):
        weights = parameters_to_vector(self.net.parameters())
        ce = nn.functional.cross_entropy(self.net(x), y)
        loss = ce + self.cfg.pull * self.penalty(weights)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.anchor = torch.lerp(weights, self.anchor, self.cfg.decay)  # <- culprit
        return ce.item()

    @torch.no_grad()
    def accuracy(self, x, y):
        return (self.net(x).argmax(1) == y).float().mean().item()


def main():
    torch.manual_seed(1)
    cfg = Settings()
    data, learner = RotatedClusters(cfg), AnchoredLearner(cfg)
    table = []
    for task in range(cfg.tasks):
        for _ in range(cfg.steps_per_task):
            ce = learner.step(*data.batch(task, cfg.batch))
        row = [learner.accuracy(*data.batch(t, 200)) for t in range(task + 1)]
        table.append(row)
        print(f"task {task} ce {ce:.4f} | " + " ".join(f"{a:.2f}" for a in row))
    final = table[-1]
    forgetting = sum(table[t][t] - final[t] for t in range(cfg.tasks - 1)) / (cfg.tasks - 1)
    print(f"average accuracy {sum(final) / len(final):.3f} forgetting {forgetting:.3f}")


if __name__ == "__main__":
    main()
