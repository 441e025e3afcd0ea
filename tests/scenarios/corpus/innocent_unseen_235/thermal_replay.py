# gradwatch-corpus: kind=none
"""Few-shot fault classes of a motor inverter, rehearsed from a memory of latent codes."""
from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass
class ReplayConfig:
    sensors: int = 10
    window: int = 32
    classes: int = 6
    batch: int = 24
    steps: int = 150
    capacity: int = 300
    rehearse: int = 32
    lr: float = 2e-3


class Memory(NamedTuple):
    code: Tensor
    logits: Tensor
    label: int


class LatentReplay:
    def __init__(self, capacity: int, seed: int) -> None:
        self.items: deque[Memory] = deque(maxlen=capacity)
        self.rng = random.Random(seed)

    def store(self, code: Tensor, logits: Tensor, label: Tensor) -> None:
        frozen = zip(code.detach().clone(), logits.detach().clone(), label.tolist())
        for c, z, y in frozen:
            if self.rng.random() < 0.5:
                self.items.append(Memory(c, z, y))

    def sample(self, count: int) -> tuple[Tensor, Tensor, Tensor]:
        picked = self.rng.sample(self.items, min(count, len(self.items)))
        code = torch.stack([m.code for m in picked])
        logits = torch.stack([m.logits for m in picked])
        label = torch.tensor([m.label for m in picked])
        return code, logits, label


class FaultNet(nn.Module):
    def __init__(self, cfg: ReplayConfig, width: int = 64) -> None:
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv1d(cfg.sensors, width, 5, stride=2),
            nn.ReLU(),
            nn.AdaptiveMaxPool1d(4),
            nn.Flatten(),
        )
        self.head = nn.Sequential(nn.Linear(4 * width, width), nn.ReLU(), nn.Linear(width, cfg.classes))


def batches(cfg: ReplayConfig, gen: torch.Generator):
    signature = torch.randn(cfg.classes, cfg.sensors, cfg.window, generator=gen)
    for step in range(cfg.steps):
        known = min(cfg.classes, 2 + step // 30)
        label = torch.randint(max(0, known - 2), known, (cfg.batch,), generator=gen)
        x = signature[label] + 0.8 * torch.randn(cfg.batch, cfg.sensors, cfg.window, generator=gen)
        yield x, label


def main() -> None:
    cfg = ReplayConfig()
    torch.manual_seed(4)
    net = FaultNet(cfg)
    optim = torch.optim.Adam(net.parameters(), lr=cfg.lr)
    replay = LatentReplay(cfg.capacity, seed=5)

    for step, (x, label) in enumerate(batches(cfg, torch.Generator().manual_seed(6))):
        code = net.encoder(x)
        logits = net.head(code)
        loss = F.cross_entropy(logits, label)
        if len(replay.items) >= cfg.rehearse:
            old_code, old_logits, old_label = replay.sample(cfg.rehearse)
            again = net.head(old_code)
            loss = loss + F.cross_entropy(again, old_label) + 0.1 * F.mse_loss(again, old_logits)
        optim.zero_grad()
        loss.backward()
        optim.step()
        replay.store(code, logits, label)
        if step % 25 == 24:
            kinds = sorted({m.label for m in replay.items})
            print(f"{step + 1:4d}  loss {loss.item():.4f}  memory {len(replay.items)} classes {kinds}")


if __name__ == "__main__":
    main()
