# gradwatch-corpus: kind=inplace-modified
# holder: self.keys | self.queue.keys | task.queue.keys
# first-bad: 8
"""Speaker embeddings with momentum contrast and a negative queue."""
from __future__ import annotations

import copy
from dataclasses import dataclass

import torch
from torch import Tensor, nn
import torch.nn.functional as F


@dataclass
class ContrastConfig:
    mels: int = 20
    frames: int = 30
    dim: int = 24
    batch: int = 16
    queue: int = 128
    temperature: float = 0.1
    momentum: float = 0.99
    steps: int = 90


class SpeakerEncoder(nn.Module):
    def __init__(self, cfg: ContrastConfig) -> None:
        super().__init__()
        self.tdnn = nn.Sequential(
            nn.Conv1d(cfg.mels, 32, 5), nn.ReLU(), nn.Conv1d(32, 32, 3, dilation=2), nn.ReLU()
        )
        self.proj = nn.Linear(64, cfg.dim)

    def forward(self, x: Tensor) -> Tensor:
        h = self.tdnn(x)
        stats = torch.cat([h.mean(-1), h.var(-1).add(1e-5).sqrt()], -1)
        return F.normalize(self.proj(stats), dim=-1)


class KeyQueue:
    def __init__(self, size: int, dim: int) -> None:
        self.keys = F.normalize(torch.randn(size, dim), dim=-1)
        self.cursor = 0
        self.filled = 0

    @property
    def ready(self) -> bool:
        return self.filled >= len(self.keys)

    def negatives(self) -> Tensor:
        return self.keys  # <- culprit

    def enqueue(self, k: Tensor) -> None:
        n = len(k)
        self.keys[self.cursor : self.cursor + n] = k.detach()  # <- culprit
        self.cursor = (self.cursor + n) % len(self.keys)
        self.filled += n


class ContrastTask:
    def __init__(self, cfg: ContrastConfig) -> None:
        self.cfg = cfg
        self.query = SpeakerEncoder(cfg)
        self.key = copy.deepcopy(self.query).requires_grad_(False)
        self.queue = KeyQueue(cfg.queue, cfg.dim)
        self.voices = torch.randn(60, cfg.mels, 1)

    def crops(self) -> tuple[Tensor, Tensor]:
        c = self.cfg
        voice = self.voices[torch.randperm(60)[: c.batch]]
        noise = torch.randn(2, c.batch, c.mels, c.frames)
        return voice + noise[0], voice + noise[1]

    def loss(self) -> Tensor:
        a, b = self.crops()
        q = self.query(a)
        with torch.no_grad():
            k = self.key(b)
        if self.queue.ready:
            pos = (q * k).sum(-1, keepdim=True)
            neg = q @ self.queue.negatives().T
            logits = torch.cat([pos, neg], -1)
            labels = torch.zeros(len(q), dtype=torch.long)
        else:
            logits = q @ k.T
            labels = torch.arange(len(q))
        self.queue.enqueue(k)  # <- culprit
        return F.cross_entropy(logits / self.cfg.temperature, labels)

    @torch.no_grad()
    def update_key(self) -> None:
        for pk, pq in zip(self.key.parameters(), self.query.parameters()):
            pk.lerp_(pq, 1 - self.cfg.momentum)


def main() -> None:
    torch.manual_seed(29)
    cfg = ContrastConfig()
    task = ContrastTask(cfg)
    opt = torch.optim.SGD(task.query.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    for step in range(cfg.steps):
        loss = task.loss()
        opt.zero_grad()
        loss.backward()
        opt.step()
        task.update_key()
        if step % 4 == 0:
            print(f"step {step} nce {loss.item():.3f}")


if __name__ == "__main__":
    main()
