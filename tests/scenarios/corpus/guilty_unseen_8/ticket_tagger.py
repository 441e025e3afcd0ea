# gradwatch-corpus: kind=graph-held
# holder: self.table | self._metrics["confusion"].table | metrics["confusion"].table | metric.table
# first-bad: 1
"""Routes support tickets to queues; keeps a soft confusion table that says which queues the model mixes up."""
from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

QUEUES = ("billing", "outage", "refund", "login", "shipping", "other")


@dataclass(frozen=True)
class TaggerConfig:
    vocab: int = 600
    dim: int = 32
    tokens: int = 18
    batch: int = 40
    steps: int = 300
    report_every: int = 75


class Metric(ABC):
    @abstractmethod
    def update(self, logits: Tensor, gold: Tensor) -> None: ...

    @abstractmethod
    def render(self) -> str: ...

    def reset(self) -> None:
        pass


class HitRate(Metric):
    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.hits, self.seen = 0, 0

    def update(self, logits: Tensor, gold: Tensor) -> None:
        self.hits += int((logits.argmax(-1) == gold).sum())
        self.seen += gold.numel()

    def render(self) -> str:
        return f"hit {self.hits / max(1, self.seen):.3f}"


class SoftConfusion(Metric):
    """Row = gold queue, column = probability mass that went to each queue."""

    def __init__(self, n: int) -> None:
        self.table = torch.zeros(n, n)

    def update(self, logits: Tensor, gold: Tensor) -> None:
        self.table.index_add_(0, gold, logits.softmax(-1))  # <- culprit

    def render(self) -> str:
        share = self.table / self.table.sum(1, keepdim=True).clamp_min(1e-6)
        share = share - torch.diag(share.diagonal())
        flat = int(share.argmax())
        return f"worst {QUEUES[flat // len(QUEUES)]}->{QUEUES[flat % len(QUEUES)]} {share.max().item():.2f}"


class TicketNet(nn.Module):
    def __init__(self, cfg: TaggerConfig) -> None:
        super().__init__()
        self.embed = nn.Embedding(cfg.vocab, cfg.dim)
        self.rnn = nn.GRU(cfg.dim, cfg.dim, batch_first=True, bidirectional=True)
        self.head = nn.Linear(2 * cfg.dim, len(QUEUES))

    def forward(self, ids: Tensor) -> Tensor:
        out, _ = self.rnn(self.embed(ids))
        return self.head(out.amax(1))


class Trainer:
    def __init__(self, cfg: TaggerConfig, metrics: Mapping[str, Metric]) -> None:
        self._cfg = cfg
        self._metrics = metrics
        self._net = TicketNet(cfg)
        self._opt = torch.optim.Adam(self._net.parameters(), lr=3e-3)
        self._lean = torch.randint(len(QUEUES), (cfg.vocab,))

    def _tickets(self) -> tuple[Tensor, Tensor]:
        ids = torch.randint(self._cfg.vocab, (self._cfg.batch, self._cfg.tokens))
        votes = F.one_hot(self._lean[ids], len(QUEUES)).sum(1)
        return ids, votes.argmax(-1)

    def fit(self) -> None:
        for step in range(1, self._cfg.steps + 1):
            ids, gold = self._tickets()
            logits = self._net(ids)
            self._opt.zero_grad()
            F.cross_entropy(logits, gold).backward()
            self._opt.step()
            for metric in self._metrics.values():
                metric.update(logits, gold)  # <- culprit
            if step % self._cfg.report_every == 0:
                print(step, "; ".join(m.render() for m in self._metrics.values()))
                self._metrics["hits"].reset()


def main() -> None:
    torch.manual_seed(90)
    metrics = {"hits": HitRate(), "confusion": SoftConfusion(len(QUEUES))}
    Trainer(TaggerConfig(), metrics).fit()


if __name__ == "__main__":
    main()
