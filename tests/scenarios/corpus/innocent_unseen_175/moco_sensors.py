# gradwatch-corpus: kind=none
"""Momentum-contrast representation learning of multichannel sensor snippets with a key queue."""
import copy

import torch
import torch.nn.functional as F
from torch import nn


class Encoder(nn.Sequential):
    def __init__(self, channels=3, width=16, out=12):
        super().__init__(
            nn.Conv1d(channels, width, 5, stride=2), nn.ReLU(),
            nn.Conv1d(width, width, 3, stride=2), nn.ReLU(),
            nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(width, out),
        )

    def forward(self, x):
        return F.normalize(super().forward(x), dim=1)


class KeyQueue(nn.Module):
    def __init__(self, size, dim):
        super().__init__()
        self.register_buffer("keys", F.normalize(torch.randn(size, dim), dim=1))
        self.register_buffer("cursor", torch.zeros((), dtype=torch.long))

    @torch.no_grad()
    def push(self, k):
        at = (torch.arange(len(k)) + self.cursor) % len(self.keys)
        self.keys[at] = k
        self.cursor.add_(len(k)).remainder_(len(self.keys))


class Moco(nn.Module):
    def __init__(self, queue=512, momentum=0.99, temp=0.2):
        super().__init__()
        self.q = Encoder()
        self.k = copy.deepcopy(self.q).requires_grad_(False)
        self.queue = KeyQueue(queue, 12)
        self.m, self.temp = momentum, temp

    @torch.no_grad()
    def follow(self):
        for a, b in zip(self.k.parameters(), self.q.parameters()):
            a.lerp_(b, 1 - self.m)

    def forward(self, v1, v2):
        q = self.q(v1)
        k = self.k(v2)
        pos = (q * k).sum(1, keepdim=True)
        neg = q @ self.queue.keys.clone().T
        logits = torch.cat([pos, neg], 1) / self.temp
        loss = F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))
        self.queue.push(k)
        return loss


def snippets(n, length=48):
    t = torch.linspace(0, 6, length)
    freq = 1 + 4 * torch.rand(n, 3, 1)
    phase = 6 * torch.rand(n, 3, 1)
    return torch.sin(freq * t + phase)


def augment(x):
    scale = 0.8 + 0.4 * torch.rand(len(x), 1, 1)
    return torch.roll(x * scale, int(torch.randint(6, ())), dims=-1) + 0.1 * torch.randn_like(x)


def main():
    torch.manual_seed(12)
    model = Moco()
    opt = torch.optim.SGD(model.q.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    ema_loss = None
    for it in range(450):
        x = snippets(32)
        loss = model(augment(x), augment(x))
        opt.zero_grad()
        loss.backward()
        opt.step()
        model.follow()
        with torch.no_grad():
            ema_loss = loss.clone() if ema_loss is None else ema_loss.lerp(loss, 0.05)
        if it % 90 == 0:
            print(it, ema_loss.item())


if __name__ == "__main__":
    main()
