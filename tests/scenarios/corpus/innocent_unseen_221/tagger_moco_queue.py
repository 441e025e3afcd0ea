# gradwatch-corpus: kind=none
"""Contrastive song embeddings with a momentum encoder and a ring of negatives."""
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(64)

N_BINS = 48
DIM = 16
QUEUE = 256
BATCH = 16
TAU = 0.1
M = 0.97
STEPS = 110


class Songs:
    def __init__(self, n=40):
        self.timbre = torch.rand(n, N_BINS)

    def pair(self, k):
        idx = torch.randint(0, len(self.timbre), (k,))
        base = self.timbre[idx]
        gain = 0.5 + torch.rand(k, 1)
        a = base * gain + 0.1 * torch.randn(k, N_BINS)
        b = base.roll(1, 1) * 0.3 + base * 0.7 + 0.1 * torch.randn(k, N_BINS)
        return a, b


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = nn.Linear(N_BINS, 64)
        self.l2 = nn.Linear(64, DIM)

    def forward(self, x):
        return F.normalize(self.l2(F.relu(self.l1(x))), dim=1)


class MoCo(nn.Module):
    def __init__(self):
        super().__init__()
        self.q = Encoder()
        self.k = copy.deepcopy(self.q)
        for p in self.k.parameters():
            p.requires_grad = False
        self.register_buffer("queue", F.normalize(torch.randn(QUEUE, DIM), dim=1))
        self.ptr = 0

    @torch.no_grad()
    def momentum(self):
        for pq, pk in zip(self.q.parameters(), self.k.parameters()):
            pk.data = pk.data * M + pq.data * (1 - M)

    def enqueue(self, keys):
        n = len(keys)
        self.queue[self.ptr:self.ptr + n] = keys
        self.ptr = (self.ptr + n) % QUEUE

    def forward(self, a, b):
        q = self.q(a)
        self.momentum()
        k = self.k(b)
        pos = (q * k).sum(1, keepdim=True)
        neg = q @ self.queue.clone().t()
        logits = torch.cat([pos, neg], dim=1) / TAU
        self.enqueue(k)
        return logits


songs = Songs()
model = MoCo()
opt = torch.optim.SGD(model.q.parameters(), lr=0.1, momentum=0.9)
zeros = torch.zeros(BATCH, dtype=torch.long)
running = 0.0

for step in range(STEPS):
    a, b = songs.pair(BATCH)
    logits = model(a, b)
    loss = F.cross_entropy(logits, zeros)
    opt.zero_grad()
    loss.backward()
    opt.step()
    running += loss.detach()
    if step % 22 == 21:
        print("step", step, "loss", (running / 22).item(), "rank1", (logits.argmax(1) == 0).float().mean().item())
        running = 0.0
