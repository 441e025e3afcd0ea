# gradwatch-corpus: kind=graph-chain
# holder: rmse.total | self.total
# first-bad: 1
"""Biased matrix factorisation, explicit feedback."""
import torch
from torch import nn

from data import Ratings
from meters import AverageMeter


class BiasedMF(nn.Module):
    def __init__(self, users, items, dim=16):
        super().__init__()
        self.P = nn.Embedding(users, dim)
        self.Q = nn.Embedding(items, dim)
        self.bu = nn.Embedding(users, 1)
        self.bi = nn.Embedding(items, 1)
        for e in (self.P, self.Q):
            nn.init.normal_(e.weight, std=0.2)
        for e in (self.bu, self.bi):
            nn.init.zeros_(e.weight)

    def forward(self, u, i):
        return (self.P(u) * self.Q(i)).sum(-1) + (self.bu(u) + self.bi(i)).squeeze(-1)


def fit(epochs=2, size=128):
    torch.manual_seed(5)
    gen = torch.Generator().manual_seed(5)
    table = Ratings()
    mf = BiasedMF(table.users, table.items)
    adagrad = torch.optim.Adagrad(mf.parameters(), lr=0.1)
    rmse = AverageMeter("mse")
    for ep in range(epochs):
        rmse.reset()
        for step, (u, i, s) in enumerate(table.batches(size, gen)):
            mse = nn.functional.mse_loss(mf(u, i), s)
            rmse.update(mse, len(s))
            adagrad.zero_grad()
            # batch means are noisy with ratings this sparse, so follow the epoch mean
            rmse.mean.backward(retain_graph=True)  # <- culprit
            adagrad.step()
            if step % 50 == 0:
                print(f"epoch {ep} step {step:3d} rmse {float(rmse.mean) ** 0.5:.4f}")


if __name__ == "__main__":
    fit()
