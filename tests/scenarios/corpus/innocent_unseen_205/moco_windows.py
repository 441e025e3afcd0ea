# gradwatch-corpus: kind=none
"""MoCo-style contrastive pretraining on accelerometer windows, with gradient accumulation."""
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


class Encoder(nn.Module):
    def __init__(self, channels=3, dim=24):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv1d(channels, 16, 5, 2), nn.ReLU(), nn.Conv1d(16, 32, 3, 2), nn.ReLU())
        self.fc = nn.Linear(32, dim)

    def forward(self, x):
        return F.normalize(self.fc(self.conv(x).mean(-1)), dim=1)


class MoCo(nn.Module):
    def __init__(self, dim=24, K=512, m=0.99, T=0.2):
        super().__init__()
        self.K, self.m, self.T = K, m, T
        self.q = Encoder(dim=dim)
        self.k = copy.deepcopy(self.q)
        for p in self.k.parameters():
            p.requires_grad = False
        self.register_buffer("queue", F.normalize(torch.randn(K, dim), dim=1))
        self.ptr = 0

    @torch.no_grad()
    def momentum_update(self):
        for a, b in zip(self.q.parameters(), self.k.parameters()):
            b.data = b.data * self.m + a.data * (1 - self.m)

    @torch.no_grad()
    def enqueue(self, keys):
        n = keys.size(0)
        self.queue[self.ptr:self.ptr + n] = keys
        self.ptr = (self.ptr + n) % self.K

    def forward(self, a, b):
        q = self.q(a)
        k = self.k(b)
        pos = (q * k).sum(1, keepdim=True)
        neg = q @ self.queue.clone().t()
        logits = torch.cat([pos, neg], 1) / self.T
        self.enqueue(k)
        return logits, torch.zeros(len(q), dtype=torch.long)


def augment(x):
    return x * (1 + 0.2 * torch.randn(len(x), 3, 1)) + 0.1 * torch.randn_like(x)


def windows(n=1024, seed=4):
    g = torch.Generator().manual_seed(seed)
    t = torch.arange(40).float()
    f = 0.1 + torch.rand(n, 3, 1, generator=g)
    return torch.sin(f * t + 6.28 * torch.rand(n, 3, 1, generator=g))


class Pretrainer:
    def __init__(self, accum=4):
        self.model = MoCo()
        self.opt = torch.optim.SGD(self.model.q.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
        self.data, self.accum = windows(), accum
        self.losses, self.top1 = [], []

    def run(self, micro_steps=800):
        self.opt.zero_grad()
        for i in range(1, micro_steps + 1):
            x = self.data[torch.randint(0, len(self.data), (32,))]
            logits, labels = self.model(augment(x), augment(x))
            loss = F.cross_entropy(logits, labels) / self.accum
            loss.backward()
            self.losses.append(loss.detach() * self.accum)
            self.top1.append((logits.argmax(1) == labels).float().mean())
            if i % self.accum == 0:
                self.opt.step()
                self.model.momentum_update()
                self.opt.zero_grad()
            if i % 160 == 0:
                print(f"{i}: loss {torch.stack(self.losses[-160:]).mean():.4f} top1 {torch.stack(self.top1[-160:]).mean():.3f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    Pretrainer().run()
