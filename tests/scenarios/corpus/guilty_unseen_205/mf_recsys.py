# gradwatch-corpus: kind=graph-chain
# holder: epoch_loss
# first-bad: 1
"""Biased matrix factorisation with BPR loss on implicit feedback."""
import argparse
import time

import torch
import torch.nn as nn
import torch.nn.functional as F


class BPRMF(nn.Module):
    def __init__(self, n_users, n_items, dim):
        super().__init__()
        self.user = nn.Embedding(n_users, dim)
        self.item = nn.Embedding(n_items, dim)
        self.bias = nn.Embedding(n_items, 1)
        nn.init.normal_(self.user.weight, std=0.1)
        nn.init.normal_(self.item.weight, std=0.1)
        nn.init.zeros_(self.bias.weight)

    def score(self, u, i):
        return (self.user(u) * self.item(i)).sum(-1) + self.bias(i).squeeze(-1)

    def forward(self, u, pos, neg):
        return self.score(u, pos) - self.score(u, neg)


class InteractionSampler:
    def __init__(self, n_users=300, n_items=200, per_user=12, seed=13):
        g = torch.Generator().manual_seed(seed)
        zu, zi = torch.randn(n_users, 4, generator=g), torch.randn(n_items, 4, generator=g)
        affinity = zu @ zi.t() + 0.5 * torch.randn(n_users, n_items, generator=g)
        self.pos = affinity.topk(per_user + 2, dim=1).indices
        self.train, self.test = self.pos[:, 2:], self.pos[:, :2]
        self.n_users, self.n_items, self.g = n_users, n_items, g

    def batch(self, size):
        u = torch.randint(0, self.n_users, (size,), generator=self.g)
        k = torch.randint(0, self.train.size(1), (size,), generator=self.g)
        neg = torch.randint(0, self.n_items, (size,), generator=self.g)
        return u, self.train[u, k], neg


@torch.no_grad()
def hit_rate(model, data, k=20):
    s = model.user.weight @ model.item.weight.t() + model.bias.weight.t()
    s.scatter_(1, data.train, float("-inf"))
    top = s.topk(k, dim=1).indices
    return (top[:, :, None] == data.test[:, None]).any(1).float().mean().item()


def train_epoch(model, optimizer, data, args, epoch):
    model.train()
    epoch_loss = 0
    start = time.time()
    for step in range(args.steps_per_epoch):
        u, pos, neg = data.batch(args.batch_size)
        diff = model(u, pos, neg)
        loss = F.softplus(-diff).mean()
        epoch_loss = epoch_loss + loss  # <- culprit
        optimizer.zero_grad()
        epoch_loss.backward(retain_graph=True)  # <- culprit
        optimizer.step()
        if (step + 1) % args.log_interval == 0:
            print(f"epoch {epoch} step {step + 1} loss {epoch_loss.item() / (step + 1):.4f} "
                  f"({time.time() - start:.1f}s)")
    return epoch_loss.item() / args.steps_per_epoch


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dim", type=int, default=16)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--steps-per-epoch", type=int, default=400)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--lr", type=float, default=0.05)
    parser.add_argument("--log-interval", type=int, default=100)
    args = parser.parse_args()

    torch.manual_seed(0)
    data = InteractionSampler()
    model = BPRMF(data.n_users, data.n_items, args.dim)
    optimizer = torch.optim.Adagrad(model.parameters(), lr=args.lr)
    for epoch in range(args.epochs):
        loss = train_epoch(model, optimizer, data, args, epoch)
        print(f"epoch {epoch} loss {loss:.4f} HR@20 {hit_rate(model, data):.3f}")


if __name__ == "__main__":
    main()
