# gradwatch-corpus: kind=graph-chain
# holder: self.centre | model.centre | trainer.model.centre
# first-bad: 1
# notice: 5
from __future__ import annotations

import argparse

import torch
from torch import nn


class BiasedMF(nn.Module):
    """Matrix factorisation; item popularity is measured against a moving centre."""

    def __init__(self, n_users: int, n_items: int, k: int, momentum: float = 0.98):
        super().__init__()
        self.user = nn.Embedding(n_users, k)
        self.item = nn.Embedding(n_items, k)
        self.user_bias = nn.Parameter(torch.zeros(n_users))
        self.item_bias = nn.Parameter(torch.zeros(n_items))
        self.momentum = momentum
        self.centre = torch.zeros(())
        nn.init.normal_(self.user.weight, std=0.1)
        nn.init.normal_(self.item.weight, std=0.1)

    def _update_centre(self):
        now = self.item_bias.mean()
        self.centre = torch.lerp(self.centre, now, 1.0 - self.momentum)  # <- culprit

    def forward(self, u, i):
        if self.training:
            self._update_centre()
        pop = self.item_bias[i] - self.centre  # <- culprit
        return (self.user(u) * self.item(i)).sum(-1) + self.user_bias[u] + pop


class RatingData:
    def __init__(self, n_users, n_items, rank=4):
        self.U = torch.randn(n_users, rank) / rank ** 0.5
        self.V = torch.randn(n_items, rank)
        self.pop = torch.randn(n_items) * 0.7 + 0.5

    def sample(self, n):
        u = torch.randint(len(self.U), (n,))
        i = torch.randint(len(self.V), (n,))
        r = (self.U[u] * self.V[i]).sum(-1) + self.pop[i] + 0.1 * torch.randn(n)
        return u, i, r


class Trainer:
    def __init__(self, model, data, lr, batch):
        self.model, self.data, self.batch = model, data, batch
        self.opt = torch.optim.Adagrad(model.parameters(), lr=lr)
        self.rmse = []

    def train_step(self):
        self.model.train()
        u, i, r = self.data.sample(self.batch)
        err = self.model(u, i) - r
        loss = err.square().mean() + 1e-3 * self.model.item_bias.square().mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    @torch.no_grad()
    def evaluate(self):
        self.model.eval()
        u, i, r = self.data.sample(500)
        return (self.model(u, i) - r).square().mean().sqrt().item()

    def fit(self, steps, every):
        for s in range(steps):
            value = self.train_step()
            if s % every == every - 1:
                self.rmse.append(self.evaluate())
                print(f"step {s + 1}: train {value:.3f}, rmse {self.rmse[-1]:.3f}")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=400)
    ap.add_argument("--batch", type=int, default=128)
    ap.add_argument("--lr", type=float, default=0.1)
    args = ap.parse_args([])
    torch.set_num_threads(1)
    torch.manual_seed(17)
    trainer = Trainer(BiasedMF(80, 50, 8), RatingData(80, 50), args.lr, args.batch)
    trainer.fit(args.steps, every=100)


if __name__ == "__main__":
    main()
