# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
"""Sparse mixture-of-experts regressor for tabular delivery-time data, with a load balancing term."""
import random

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class DeliveryData(Dataset):
    """Features: distance, weight, hour, weekday one-hot, region one-hot. Target: minutes (standardised)."""

    def __init__(self, n, seed):
        rng = random.Random(seed)
        rows, ys = [], []
        for _ in range(n):
            dist, weight, hour = rng.expovariate(0.3), rng.random() * 20, rng.random()
            day, region = rng.randrange(7), rng.randrange(5)
            base = {0: 4.0, 1: 6.0, 2: 3.0, 3: 9.0, 4: 5.0}[region]
            rush = 1.8 if 0.3 < hour < 0.4 or 0.7 < hour < 0.8 else 1.0
            y = base * dist * rush + (weight if region == 3 else 0.2 * weight) + (8 if day >= 5 else 0)
            onehot = [float(day == d) for d in range(7)] + [float(region == r) for r in range(5)]
            rows.append([dist / 3, weight / 10, hour] + onehot)
            ys.append(y + rng.gauss(0, 1))
        self.x = torch.tensor(rows)
        y = torch.tensor(ys)
        self.y = (y - y.mean()) / y.std()

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class Router(nn.Module):
    def __init__(self, dim, n_experts, k):
        super().__init__()
        self.proj = nn.Linear(dim, n_experts)
        self.k = k
        self.noise = 0.1

    def forward(self, h):
        logits = self.proj(h)
        if self.training:
            logits = logits + self.noise * torch.randn_like(logits)
        gates = logits.softmax(dim=-1)
        importance = gates.mean(0)
        kth = gates.topk(self.k, dim=-1).values[:, -1:]
        gates[gates < kth] = 0.0  # <- culprit
        gates = gates / gates.sum(-1, keepdim=True)
        return gates, importance


class Expert(nn.Module):
    def __init__(self, dim, hidden):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(dim, hidden), nn.GELU(), nn.Linear(hidden, dim))

    def forward(self, h):
        return h + self.body(h)


class MoERegressor(nn.Module):
    def __init__(self, n_in, dim=32, n_experts=6, k=2):
        super().__init__()
        self.stem = nn.Sequential(nn.Linear(n_in, dim), nn.GELU())
        self.router = Router(dim, n_experts, k)
        self.experts = nn.ModuleList(Expert(dim, 48) for _ in range(n_experts))
        self.out = nn.Linear(dim, 1)

    def forward(self, x):
        h = self.stem(x)
        gates, importance = self.router(h)
        outs = torch.stack([e(h) for e in self.experts], dim=1)
        mixed = (gates.unsqueeze(-1) * outs).sum(1)
        load = (gates > 0).float().mean(0)
        balance = len(self.experts) * (importance * load).sum()
        return self.out(mixed).squeeze(-1), balance


@torch.no_grad()
def rmse(model, data):
    model.eval()
    pred, _ = model(data.x)
    model.train()
    return (pred - data.y).pow(2).mean().sqrt().item()


def main():
    torch.manual_seed(0)
    train, test = DeliveryData(2400, 1), DeliveryData(400, 2)
    loader = DataLoader(train, batch_size=60, shuffle=True)
    model = MoERegressor(train.x.shape[1])
    print(f"rmse before training {rmse(model, test):.3f}")
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-3)
    for epoch in range(12):
        for x, y in loader:
            pred, balance = model(x)
            loss = nn.functional.huber_loss(pred, y) + 0.01 * balance
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
        print(f"epoch {epoch:2d} test rmse {rmse(model, test):.3f} balance {balance.item():.3f}")


if __name__ == "__main__":
    main()
