# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
# notice: 0
# after: MoCo re-implementations, forum "queue modified by an inplace operation - why does MoCo use queue.clone().detach()"
"""Self-supervised representation of whale calls: momentum contrast with a queue of negatives."""
from __future__ import annotations

import copy
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


@dataclass
class MoCoConfig:
    dim: int = 32
    queue: int = 512
    momentum: float = 0.99
    temperature: float = 0.1
    batch: int = 32
    steps: int = 120
    lr: float = 0.03


class CallEncoder(nn.Module):
    def __init__(self, dim: int) -> None:
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(1, 16, 9, stride=4), nn.ReLU(),
            nn.Conv1d(16, 32, 9, stride=4), nn.ReLU(),
            nn.AdaptiveAvgPool1d(4), nn.Flatten(), nn.Linear(128, dim),
        )

    def forward(self, x: Tensor) -> Tensor:
        return F.normalize(self.net(x), dim=1)


class MomentumContrast(nn.Module):
    def __init__(self, cfg: MoCoConfig) -> None:
        super().__init__()
        self.cfg = cfg
        self.query_encoder = CallEncoder(cfg.dim)
        self.key_encoder = copy.deepcopy(self.query_encoder).requires_grad_(False)
        self.register_buffer("queue", F.normalize(torch.randn(cfg.dim, cfg.queue), dim=0))
        self.register_buffer("ptr", torch.zeros((), dtype=torch.long))

    @torch.no_grad()
    def _update_key_encoder(self) -> None:
        for q, k in zip(self.query_encoder.parameters(), self.key_encoder.parameters()):
            k.mul_(self.cfg.momentum).add_(q, alpha=1 - self.cfg.momentum)

    @torch.no_grad()
    def _enqueue(self, keys: Tensor) -> None:
        i, n = int(self.ptr), keys.shape[0]
        self.queue[:, i:i + n] = keys.T  # <- culprit
        self.ptr.fill_((i + n) % self.cfg.queue)

    def forward(self, view_q: Tensor, view_k: Tensor) -> tuple[Tensor, Tensor]:
        q = self.query_encoder(view_q)
        with torch.no_grad():
            self._update_key_encoder()
            k = self.key_encoder(view_k)
        l_pos = torch.einsum("nc,nc->n", q, k).unsqueeze(1)
        l_neg = torch.einsum("nc,ck->nk", q, self.queue)  # <- culprit
        logits = torch.cat([l_pos, l_neg], dim=1) / self.cfg.temperature
        self._enqueue(k)
        return logits, torch.zeros(len(logits), dtype=torch.long)


def calls(n: int, g: torch.Generator) -> Tensor:
    t = torch.arange(512) / 512
    f0 = 10 + 30 * torch.rand(n, 1, generator=g)
    sweep = 60 * torch.rand(n, 1, generator=g) - 30
    return torch.sin(6.2832 * (f0 * t + 0.5 * sweep * t ** 2))


def augment(x: Tensor, g: torch.Generator) -> Tensor:
    shift = int(torch.randint(0, 128, (1,), generator=g))
    gain = 0.5 + torch.rand(len(x), 1, generator=g)
    return (gain * x.roll(shift, 1) + 0.2 * torch.randn(x.shape, generator=g)).unsqueeze(1)


def main() -> None:
    cfg = MoCoConfig()
    torch.manual_seed(0)
    g = torch.Generator().manual_seed(0)
    model = MomentumContrast(cfg)
    optimizer = torch.optim.SGD(model.query_encoder.parameters(), lr=cfg.lr, momentum=0.9, weight_decay=1e-4)
    for step in range(cfg.steps):
        x = calls(cfg.batch, g)
        logits, target = model(augment(x, g), augment(x, g))
        loss = F.cross_entropy(logits, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 20 == 0:
            acc = (logits.argmax(1) == 0).float().mean().item()
            print(f"step {step:4d} loss {loss.item():.3f} acc {acc:.3f}")


if __name__ == "__main__":
    main()
