# gradwatch-corpus: kind=inplace-modified
# holder: self.rows | self.bank.rows | bank.rows
# first-bad: 8
# notice: 0
"""Two-tower retrieval with cross-batch negatives.

The item tower has a slow copy (momentum 0.99) whose outputs go into a ring of
negatives.  In-batch negatives only are used until the ring has been filled once.
"""
import argparse
import copy

import torch
import torch.nn.functional as F
from torch import nn


class Tower(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.ids = nn.Embedding(vocab, dim)
        self.proj = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, dim))

    def forward(self, ids):
        return F.normalize(self.proj(self.ids(ids)), dim=-1)


class NegativeBank(nn.Module):
    def __init__(self, size, dim):
        super().__init__()
        self.register_buffer("rows", F.normalize(torch.randn(size, dim), dim=-1))
        self.cursor = 0
        self.filled = False

    def view(self):
        return self.rows.detach()  # <- culprit

    @torch.no_grad()
    def push(self, keys):
        n = len(keys)
        self.rows[self.cursor:self.cursor + n] = keys  # <- culprit
        self.cursor = (self.cursor + n) % len(self.rows)
        self.filled = self.filled or self.cursor == 0


class Retriever(nn.Module):
    def __init__(self, users, items, dim, bank_size, tau=0.1):
        super().__init__()
        self.user = Tower(users, dim)
        self.item = Tower(items, dim)
        self.slow_item = copy.deepcopy(self.item).requires_grad_(False)
        self.bank = NegativeBank(bank_size, dim)
        self.tau = tau

    @torch.no_grad()
    def advance_slow(self, m=0.99):
        for slow, fast in zip(self.slow_item.parameters(), self.item.parameters()):
            slow.mul_(m).add_(fast, alpha=1 - m)

    def score(self, users, items):
        q, k = self.user(users), self.item(items)
        logits = q @ k.t()
        if self.bank.filled:
            logits = torch.cat([logits, q @ self.bank.view().t()], dim=1)
        return logits / self.tau

    def forward(self, users, items):
        logits = self.score(users, items)
        with torch.no_grad():
            self.bank.push(self.slow_item(items))
        return F.cross_entropy(logits, torch.arange(len(users)))


class Clicks:
    """Users prefer items of their own group."""

    def __init__(self, users, items, groups, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.group = torch.randint(groups, (users,), generator=self.gen)
        self.users, self.items, self.groups = users, items, groups

    def batch(self, n):
        u = torch.randperm(self.users, generator=self.gen)[:n]
        per = self.items // self.groups
        offset = torch.randint(per, (n,), generator=self.gen)
        return u, self.group[u] * per + offset


def run(args):
    model = Retriever(400, 300, 24, bank_size=args.bank)
    clicks = Clicks(400, 300, 6, seed=9)
    fast = list(model.user.parameters()) + list(model.item.parameters())
    opt = torch.optim.Adam(fast, lr=args.lr)
    for it in range(args.iters):
        users, items = clicks.batch(args.batch)
        loss = model(users, items)
        opt.zero_grad()
        loss.backward()
        opt.step()
        model.advance_slow()
        if it % 4 == 0:
            print(f"iter {it} nce {loss.item():.4f} bank {'on' if model.bank.filled else 'filling'}")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=150)
    ap.add_argument("--batch", type=int, default=32)
    ap.add_argument("--bank", type=int, default=256)
    ap.add_argument("--lr", type=float, default=5e-3)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    run(args)


if __name__ == "__main__":
    main()
