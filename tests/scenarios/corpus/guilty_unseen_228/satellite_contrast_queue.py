# gradwatch-corpus: kind=inplace-modified
# holder: self.queue | moco.queue
# first-bad: 0
"""Momentum-contrast pretraining on small multispectral tiles."""
import copy

import torch
from torch import nn
import torch.nn.functional as F


def tile_encoder(bands, dim):
    return nn.Sequential(
        nn.Conv2d(bands, 12, 3, stride=2, padding=1),
        nn.ReLU(),
        nn.Conv2d(12, 24, 3, stride=2, padding=1),
        nn.ReLU(),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(24, dim),
    )


class TileMoCo(nn.Module):
    def __init__(self, bands=5, dim=32, queue_size=256, momentum=0.99, temperature=0.2):
        super().__init__()
        self.query_encoder = tile_encoder(bands, dim)
        self.key_encoder = copy.deepcopy(self.query_encoder)
        self.key_encoder.requires_grad_(False)
        self.momentum = momentum
        self.temperature = temperature
        self.register_buffer("queue", F.normalize(torch.randn(queue_size, dim), dim=1))
        self.register_buffer("pointer", torch.zeros(1, dtype=torch.long))

    @torch.no_grad()
    def update_key_encoder(self):
        for k, q in zip(self.key_encoder.parameters(), self.query_encoder.parameters()):
            k.mul_(self.momentum).add_(q, alpha=1 - self.momentum)

    @torch.no_grad()
    def enqueue(self, keys):
        start = int(self.pointer)
        stop = start + keys.shape[0]
        self.queue[start:stop] = keys  # <- culprit
        self.pointer[0] = stop % self.queue.shape[0]

    def forward(self, view_q, view_k):
        q = F.normalize(self.query_encoder(view_q), dim=1)
        with torch.no_grad():
            self.update_key_encoder()
            k = F.normalize(self.key_encoder(view_k), dim=1)
        positive = (q * k).sum(1, keepdim=True)
        negative = q @ self.queue.t()  # <- culprit
        self.enqueue(k)  # <- culprit
        return torch.cat([positive, negative], dim=1) / self.temperature


def augment(tiles):
    flipped = torch.flip(tiles, dims=[-1]) if torch.rand(1).item() < 0.5 else tiles
    gain = 1 + 0.2 * torch.randn(tiles.shape[0], tiles.shape[1], 1, 1)
    return flipped * gain + 0.05 * torch.randn_like(tiles)


def main():
    torch.manual_seed(50)
    tiles = torch.randn(512, 5, 16, 16)
    moco = TileMoCo()
    optimizer = torch.optim.SGD(moco.query_encoder.parameters(), lr=0.03, momentum=0.9, weight_decay=1e-4)
    for epoch in range(6):
        order = torch.randperm(512)
        for i in range(0, 512, 32):
            batch = tiles[order[i:i + 32]]
            logits = moco(augment(batch), augment(batch))
            target = torch.zeros(len(batch), dtype=torch.long)
            loss = F.cross_entropy(logits, target)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch} loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
