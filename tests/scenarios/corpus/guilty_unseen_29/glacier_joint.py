# gradwatch-corpus: kind=retain-needless
# first-bad: 0
"""
Joint training on radar profiles: ice thickness from one pass over the network,
a consistency target from a second pass over the mirrored profile.
"""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset


class Profiles(IterableDataset):
    def __init__(self, n, length, seed):
        super().__init__()
        self.n, self.length, self.seed = n, length, seed

    def __iter__(self):
        g = torch.Generator().manual_seed(self.seed)
        depth = torch.arange(self.length, dtype=torch.float32)
        for _ in range(self.n):
            bed = 10 + (self.length - 20) * torch.rand((), generator=g)
            echo = torch.exp(-((depth - bed) / 2.5) ** 2) + 0.2 * torch.randn(self.length, generator=g)
            yield echo, bed / self.length


class ThicknessNet(nn.Module):
    def __init__(self, length, width):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(length, width), nn.LayerNorm(width), nn.ReLU(),
            nn.Linear(width, width), nn.ReLU(),
        )
        self.out = nn.Linear(width, 1)

    def forward(self, echo):
        return torch.sigmoid(self.out(self.body(echo))).squeeze(-1)


def one_epoch(model, loader, optimizer, weight):
    sums = [0.0, 0.0]
    n = 0
    for echo, bed in loader:
        optimizer.zero_grad()

        # task one: thickness
        loss_bed = nn.functional.l1_loss(model(echo), bed)
        # task two: the mirrored profile must give the complement
        loss_mirror = nn.functional.mse_loss(model(echo.flip(-1)), 1 - bed)

        loss_bed.backward(retain_graph=True)  # <- culprit
        (weight * loss_mirror).backward()
        optimizer.step()

        sums[0] += loss_bed.item()
        sums[1] += loss_mirror.item()
        n += 1
    return [s / n for s in sums]


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("-e", "--epochs", type=int, default=4)
    p.add_argument("-b", "--batch", type=int, default=32)
    p.add_argument("--profiles", type=int, default=1600)
    p.add_argument("--length", type=int, default=64)
    p.add_argument("--mirror-weight", type=float, default=0.5)
    return p.parse_args()


if __name__ == "__main__":
    o = parse()
    torch.manual_seed(0)
    model = ThicknessNet(o.length, 48)
    loader = DataLoader(Profiles(o.profiles, o.length, seed=1), batch_size=o.batch)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(o.epochs):
        bed, mirror = one_epoch(model, loader, optimizer, o.mirror_weight)
        print(f"epoch {epoch}: bed {bed:.4f} mirror {mirror:.4f}")
