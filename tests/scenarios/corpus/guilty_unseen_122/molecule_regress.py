# gradwatch-corpus: kind=graph-held
# holder: incidents | incidents[-1].__traceback__ | self.incidents | run.incidents | err.__traceback__
# first-bad: 4
# notice: 8
"""Predict a scalar property of random "molecules" with a small message passing net.

Loosely follows the QM9 example that everybody copies.
"""
import torch

torch.set_num_threads(1)
from dataclasses import dataclass, field
from torch import nn


class OutlierBatch(Exception):
    def __init__(self, idx, worst):
        super().__init__(f"batch {idx}: residual {worst:.2f}")
        self.idx = idx


def random_molecules(n, atoms=6, f=5):
    kind = torch.randint(0, f, (n, atoms))
    x = nn.functional.one_hot(kind, f).float()
    a = (torch.rand(n, atoms, atoms) < 0.35).float().triu(1)
    a = a + a.transpose(1, 2)
    w = torch.linspace(-1, 1, f)
    y = (x @ w).mean(1) + 0.3 * (a.sum((1, 2)) / atoms - 1.5)
    return x, a, y


class MPNN(nn.Module):
    def __init__(self, f=5, h=20, rounds=2):
        super().__init__()
        self.emb = nn.Linear(f, h)
        self.msg = nn.ModuleList(nn.Linear(h, h) for _ in range(rounds))
        self.upd = nn.GRUCell(h, h)
        self.read = nn.Sequential(nn.Linear(h, h), nn.ELU(), nn.Linear(h, 1))

    def forward(self, x, a):
        h = torch.relu(self.emb(x))
        b, n, d = h.shape
        for lin in self.msg:
            m = a @ lin(h)
            h = self.upd(m.reshape(b * n, d), h.reshape(b * n, d)).view(b, n, d)
        return self.read(h.mean(1)).squeeze(-1)


def check_residuals(idx, residual, limit):
    worst = residual.abs().max().item()
    if worst > limit:
        raise OutlierBatch(idx, worst)


@dataclass
class Run:
    net: nn.Module
    opt: torch.optim.Optimizer
    limit: float = 6.0
    incidents: list = field(default_factory=list)
    curve: list = field(default_factory=list)

    def train_batch(self, idx, batch):
        x, a, y = batch
        pred = self.net(x, a)
        residual = pred - y
        try:
            check_residuals(idx, residual, self.limit)
            loss = residual.pow(2).mean()
        except OutlierBatch as err:
            self.incidents.append(err)  # <- culprit
            loss = nn.functional.huber_loss(pred, y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.curve.append(loss.item())


def main():
    torch.manual_seed(99)
    net = MPNN()
    run = Run(net, torch.optim.Adam(net.parameters(), lr=2e-3))
    for idx in range(330):
        x, a, y = random_molecules(10)
        if idx % 3 == 0 and idx:  # simulated bad labels, as in the scraped set
            y[torch.randint(0, len(y), (1,))] += 9.0
        run.train_batch(idx, (x, a, y))
        if idx % 110 == 109:
            tail = run.curve[-50:]
            print(f"{idx + 1} batches, loss {sum(tail) / len(tail):.3f}, {len(run.incidents)} outlier batches")
    print("last:", run.incidents[-1])


if __name__ == "__main__":
    main()
