# gradwatch-corpus: kind=none
"""
Cows! re-identification of animals by gait features. embedding + EMA centres + FIFO queue of old keys.
"""
from collections import deque
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(29)


class CenterBank(nn.Module):
    def __init__(self, k, d, m=0.9):
        super().__init__()
        self.m = m
        self.register_buffer('centers', F.normalize(torch.randn(k, d), dim=1))

    def forward(self, z, y):
        loss = (z - self.centers[y]).pow(2).sum(1).mean()
        onehot = F.one_hot(y, len(self.centers)).float()
        n = onehot.sum(0).unsqueeze(1)
        mean = onehot.t() @ z.detach() / n.clamp(min=1)
        new = self.m * self.centers + (1 - self.m) * mean
        self.centers = torch.where(n > 0, F.normalize(new, dim=1), self.centers)
        return loss


class Queue:
    def __init__(self, n):
        self.keys = deque(maxlen=n)

    def push(self, z, y):
        self.keys.append((z.detach(), y))

    def negatives(self):
        return torch.cat([z for z, _ in self.keys]), torch.cat([y for _, y in self.keys])


proto = torch.randn(8, 15)
emb = nn.Sequential(nn.Linear(15, 24), nn.ReLU(), nn.Linear(24, 6))
bank, queue = CenterBank(8, 6), Queue(12)
opt = torch.optim.Adam(emb.parameters(), 2e-3)
avg_loss = None
for step in range(700):
    y = torch.randint(0, 8, (12,))
    z = F.normalize(emb(proto[y] + .7 * torch.randn(12, 15)), dim=1)
    loss = 0.1 * bank(z, y)
    if queue.keys:
        kz, ky = queue.negatives()
        sim = z @ kz.t() / 0.2
        same = y[:, None] == ky[None]
        logp = sim - sim.logsumexp(1, keepdim=True)
        loss = loss - (logp * same).sum() / same.sum().clamp(min=1)
    if not loss.requires_grad:
        continue
    queue.push(z, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    avg_loss = loss.detach() if avg_loss is None else 0.98 * avg_loss + 0.02 * loss.detach()
    if step % 140 == 0:
        print(step, avg_loss.item())
