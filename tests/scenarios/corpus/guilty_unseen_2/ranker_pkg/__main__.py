# gradwatch-corpus: kind=graph-held
# holder: EPOCH[name] | EPOCH | monitor.EPOCH | monitor.EPOCH[name] | _totals | monitor._totals | EPOCH["rank"]
# first-bad: 1
"""Pairwise ranking with two towers; run with  python -m ranker_pkg"""
import torch

from . import monitor
from .towers import TwoTower, bpr, reg


def train(epochs=6, per_epoch=25):
    torch.manual_seed(314)
    model = TwoTower(users=120, items=300, dim=16)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    for ep in range(epochs):
        for _ in range(per_epoch):
            u = torch.randint(0, 120, (48,))
            pos = (u * 2 + torch.randint(0, 3, (48,))) % 300
            neg = torch.randint(0, 300, (48,))
            s_pos, s_neg = model(u, pos), model(u, neg)
            rank, l2 = bpr(s_pos, s_neg), reg(model, u, pos, neg)
            loss = rank + 1e-3 * l2
            opt.zero_grad()
            loss.backward()
            opt.step()
            monitor.add("rank", rank)  # <- culprit
            monitor.add("l2", l2)  # <- culprit
        monitor.report(ep)


if __name__ == "__main__":
    train()
