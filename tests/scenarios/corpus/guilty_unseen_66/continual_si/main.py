# gradwatch-corpus: kind=graph-held
# holder: self.path | self.path[n] | si.path | plugin.path | strategy.plugins[0].path
# first-bad: 1
# notice: 8
"""Permuted-features continual learning with synaptic intelligence."""
import torch
import torch.nn as nn

from plugins import AccuracyMatrix, SynapticIntelligence
from strategy import Strategy

torch.set_num_threads(1)


class Task:
    def __init__(self, base, n_features, seed):
        g = torch.Generator().manual_seed(seed)
        self.perm = torch.randperm(n_features, generator=g)
        self.base = base

    def sample(self, n):
        y = torch.randint(0, self.base.shape[0], (n,))
        x = self.base[y] + 0.9 * torch.randn(n, self.base.shape[1])
        return x[:, self.perm], y

    def batches(self, steps, batch_size):
        for _ in range(steps):
            yield self.sample(batch_size)


def main():
    torch.manual_seed(7)
    base = torch.randn(5, 32)
    tasks = [Task(base, 32, seed=100 + k) for k in range(2)]
    model = nn.Sequential(nn.Linear(32, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 5))
    si = SynapticIntelligence(strength=0.2, xi=1e-2)
    matrix = AccuracyMatrix(tasks)
    strategy = Strategy(model, torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9), plugins=[si, matrix])
    for k, task in enumerate(tasks):
        strategy.train_task(task.batches(steps=70, batch_size=256))
        print(f"after task {k}: " + " ".join(f"{a:.3f}" for a in matrix.rows[-1]))


if __name__ == "__main__":
    main()
