# gradwatch-corpus: kind=graph-held
# holder: trainer.meters._meters["logloss"].mean | trainer.meters._meters["reg"].mean | trainer.meters._meters["logloss"].m2 | self.mean | self.m2 | meters["logloss"].mean | meters["logloss"].m2 | meters["reg"].mean | self.meters["logloss"].mean | self.meters["logloss"].m2 | self.meters["logloss"] | self.meters | trainer.meters | self._meters | meter.mean | meter.m2
# first-bad: 1
"""Click-through prediction with a factorisation machine on hashed fields."""
import argparse

import torch
import torch.nn.functional as F
from torch import nn

from meters import MeterGroup


class FM(nn.Module):
    def __init__(self, n_hash, k):
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(1))
        self.w = nn.Embedding(n_hash, 1)
        self.v = nn.Embedding(n_hash, k)
        nn.init.normal_(self.v.weight, std=0.05)
        nn.init.zeros_(self.w.weight)

    def forward(self, ids):
        v = self.v(ids)
        pair = 0.5 * (v.sum(1).pow(2) - v.pow(2).sum(1)).sum(-1)
        return self.bias + self.w(ids).sum((1, 2)) + pair, v.pow(2).mean()


def click_log(n_batches, batch, fields, n_hash, seed=0):
    g = torch.Generator().manual_seed(seed)
    taste = torch.randn(n_hash, generator=g)
    for _ in range(n_batches):
        ids = torch.randint(0, n_hash, (batch, fields), generator=g)
        p = torch.sigmoid(taste[ids].mean(1) * 2)
        yield ids, torch.bernoulli(p, generator=g)


class Trainer:
    def __init__(self, args):
        self.model = FM(args.hash, args.k)
        self.opt = torch.optim.Adagrad(self.model.parameters(), lr=args.lr)
        self.meters = MeterGroup("logloss", "reg", "rate")
        self.l2 = args.l2

    def fit_batch(self, ids, clicks):
        logits, reg = self.model(ids)
        logloss = F.binary_cross_entropy_with_logits(logits, clicks)
        self.opt.zero_grad(set_to_none=True)
        (logloss + self.l2 * reg).backward()
        self.opt.step()
        self.meters.update(logloss=logloss, reg=reg, rate=clicks.mean())  # <- culprit


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--hash", type=int, default=500)
    ap.add_argument("--k", type=int, default=8)
    ap.add_argument("--lr", type=float, default=0.1)
    ap.add_argument("--l2", type=float, default=1e-3)
    ap.add_argument("--batches", type=int, default=160)
    args = ap.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    trainer = Trainer(args)
    for i, (ids, clicks) in enumerate(click_log(args.batches, 128, 6, args.hash)):
        trainer.fit_batch(ids, clicks)
        if (i + 1) % 40 == 0:
            print(i + 1, trainer.meters.summary())


if __name__ == "__main__":
    main()
