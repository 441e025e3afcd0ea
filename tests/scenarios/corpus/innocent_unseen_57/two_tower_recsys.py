# gradwatch-corpus: kind=none
"""Two-tower retrieval, cross-batch negatives, accumulation over micro-batches, epoch reports."""
import argparse
from collections import defaultdict, deque

import torch
import torch.nn.functional as F
from torch import nn


class Tower(nn.Module):
    def __init__(self, n, d):
        super().__init__()
        self.emb = nn.Embedding(n, d)
        self.mlp = nn.Sequential(nn.Linear(d, d), nn.ReLU(), nn.Linear(d, d))

    def forward(self, ids):
        return F.normalize(self.mlp(self.emb(ids)), dim=-1)


class NegativeBank:
    def __init__(self, n_batches):
        self.store = deque(maxlen=n_batches)

    def extend(self, vecs):
        if not self.store:
            return vecs
        return torch.cat([vecs, *self.store])

    def remember(self, vecs):
        self.store.append(vecs.detach())


class EpochReport:
    def __init__(self):
        self.rows = defaultdict(list)
        self.epochs = []

    def add(self, **kw):
        for k, v in kw.items():
            self.rows[k].append(v)

    def finish(self):
        self.epochs.append({k: torch.stack(v).mean().item() for k, v in self.rows.items()})
        self.rows.clear()
        return self.epochs[-1]


class Retrieval:
    def __init__(self, args):
        self.user, self.item = Tower(args.users, args.dim), Tower(args.items, args.dim)
        self.temp = nn.Parameter(torch.tensor(2.0))
        params = [*self.user.parameters(), *self.item.parameters(), self.temp]
        self.opt = torch.optim.Adam(params, lr=args.lr)
        self.bank = NegativeBank(args.bank)
        self.pending = []
        self.accum = args.accum
        self.report = EpochReport()

    def score(self, u, i):
        zu, zi = self.user(u), self.item(i)
        logits = zu @ self.bank.extend(zi).t() * self.temp.exp()
        self.bank.remember(zi)
        loss = F.cross_entropy(logits, torch.arange(len(u)))
        with torch.no_grad():
            hit = (logits[:, : len(u)].argmax(-1) == torch.arange(len(u))).float().mean()
        return loss, hit

    def micro(self, u, i):
        loss, hit = self.score(u, i)
        self.pending.append(loss)
        self.report.add(loss=loss.detach(), hit=hit)
        if len(self.pending) == self.accum:
            self.flush()

    def flush(self):
        self.opt.zero_grad()
        torch.stack(self.pending).mean().backward()
        self.opt.step()
        self.pending = []


def main():
    ap = argparse.ArgumentParser()
    for name, v in dict(users=300, items=200, dim=24, bank=6, accum=3, epochs=6).items():
        ap.add_argument(f"--{name}", type=int, default=v)
    ap.add_argument("--lr", type=float, default=3e-3)
    args = ap.parse_args()
    torch.manual_seed(23)
    torch.set_num_threads(1)
    liked = torch.randint(0, args.items, (args.users, 4))
    model = Retrieval(args)
    for epoch in range(args.epochs):
        for _ in range(60):
            u = torch.randperm(args.users)[:48]
            model.micro(u, liked[u, torch.randint(0, 4, (48,))])
        print(epoch, model.report.finish())


if __name__ == "__main__":
    main()
