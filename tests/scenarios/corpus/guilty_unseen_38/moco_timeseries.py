# gradwatch-corpus: kind=graph-held
# holder: self.rows | writer.rows
# first-bad: 1
"""Momentum contrast on synthetic sensor windows; metrics go out through a writer thread."""
import copy
import queue
import threading

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(13)


class MetricWriter(threading.Thread):
    """Takes rows from the training loop and writes the table when the run ends."""

    def __init__(self):
        super().__init__(daemon=True)
        self.inbox = queue.Queue()
        self.rows = []
        self.start()

    def log(self, **row):
        self.inbox.put(row)

    def run(self):
        while True:
            row = self.inbox.get()
            if row is None:
                return
            self.rows.append(row)  # <- culprit

    def close(self):
        self.inbox.put(None)
        self.join()
        keys = list(self.rows[0])
        lines = [",".join(keys)]
        lines += [",".join(f"{float(r[k]):.4f}" for k in keys) for r in self.rows]
        return lines


class Encoder(nn.Module):
    def __init__(self, ch=3, dim=32):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(ch, 24, 7, stride=2, padding=3), nn.ReLU(),
            nn.Conv1d(24, 32, 5, stride=2, padding=2), nn.ReLU(),
        )
        self.proj = nn.Sequential(nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, dim))

    def forward(self, x):
        return F.normalize(self.proj(self.conv(x).mean(-1)), dim=-1)


class MoCo(nn.Module):
    def __init__(self, dim=32, size=256, m=0.99, tau=0.1):
        super().__init__()
        self.query = Encoder(dim=dim)
        self.key = copy.deepcopy(self.query).requires_grad_(False)
        self.register_buffer("bank", F.normalize(torch.randn(size, dim), dim=-1))
        self.cursor, self.m, self.tau = 0, m, tau

    @torch.no_grad()
    def follow(self):
        for k, q in zip(self.key.parameters(), self.query.parameters()):
            k.mul_(self.m).add_(q, alpha=1 - self.m)

    @torch.no_grad()
    def enqueue(self, keys):
        n = len(keys)
        self.bank[self.cursor:self.cursor + n] = keys
        self.cursor = (self.cursor + n) % len(self.bank)

    def forward(self, a, b):
        q = self.query(a)
        with torch.no_grad():
            k = self.key(b)
        pos = (q * k).sum(-1, keepdim=True)
        neg = q @ self.bank.clone().T
        logits = torch.cat([pos, neg], dim=1) / self.tau
        return logits, pos.mean(), k


def windows(n, length=64):
    """Three-channel oscillations; two views differ in crop, gain and noise."""
    f = torch.rand(n, 3, 1) * 0.5 + 0.05
    ph = 6.28 * torch.rand(n, 3, 1)
    t = torch.arange(length + 16).float()
    wave = torch.sin(f * t + ph)

    def view():
        s = int(torch.randint(16, (1,)))
        gain = 0.8 + 0.4 * torch.rand(n, 3, 1)
        return gain * wave[..., s:s + length] + 0.1 * torch.randn(n, 3, length)

    return view(), view()


model = MoCo()
opt = torch.optim.SGD(model.query.parameters(), lr=0.06, momentum=0.9, weight_decay=1e-4)
writer = MetricWriter()

for step in range(120):
    a, b = windows(32)
    logits, similarity, keys = model(a, b)
    loss = F.cross_entropy(logits, torch.zeros(len(a), dtype=torch.long))
    opt.zero_grad()
    loss.backward()
    opt.step()
    model.follow()
    model.enqueue(keys)
    writer.log(step=step, loss=loss.item(), positive=similarity)  # <- culprit
    if step % 30 == 0:
        print(f"step {step:3d} loss {loss.item():.3f}")

table = writer.close()
print(f"{len(table) - 1} rows, last: {table[-1]}")
