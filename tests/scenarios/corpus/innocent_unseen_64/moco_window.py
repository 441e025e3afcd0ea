# gradwatch-corpus: kind=none
"""MoCo with a FIFO of keys; a short window of live batches lets the loss compare neighbouring steps."""
import argparse
import copy
from collections import deque
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class StepInfo:
    """What the spike inspector needs to look back at a step: the loss with its graph, and the batch."""
    step: int
    loss: torch.Tensor
    batch: torch.Tensor


class SpikeInspector:
    """Keeps the last few steps whole; if the loss jumps, walks the graph of the worst of them."""

    def __init__(self, window=4, factor=2.0):
        self.recent = deque(maxlen=window)
        self.factor = factor
        self.reports = {}

    def __call__(self, info):
        self.recent.append(info)
        mean = sum(i.loss.item() for i in self.recent) / len(self.recent)
        if info.loss.item() > self.factor * mean:
            worst = max(self.recent, key=lambda i: i.loss.item())
            self.reports[worst.step] = (worst.loss.grad_fn.name(), worst.batch.norm().item())


class KeyQueue:
    def __init__(self, size, dim):
        self.keys = F.normalize(torch.randn(size, dim), dim=1)
        self.ptr = 0

    @torch.no_grad()
    def push(self, k):
        idx = (self.ptr + torch.arange(k.shape[0])) % self.keys.shape[0]
        self.keys[idx] = k
        self.ptr = int(idx[-1] + 1) % self.keys.shape[0]


class MoCo(nn.Module):
    def __init__(self, dim=24, out=16, queue=256, m=0.98, temp=0.2):
        super().__init__()
        self.q = nn.Sequential(nn.Linear(dim, 48), nn.ReLU(), nn.Linear(48, out))
        self.k = copy.deepcopy(self.q)
        for p in self.k.parameters():
            p.requires_grad_(False)
        self.queue, self.m, self.temp = KeyQueue(queue, out), m, temp

    @torch.no_grad()
    def momentum(self):
        for p, t in zip(self.q.parameters(), self.k.parameters()):
            t.copy_(self.m * t + (1 - self.m) * p)

    def forward(self, a, b):
        q = F.normalize(self.q(a), dim=1)
        with torch.no_grad():
            k = F.normalize(self.k(b), dim=1)
        pos = (q * k).sum(1, keepdim=True)
        neg = q @ self.queue.keys.clone().t()
        logits = torch.cat([pos, neg], 1) / self.temp
        loss = F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))
        self.queue.push(k)
        return loss


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=200)
    ap.add_argument("--window", type=int, default=4)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    model, inspector = MoCo(), SpikeInspector(args.window, factor=1.15)
    opt = torch.optim.SGD(model.q.parameters(), lr=0.05, momentum=0.9)
    centres = torch.randn(40, 24)
    for step in range(args.steps):
        x = centres[torch.randint(0, 40, (32,))]
        a, b = x + 0.2 * torch.randn_like(x), x + 0.2 * torch.randn_like(x)
        loss = model(a, b)
        opt.zero_grad()
        loss.backward()
        opt.step()
        model.momentum()
        inspector(StepInfo(step, loss, a))
        if step % 50 == 0:
            print(f"{step:4d} loss {loss.item():.3f} reports {len(inspector.reports)}")


if __name__ == "__main__":
    main()
