# gradwatch-corpus: kind=graph-chain
# holder: running_loss
# first-bad: 1
"""Matrix factorisation on synthetic ratings, with user and item biases."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def parse_args():
    p = argparse.ArgumentParser()
    p.add_argument("--users", type=int, default=300)
    p.add_argument("--items", type=int, default=500)
    p.add_argument("--rank", type=int, default=16)
    p.add_argument("--batch-size", type=int, default=256)
    p.add_argument("--epochs", type=int, default=3)
    p.add_argument("--lr", type=float, default=5e-3)
    p.add_argument("--reg", type=float, default=1e-4)
    return p.parse_args()


def make_ratings(n_users, n_items, rank, n):
    g = torch.Generator().manual_seed(11)
    u = torch.randn(n_users, rank, generator=g) / rank ** 0.5
    v = torch.randn(n_items, rank, generator=g)
    ui = torch.randint(0, n_users, (n,), generator=g)
    vi = torch.randint(0, n_items, (n,), generator=g)
    r = 3.0 + (u[ui] * v[vi]).sum(1) + 0.2 * torch.randn(n, generator=g)
    return TensorDataset(ui, vi, r.clamp(1, 5))


class MF(nn.Module):
    def __init__(self, n_users, n_items, rank):
        super().__init__()
        self.user = nn.Embedding(n_users, rank)
        self.item = nn.Embedding(n_items, rank)
        self.user_bias = nn.Embedding(n_users, 1)
        self.item_bias = nn.Embedding(n_items, 1)
        self.mu = 3.0
        for e in (self.user, self.item):
            nn.init.normal_(e.weight, std=0.1)
        for b in (self.user_bias, self.item_bias):
            nn.init.zeros_(b.weight)

    def forward(self, u, i):
        pu, qi = self.user(u), self.item(i)
        pred = (pu * qi).sum(-1) + self.user_bias(u).squeeze(-1) + self.item_bias(i).squeeze(-1) + self.mu
        penalty = pu.pow(2).sum(-1).mean() + qi.pow(2).sum(-1).mean()
        return pred, penalty


def main():
    args = parse_args()
    torch.manual_seed(0)
    data = make_ratings(args.users, args.items, args.rank, 7680)
    loader = DataLoader(data, batch_size=args.batch_size, shuffle=True)
    model = MF(args.users, args.items, args.rank)
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    mse = nn.MSELoss()

    running_loss = 0.0
    step = 0
    for epoch in range(args.epochs):
        for users, items, ratings in loader:
            step += 1
            pred, penalty = model(users, items)
            loss = mse(pred, ratings) + args.reg * penalty
            running_loss = running_loss + loss  # <- culprit
            mean_loss = running_loss / step
            opt.zero_grad()
            mean_loss.backward(retain_graph=True)  # <- culprit
            opt.step()
        print(f"epoch {epoch} mean loss {float(mean_loss):.4f}")
    with torch.no_grad():
        u, i, r = data.tensors
        print("rmse", round(float((model(u, i)[0] - r).pow(2).mean().sqrt()), 4))


if __name__ == "__main__":
    main()
