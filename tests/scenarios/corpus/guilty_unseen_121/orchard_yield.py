# gradwatch-corpus: kind=graph-held
# holder: keeper.snapshots | self.snapshots | keeper.snapshots[-1].score | snap.score
# first-bad: 4
# notice: 8
"""Apple yield per tree from soil, pruning and weather covariates (full batch)."""
import copy
from dataclasses import dataclass, field

import torch
import torch.nn as nn

torch.set_num_threads(1)
gen = torch.Generator().manual_seed(90)
torch.manual_seed(90)


@dataclass
class Snapshot:
    epoch: int
    score: object
    weights: dict


@dataclass
class BestKeeper:
    """Remembers every checkpoint that improved on the one before."""

    margin: float = 1e-4
    best: float = float("inf")
    snapshots: list = field(default_factory=list)

    def offer(self, epoch, score, net):
        if score < self.best - self.margin:
            self.best = score.item()
            snap = Snapshot(epoch, score, copy.deepcopy(net.state_dict()))  # <- culprit
            self.snapshots.append(snap)  # <- culprit
            return True
        return False


def orchard(n):
    cov = torch.randn(n, 7, generator=gen)
    kg = 20 + 3 * cov[:, 0] - 2 * cov[:, 1] * cov[:, 2] + cov[:, 3].clamp(min=0) * 4
    kg = kg + 0.5 * torch.randn(n, generator=gen)
    return cov, (kg - 20) / 5


net = nn.Sequential(nn.Linear(7, 24), nn.Softplus(), nn.Linear(24, 24), nn.Softplus(), nn.Linear(24, 1))
cov, kg = orchard(160)
cov_dev, kg_dev = orchard(60)
sgd = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.6)
keeper = BestKeeper()


def misfit(c, y):
    return (net(c).squeeze(1) - y).square().mean()


for epoch in range(900):
    sgd.zero_grad()
    misfit(cov, kg).backward()
    sgd.step()
    if epoch % 4 == 3:
        dev = misfit(cov_dev, kg_dev)
        keeper.offer(epoch, dev, net)

net.load_state_dict(keeper.snapshots[-1].weights)
print(f"{len(keeper.snapshots)} improvements, last at epoch {keeper.snapshots[-1].epoch}, dev mse {keeper.best:.4f}")
