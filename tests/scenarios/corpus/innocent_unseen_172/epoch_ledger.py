# gradwatch-corpus: kind=none
"""Tabular regression with a per-epoch ledger: batch losses are gathered for the epoch of 15 batches,
summarised with quantiles on the way out, and used to reweight groups in the next epoch."""
import contextlib
from collections import defaultdict

import torch
from torch import nn


class Ledger:
    def __init__(self):
        self.rows = []
        self.by_group = defaultdict(list)
        self.summary = {}

    def enter(self, loss, per_sample, group):
        self.rows.append(loss)
        for g in group.unique().tolist():
            self.by_group[g].append(per_sample[group == g].mean())

    @contextlib.contextmanager
    def epoch(self, number):
        try:
            yield self
        finally:
            stacked = torch.stack(self.rows).detach()
            q = torch.quantile(stacked, torch.tensor([0.1, 0.5, 0.9]))
            self.summary = {"epoch": number, "q": q.tolist(),
                            "group": {g: torch.stack(v).mean().item() for g, v in self.by_group.items()}}
            self.rows.clear()
            self.by_group.clear()


class GroupWeights:
    def __init__(self, n, eta=0.3):
        self.w = torch.ones(n)
        self.eta = eta

    def __call__(self, group):
        return self.w[group]

    def refresh(self, summary):
        for g, v in summary["group"].items():
            self.w[g] = self.w[g] * torch.exp(torch.tensor(self.eta * v))
        self.w = self.w / self.w.mean()


def make_data(n, seed):
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(n, 12, generator=g)
    group = torch.randint(0, 4, (n,), generator=g)
    coef = torch.randn(4, 12, generator=g)
    y = (x * coef[group]).sum(1) + 0.1 * torch.randn(n, generator=g)
    return torch.utils.data.TensorDataset(x, group, y)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.g = nn.Embedding(4, 8)
        self.body = nn.Sequential(nn.Linear(20, 48), nn.GELU(), nn.Linear(48, 1))

    def forward(self, x, group):
        return self.body(torch.cat([x, self.g(group)], 1)).squeeze(1)


def main(epochs=45):
    torch.manual_seed(0)
    loader = torch.utils.data.DataLoader(make_data(480, 4), batch_size=32, shuffle=True)
    net, ledger, weights = Net(), Ledger(), GroupWeights(4)
    opt = torch.optim.AdamW(net.parameters(), lr=3e-3)
    for e in range(epochs):
        with ledger.epoch(e):
            for x, group, y in loader:
                per_sample = (net(x, group) - y).pow(2)
                loss = (weights(group) * per_sample).mean()
                opt.zero_grad()
                loss.backward()
                opt.step()
                ledger.enter(loss, per_sample, group)
        weights.refresh(ledger.summary)
        if e % 10 == 0:
            print(ledger.summary["epoch"], [round(v, 3) for v in ledger.summary["q"]], weights.w.tolist())


if __name__ == "__main__":
    main()
