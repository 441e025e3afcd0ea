# gradwatch-corpus: kind=graph-held
# holder: self.deferred | logger.deferred
# first-bad: 1
"""Subscription churn model; scalars are rendered at the end so training isn't slowed by formatting."""
import json
from dataclasses import dataclass, asdict

import torch
from torch import nn


@dataclass(frozen=True)
class ChurnConfig:
    n_customers: int = 3000
    n_plans: int = 7
    n_numeric: int = 10
    emb_dim: int = 6
    width: int = 48
    batch_size: int = 64
    steps: int = 160
    lr: float = 3e-3


class DeferredLogger:
    def __init__(self):
        self.deferred = []

    def scalar(self, name, step, value_fn):
        self.deferred.append((name, step, value_fn))  # <- culprit

    def render(self):
        table = {}
        for name, step, value_fn in self.deferred:
            table.setdefault(name, {})[step] = round(value_fn(), 5)
        return table


class ChurnNet(nn.Module):
    def __init__(self, cfg: ChurnConfig):
        super().__init__()
        self.plan = nn.Embedding(cfg.n_plans, cfg.emb_dim)
        self.norm = nn.LayerNorm(cfg.n_numeric + cfg.emb_dim)
        self.fc1 = nn.Linear(cfg.n_numeric + cfg.emb_dim, cfg.width)
        self.fc2 = nn.Linear(cfg.width, cfg.width)
        self.out = nn.Linear(cfg.width, 1)

    def forward(self, plan, numeric):
        h = self.norm(torch.cat([self.plan(plan), numeric], dim=1))
        h = torch.relu(self.fc1(h))
        h = h + torch.relu(self.fc2(h))
        return self.out(h).squeeze(1)


def fake_customers(cfg):
    plan = torch.randint(0, cfg.n_plans, (cfg.n_customers,))
    numeric = torch.randn(cfg.n_customers, cfg.n_numeric)
    risk = numeric[:, 0] - 0.5 * numeric[:, 1] + (plan == 2).float()
    return plan, numeric, (risk > 0.6).float()


def main():
    cfg = ChurnConfig()
    torch.manual_seed(3)
    plan, numeric, churned = fake_customers(cfg)
    model = ChurnNet(cfg)
    opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=cfg.lr * 3, total_steps=cfg.steps)
    pos_weight = (churned == 0).sum() / churned.sum()
    criterion = nn.BCEWithLogitsLoss(pos_weight=pos_weight)
    logger = DeferredLogger()
    for step in range(cfg.steps):
        idx = torch.randint(0, cfg.n_customers, (cfg.batch_size,))
        logits = model(plan[idx], numeric[idx])
        loss = criterion(logits, churned[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        logger.scalar("loss", step, lambda value=loss: value.item())  # <- culprit
        lr = sched.get_last_lr()[0]
        logger.scalar("lr", step, lambda value=lr: float(value))
    table = logger.render()
    print(json.dumps(asdict(cfg)))
    last = list(table["loss"].values())[-20:]
    print("final loss", sum(last) / len(last))


if __name__ == "__main__":
    main()
