# gradwatch-corpus: kind=graph-held
# holder: sampler.loss_of | self.loss_of
# first-bad: 1
import argparse
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import Dataset, Sampler, DataLoader


class Clicks(Dataset):
    def __init__(self, n=24000, users=300, items=500, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.u = torch.randint(users, (n,), generator=g)
        self.i = torch.randint(items, (n,), generator=g)
        p = torch.sigmoid(torch.sin(self.u.float()) * torch.cos(self.i.float()) * 3)
        self.y = (torch.rand(n, generator=g) < p).float()

    def __len__(self):
        return len(self.y)

    def __getitem__(self, k):
        return k, self.u[k], self.i[k], self.y[k]


class HardSampler(Sampler):
    """Uniform first pass; afterwards draws samples by their last seen loss."""

    def __init__(self, dataset, num_samples, temperature=1.0):
        self.n = len(dataset)
        self.num_samples = num_samples
        self.temperature = temperature
        self.loss_of = {}

    def __iter__(self):
        weights = torch.ones(self.n)
        for k, v in self.loss_of.items():
            weights[k] = math.exp(min(float(v), 4.0) / self.temperature)
        yield from torch.multinomial(weights, self.num_samples, replacement=False).tolist()

    def __len__(self):
        return self.num_samples

    def record(self, index, losses):
        for k, v in zip(index.tolist(), losses):
            self.loss_of[k] = v  # <- culprit

    def hardest(self, k=5):
        return sorted(self.loss_of, key=lambda i: -float(self.loss_of[i]))[:k]


class FactorModel(nn.Module):
    def __init__(self, users=300, items=500, dim=12):
        super().__init__()
        self.user = nn.Embedding(users, dim)
        self.item = nn.Embedding(items, dim)
        self.mlp = nn.Sequential(nn.Linear(2 * dim, 24), nn.ReLU(), nn.Linear(24, 1))

    def forward(self, u, i):
        return self.mlp(torch.cat([self.user(u), self.item(i)], -1)).squeeze(-1)


def train_epoch(model, loader, sampler, opt):
    seen, total = 0, 0.0
    for index, u, i, y in loader:
        per_sample = F.binary_cross_entropy_with_logits(model(u, i), y, reduction="none")
        loss = per_sample.mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        sampler.record(index, per_sample)  # <- culprit
        seen += len(y)
        total += loss.item() * len(y)
    return total / seen


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=2)
    ap.add_argument("--per-epoch", type=int, default=8000)
    ap.add_argument("--batch", type=int, default=32)
    ap.add_argument("--lr", type=float, default=2e-3)
    args = ap.parse_args()
    torch.manual_seed(1)
    data = Clicks()
    sampler = HardSampler(data, args.per_epoch)
    loader = DataLoader(data, batch_size=args.batch, sampler=sampler)
    model = FactorModel()
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    for epoch in range(args.epochs):
        avg = train_epoch(model, loader, sampler, opt)
        print(f"epoch {epoch} loss {avg:.4f} hardest {sampler.hardest()}")


if __name__ == "__main__":
    main()
