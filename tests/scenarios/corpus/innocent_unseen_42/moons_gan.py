# gradwatch-corpus: kind=none
import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def moons(n):
    t = torch.rand(n) * math.pi
    side = torch.randint(0, 2, (n,)).float()
    x = torch.cos(t) * (1 - 2 * side) + side
    y = torch.sin(t) * (1 - 2 * side) + 0.5 * side
    return torch.stack([x, y], 1) + 0.05 * torch.randn(n, 2)


class Generator(nn.Sequential):
    def __init__(self, z=6, h=48):
        super().__init__(nn.Linear(z, h), nn.LeakyReLU(0.2), nn.Linear(h, h), nn.LeakyReLU(0.2), nn.Linear(h, 2))
        self.z = z

    def sample(self, n):
        return self(torch.randn(n, self.z))


class Discriminator(nn.Sequential):
    def __init__(self, h=48):
        super().__init__(nn.Linear(2, h), nn.LeakyReLU(0.2), nn.Linear(h, h), nn.LeakyReLU(0.2), nn.Linear(h, 1))


class History:
    def __init__(self):
        self.d, self.g = [], []

    def add(self, d, g):
        self.d.append(d)
        self.g.append(g)

    def tail(self, k=16):
        return sum(self.d[-k:]) / k, sum(self.g[-k:]) / k


class FakePool:
    """Old fakes, shown to the discriminator again now and then."""

    def __init__(self, size):
        self.size, self.items = size, None

    def mix(self, fresh):
        if self.items is None or len(self.items) < self.size:
            self.items = fresh if self.items is None else torch.cat([self.items, fresh])
            return fresh
        idx = torch.randperm(self.size)[: len(fresh) // 2]
        old = self.items[idx]
        self.items[idx] = fresh[: len(idx)]
        return torch.cat([old, fresh[len(idx):]])


def main():
    torch.manual_seed(5)
    G, D = Generator(), Discriminator()
    opt_g = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.5, 0.99))
    opt_d = torch.optim.Adam(D.parameters(), lr=1e-3, betas=(0.5, 0.99))
    bce = nn.BCEWithLogitsLoss()
    loader = DataLoader(TensorDataset(moons(1024)), batch_size=64, shuffle=True)
    pool, hist = FakePool(256), History()
    for epoch in range(6):
        for (real,) in loader:
            n = len(real)
            fake = G.sample(n)

            opt_d.zero_grad()
            shown = pool.mix(fake.detach())
            d_loss = bce(D(real), torch.ones(n, 1)) + bce(D(shown), torch.zeros(n, 1))
            d_loss.backward()
            opt_d.step()

            opt_g.zero_grad()
            g_loss = bce(D(fake), torch.ones(n, 1))
            g_loss.backward()
            opt_g.step()
            hist.add(d_loss.item(), g_loss.item())
        d, g = hist.tail()
        print(f"epoch {epoch} d {d:.3f} g {g:.3f}")
    with torch.no_grad():
        print("sample mean", G.sample(500).mean(0).tolist())


if __name__ == "__main__":
    main()
