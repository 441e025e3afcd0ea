# gradwatch-corpus: kind=graph-held
# holder: self.ranked | hardest.ranked
# first-bad: 1
# notice: 80
"""Coral cover estimation; the hardest transects are kept in a capped ranking for review."""
import bisect

import torch
import torch.nn as nn


class Ranking:
    def __init__(self, cap):
        self.cap = cap
        self.ranked = []

    def insert(self, score, transect, loss):
        bisect.insort(self.ranked, (-score, transect, loss), key=lambda r: r[0])  # <- culprit
        self._shrink()

    def _shrink(self):
        ranked = list(self.ranked)
        while len(ranked) > self.cap:
            ranked.pop()  # <- culprit

    def review(self, n=4):
        return [(name, round(-neg, 4)) for neg, name, _ in self.ranked[:n]]


class CoverNet(nn.Module):
    def __init__(self, bands=5, width=8):
        super().__init__()
        self.spectral = nn.Conv2d(bands, width, 1)
        self.spatial = nn.Conv2d(width, width, 3, stride=2)
        self.norm = nn.GroupNorm(2, width)
        self.head = nn.Linear(width, 1)

    def forward(self, x):
        h = torch.relu(self.spectral(x))
        h = torch.relu(self.norm(self.spatial(h)))
        return torch.sigmoid(self.head(h.mean((2, 3)))).squeeze(1)


class Transects:
    def __init__(self, n, seed):
        gen = torch.Generator().manual_seed(seed)
        self.cover = torch.rand(n, generator=gen)
        noise = torch.randn(n, 5, 10, 10, generator=gen)
        mask = torch.rand(n, 1, 10, 10, generator=gen) < self.cover[:, None, None, None]
        signature = torch.tensor([0.2, 0.9, -0.4, 0.6, 0.0])[None, :, None, None]
        self.images = mask * signature + 0.3 * noise
        self.gen = gen

    def __len__(self):
        return len(self.cover)

    def pick(self, k):
        idx = torch.randint(len(self), (k,), generator=self.gen)
        return idx, self.images[idx], self.cover[idx]


def main(steps=440):
    torch.manual_seed(12)
    data = Transects(320, 12)
    net = CoverNet()
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    hardest = Ranking(cap=25)
    for step in range(steps):
        idx, images, cover = data.pick(6)
        err = (net(images) - cover).pow(2)
        loss = err.mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        k = int(err.argmax())
        hardest.insert(err[k].item(), f"T{int(idx[k]):03d}", err[k])
        if step % 110 == 109:
            print(f"step {step + 1} mse {loss.item():.4f} hardest {hardest.review()}")


if __name__ == "__main__":
    main()
