# gradwatch-corpus: kind=none
"""Contrastive pre-training for merchant fraud with a momentum encoder and a ring of keys. Ported from the C++
service; the ring and the handles follow its layout."""
from typing import List

import torch
import torch.nn.functional as F
from torch import nn


class KeyRing:
    """Fixed number of rows, overwritten in order of age."""

    def __init__(self, rows: int, width: int):
        self._rows = F.normalize(torch.randn(rows, width), dim=1)
        self._stamp = torch.zeros(rows, dtype=torch.long)
        self._next = 0

    def put(self, keys: torch.Tensor, stamp: int) -> None:
        n = len(keys)
        at = torch.arange(self._next, self._next + n) % len(self._rows)
        self._rows[at] = keys
        self._stamp[at] = stamp
        self._next = int(self._next + n) % len(self._rows)

    def view(self) -> torch.Tensor:
        return self._rows.clone()

    def oldest(self) -> int:
        return int(self._stamp.min())


class StatHandle:
    """Scoped: what it was given is dropped on exit."""

    def __init__(self, sink: "StatSink"):
        self._sink, self._terms = sink, []

    def add(self, term: torch.Tensor) -> torch.Tensor:
        self._terms.append(term)
        return term

    def total(self) -> torch.Tensor:
        return torch.stack(self._terms).sum()

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self._sink.commit([t.item() for t in self._terms])
        self._terms.clear()


class StatSink:
    def __init__(self):
        self.sums: List[float] = []
        self.n = 0

    def open(self) -> StatHandle:
        return StatHandle(self)

    def commit(self, values: List[float]) -> None:
        self.sums = [a + b for a, b in zip(self.sums or [0.0] * len(values), values)]
        self.n += 1

    def flush(self) -> List[float]:
        out, self.sums, n, self.n = self.sums, [], self.n, 0
        return [s / max(n, 1) for s in out]


class Encoder(nn.Module):
    def __init__(self, features: int = 30, width: int = 24):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(features, 64), nn.ReLU(), nn.Linear(64, width))

    def forward(self, x):
        return F.normalize(self.body(x), dim=1)


class Pretrainer:
    def __init__(self, seed: int = 17):
        torch.manual_seed(seed)
        self.query, self.key = Encoder(), Encoder()
        self.key.load_state_dict(self.query.state_dict())
        self.key.requires_grad_(False)
        self.ring = KeyRing(512, 24)
        self.head = nn.Linear(24, 1)
        self.opt = torch.optim.AdamW([*self.query.parameters(), *self.head.parameters()], lr=1e-3)
        self.sink = StatSink()
        self.average = torch.zeros(())

    def transactions(self, n: int = 64):
        base = torch.randn(n, 30)
        fraud = (base[:, 0] + base[:, 1] * base[:, 2] > 1.6).float()
        return base + 0.1 * torch.randn_like(base), base + 0.1 * torch.randn_like(base), fraud

    def step(self, now: int) -> None:
        a, b, fraud = self.transactions()
        q, k = self.query(a), self.key(b)
        with self.sink.open() as stats:
            logits = torch.cat([(q * k).sum(1, keepdim=True), q @ self.ring.view().t()], 1) / 0.2
            stats.add(F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long)))
            stats.add(F.binary_cross_entropy_with_logits(self.head(q).squeeze(1), fraud))
            loss = stats.total()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
        self.average = self.average.lerp(loss.detach(), 0.05)
        self.follow()
        self.ring.put(k, now)

    @torch.no_grad()
    def follow(self, m: float = 0.99) -> None:
        for slow, fast in zip(self.key.parameters(), self.query.parameters()):
            slow.mul_(m).add_(fast, alpha=1 - m)


def main(steps: int = 300) -> None:
    trainer = Pretrainer()
    for now in range(steps):
        trainer.step(now)
        if now % 75 == 74:
            nce, bce = trainer.sink.flush()
            print(f"{now + 1}: nce {nce:.3f} bce {bce:.3f} average {trainer.average:.3f} "
                  f"oldest key from step {trainer.ring.oldest()}")


if __name__ == "__main__":
    main()
