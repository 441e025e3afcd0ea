# gradwatch-corpus: kind=crashed
# first-bad: 41
"""Pool-based active learning with max-entropy acquisition."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F


class Learner(nn.Module):
    def __init__(self, d, k):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(d, 32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 32), nn.ReLU())
        self.head = nn.Linear(32, k)

    def forward(self, x):
        return self.head(self.body(x))


class Pool:
    def __init__(self, x, y, n_init):
        self.x, self.y = x, y
        self.labelled = torch.zeros(len(x), dtype=torch.bool)
        self.labelled[:n_init] = True

    def batch(self, n):
        idx = self.labelled.nonzero().squeeze(1)
        idx = idx[torch.randint(len(idx), (n,))]
        return self.x[idx], self.y[idx]

    def acquire(self, model, n, threshold):
        model.eval()
        torch.set_grad_enabled(False)  # <- culprit
        free = (~self.labelled).nonzero().squeeze(1)
        p = F.softmax(model(self.x[free]), -1)
        ent = -(p * p.clamp_min(1e-9).log()).sum(-1)
        if ent.mean() > threshold:
            model.train()
            pick = free[torch.randperm(len(free))[:n]]
            self.labelled[pick] = True
            return "random", float(ent.mean())
        pick = free[ent.topk(n).indices]
        self.labelled[pick] = True
        torch.set_grad_enabled(True)
        model.train()
        return "entropy", float(ent.mean())


def blobs(n, d, k, gen):
    mu = 1.2 * torch.randn(k, d, generator=gen)
    y = torch.randint(k, (n,), generator=gen)
    return mu[y] + torch.randn(n, d, generator=gen), y


def parse():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=400)
    ap.add_argument("--acquire-every", type=int, default=40)
    ap.add_argument("--n-query", type=int, default=10)
    ap.add_argument("--threshold", type=float, default=0.6)
    return ap.parse_args()


def main():
    o = parse()
    torch.manual_seed(17)
    gen = torch.Generator().manual_seed(17)
    pool = Pool(*blobs(800, 12, 6, gen), n_init=30)
    model = Learner(12, 6)
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for it in range(o.iters):
        xb, yb = pool.batch(16)
        loss = F.cross_entropy(model(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it > 0 and it % o.acquire_every == 0:
            how, ent = pool.acquire(model, o.n_query, o.threshold)
            print(f"{it}: loss {loss.item():.3f}, {int(pool.labelled.sum())} labelled via {how} (mean entropy {ent:.3f})")


if __name__ == "__main__":
    main()
