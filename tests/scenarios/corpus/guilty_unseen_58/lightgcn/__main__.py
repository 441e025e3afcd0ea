# gradwatch-corpus: kind=second-backward
# first-bad: 1
"""python -m lightgcn : BPR training of a small LightGCN recommender"""
import argparse

import torch

from .model import LightGCN, bpr_loss


def interactions(n_users, n_items, per_user, g):
    scores = torch.randn(n_users, 6, generator=g) @ torch.randn(6, n_items, generator=g)
    items = scores.topk(per_user, dim=1).indices
    users = torch.arange(n_users)[:, None].expand_as(items)
    return torch.stack([users.reshape(-1), items.reshape(-1)], 1)


def evaluate(model, pairs):
    model.eval()
    with torch.no_grad():
        u, i = pairs.t()
        r = torch.randint(0, model.n_items, i.shape)
        s = (model.score(u, i) > model.score(u, r)).float().mean()
    model.train()
    return s.item()


def main():
    ap = argparse.ArgumentParser("lightgcn")
    ap.add_argument("--epochs", type=int, default=10)
    ap.add_argument("--batch", type=int, default=128)
    ap.add_argument("--lr", type=float, default=5e-3)
    a = ap.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(1)
    g = torch.Generator().manual_seed(1)
    pairs = interactions(100, 150, 12, g)
    model = LightGCN(100, 150, pairs)
    opt = torch.optim.Adam(model.parameters(), lr=a.lr)
    for epoch in range(a.epochs):
        model.reset()  # <- culprit
        total = 0.0
        for idx in torch.randperm(len(pairs), generator=g).split(a.batch):
            u, pos = pairs[idx].t()
            neg = torch.randint(0, 150, pos.shape, generator=g)
            loss = bpr_loss(model, u, pos, neg)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        print(f"epoch {epoch}: loss {total:.3f} auc {evaluate(model, pairs):.3f}")


if __name__ == "__main__":
    main()
