# gradwatch-corpus: kind=graph-chain
# holder: self.total_loss | trainer.total_loss
# first-bad: 1
"""Matrix factorization with biases on a MovieLens-like rating table."""
import argparse
import random

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def seed_everything(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


def make_ratings(n_users=300, n_items=200, n=6400, k=4):
    rng = np.random.default_rng(7)
    pu = rng.normal(0, 0.6, (n_users, k))
    qi = rng.normal(0, 0.6, (n_items, k))
    u = rng.integers(0, n_users, n)
    i = rng.integers(0, n_items, n)
    r = 3.5 + (pu[u] * qi[i]).sum(1) + rng.normal(0, 0.2, n)
    r = np.clip(r, 1, 5)
    return (torch.as_tensor(u), torch.as_tensor(i),
            torch.as_tensor(r, dtype=torch.float32))


class BiasedMF(nn.Module):
    def __init__(self, n_users, n_items, dim):
        super().__init__()
        self.user = nn.Embedding(n_users, dim)
        self.item = nn.Embedding(n_items, dim)
        self.user_bias = nn.Embedding(n_users, 1)
        self.item_bias = nn.Embedding(n_items, 1)
        nn.init.normal_(self.user.weight, std=0.1)
        nn.init.normal_(self.item.weight, std=0.1)
        nn.init.zeros_(self.user_bias.weight)
        nn.init.zeros_(self.item_bias.weight)
        self.mu = 3.5

    def forward(self, u, i):
        dot = (self.user(u) * self.item(i)).sum(-1)
        return self.mu + dot + self.user_bias(u).squeeze(-1) + self.item_bias(i).squeeze(-1)


class Trainer:
    def __init__(self, model, lr, weight_decay):
        self.model = model
        self.optim = torch.optim.Adam(model.parameters(), lr=lr, weight_decay=weight_decay)
        self.loss_fn = nn.MSELoss()
        self.total_loss = 0.0
        self.n_batches = 0

    def training_step(self, batch):
        u, i, r = batch
        self.optim.zero_grad()
        loss = self.loss_fn(self.model(u, i), r)
        self.total_loss += loss  # <- culprit
        self.total_loss.backward(retain_graph=True)  # <- culprit
        self.optim.step()
        self.n_batches += 1
        return loss.item()

    def run_epoch(self, loader):
        self.total_loss = 0.0
        self.n_batches = 0
        last = 0.0
        for batch in loader:
            last = self.training_step(batch)
        return self.total_loss.item() / self.n_batches, last

    @torch.no_grad()
    def rmse(self, loader):
        se, n = 0.0, 0
        for u, i, r in loader:
            se += ((self.model(u, i) - r) ** 2).sum().item()
            n += len(r)
        return (se / n) ** 0.5


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--bs", type=int, default=128)
    parser.add_argument("--dim", type=int, default=8)
    parser.add_argument("--lr", type=float, default=2e-3)
    args = parser.parse_args()

    seed_everything(1)
    u, i, r = make_ratings()
    split = 5120
    train_dl = DataLoader(TensorDataset(u[:split], i[:split], r[:split]), batch_size=args.bs, shuffle=True)
    test_dl = DataLoader(TensorDataset(u[split:], i[split:], r[split:]), batch_size=512)

    trainer = Trainer(BiasedMF(300, 200, args.dim), args.lr, 1e-5)
    for epoch in range(args.epochs):
        avg, last = trainer.run_epoch(train_dl)
        print(f"epoch {epoch + 1}: train {avg:.4f} (last batch {last:.4f})  test rmse {trainer.rmse(test_dl):.4f}")


if __name__ == "__main__":
    main()
