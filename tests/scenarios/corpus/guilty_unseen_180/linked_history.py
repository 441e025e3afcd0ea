# gradwatch-corpus: kind=graph-held
# holder: history.head.older | node.older | self.head.older | self.head
# first-bad: 1
# notice: 40
"""Style-transfer-like autoencoder on textures; recent steps sit in a linked history."""
from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass(slots=True)
class Node:
    index: int
    loss: torch.Tensor
    older: Node | None = None


class History:
    def __init__(self, depth):
        self.depth = depth
        self.head = None
        self.size = 0

    def append(self, index, loss):
        node = Node(index, loss, older=self.head)  # <- culprit
        self.head = node
        self.size = min(self.size + 1, self.depth)

    def recent(self):
        node = self.head
        for _ in range(self.size):
            yield node
            node = node.older

    def mean(self):
        return sum(n.loss.item() for n in self.recent()) / max(1, self.size)


class TextureNet(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv2d(1, width, 3, stride=2, padding=1), nn.ReLU())
        self.dec = nn.ConvTranspose2d(width, 1, 4, stride=2, padding=1)

    def forward(self, x):
        h = self.enc(x)
        return self.dec(h), h


def gram(h):
    f = h.flatten(2)
    return f @ f.transpose(1, 2) / f.size(-1)


def textures(gen, n=6, size=12):
    t = torch.linspace(0, 1, size)
    fx = torch.randint(1, 5, (n, 1, 1), generator=gen)
    fy = torch.randint(1, 5, (n, 1, 1), generator=gen)
    img = torch.sin(6.28 * fx * t.view(1, 1, -1)) * torch.cos(6.28 * fy * t.view(1, -1, 1))
    return img.unsqueeze(1) + 0.05 * torch.randn(n, 1, size, size, generator=gen)


def main():
    torch.manual_seed(79)
    gen = torch.Generator().manual_seed(79)
    net = TextureNet()
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    history = History(depth=30)
    for it in range(500):
        x = textures(gen)
        out, h = net(x)
        loss = F.mse_loss(out, x) + 1e-3 * gram(h).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        history.append(it, loss)
        if it % 100 == 99:
            oldest = list(history.recent())[-1]
            print(f"{it + 1}: mean {history.mean():.4f} over {history.size}, since step {oldest.index}")


if __name__ == "__main__":
    main()
