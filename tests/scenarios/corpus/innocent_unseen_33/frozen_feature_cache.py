# gradwatch-corpus: kind=none
"""Linear probing with augmentation-free features: the frozen backbone runs once per example."""
import functools

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class Textures(Dataset):
    def __init__(self, n=480, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.y = torch.randint(0, 5, (n,), generator=g)
        freq = (self.y + 1).float().view(n, 1, 1, 1)
        grid = torch.linspace(0, 6.28, 16)
        wave = torch.sin(freq * grid.view(1, 1, 1, 16) + freq * grid.view(1, 1, 16, 1))
        self.x = wave + 0.5 * torch.randn(n, 1, 16, 16, generator=g)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return i, self.x[i], self.y[i]


class CachedBackbone(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, width, 5, stride=2), nn.ReLU(), nn.Conv2d(width, width, 3), nn.ReLU(), nn.Flatten()
        )
        self.requires_grad_(False)
        self.cache = {}

    def _store(self, keys, feats):
        for k, f in zip(keys, feats):
            self.cache[k] = f.clone()

    def forward(self, idx, x):
        keys = idx.tolist()
        todo = [j for j, k in enumerate(keys) if k not in self.cache]
        if todo:
            self._store([keys[j] for j in todo], self.net(x[todo]))
        return torch.stack([self.cache[k] for k in keys])


def training(fn):
    @functools.wraps(fn)
    def inner(backbone, head, *args, **kwargs):
        backbone.eval(), head.train()
        return fn(backbone, head, *args, **kwargs)

    return inner


@training
def run_epoch(backbone, head, opt, loader):
    losses = []
    for idx, x, y in loader:
        loss = F.cross_entropy(head(backbone(idx, x)), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.detach())
    return torch.stack(losses).mean().item()


def main():
    torch.manual_seed(0)
    backbone = CachedBackbone()
    head = nn.Sequential(nn.Linear(256, 32), nn.ReLU(), nn.Linear(32, 5))
    opt = torch.optim.Adam(head.parameters(), lr=2e-3)
    loader = DataLoader(Textures(), batch_size=32, shuffle=True)
    for epoch in range(10):
        loss = run_epoch(backbone, head, opt, loader)
        if epoch % 3 == 0:
            print(f"epoch {epoch} loss {loss:.4f} cached {len(backbone.cache)}")


if __name__ == "__main__":
    main()
