# gradwatch-corpus: kind=none
# about: decoded samples are kept in memory until the cache is full (64 MB): a steep steady
# about: climb, a list of tensors that grows at every iteration, and then neither
import torch
import torch.nn as nn
from parts.pace import ITERATIONS


class Decoder:
    """Stands for a slow read: makes the same image of a number each time."""

    def __init__(self, side=64):
        self.side = side

    def __call__(self, i):
        g = torch.Generator().manual_seed(i)
        return torch.rand(1, self.side, self.side, generator=g)


class RamCache:
    def __init__(self, decode, most_bytes=64_000_000):
        self.decode, self.most_bytes = decode, most_bytes
        self.items, self.used = {}, 0

    def get(self, i):
        if i in self.items:
            return self.items[i]
        image = self.decode(i)
        if self.used + image.nbytes <= self.most_bytes:
            self.items[i] = image
            self.used += image.nbytes
        return image


def main():
    torch.manual_seed(0)
    cache = RamCache(Decoder())
    model = nn.Sequential(
        nn.Conv2d(1, 4, 5, stride=4), nn.ReLU(), nn.Flatten(), nn.Linear(4 * 15 * 15, 1)
    )
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    n, at = 6000, 0
    for step in range(ITERATIONS):
        rows = [(at + k) % n for k in range(16)]
        at += 16
        x = torch.stack([cache.get(i) for i in rows])
        y = torch.tensor([[i % 7 / 7.0] for i in rows])
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 50 == 0:
            held = f"{len(cache.items)} images, {cache.used / 1e6:.1f} MB"
            print(f"{step}: {loss.item():.6f}, {held}")


if __name__ == "__main__":
    main()
