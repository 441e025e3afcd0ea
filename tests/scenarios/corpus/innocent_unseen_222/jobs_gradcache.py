# gradwatch-corpus: kind=none
"""Two-tower job matching; large contrastive batches are embedded in chunks with cached representation gradients."""
from __future__ import annotations

import logging
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Callable, Iterator, Sequence

import torch
from torch import Tensor, nn
import torch.nn.functional as F

log = logging.getLogger("match")


class Tower(nn.Module):
    def __init__(self, vocab: int, dim: int, dropout: float) -> None:
        super().__init__()
        self.emb = nn.EmbeddingBag(vocab, dim, mode="mean")
        self.ff = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Dropout(dropout), nn.Linear(dim, dim))

    def forward(self, ids: Tensor) -> Tensor:
        h = self.emb(ids)
        return F.normalize(h + self.ff(h), dim=-1)


@dataclass
class ChunkRecord:
    inputs: Tensor
    rng: Tensor

    @contextmanager
    def replay(self) -> Iterator[None]:
        saved = torch.get_rng_state()
        torch.set_rng_state(self.rng)
        try:
            yield
        finally:
            torch.set_rng_state(saved)


class RepresentationCache:
    def __init__(self, towers: Sequence[nn.Module], chunk: int, loss_fn: Callable[..., Tensor]) -> None:
        self.towers = towers
        self.chunk = chunk
        self.loss_fn = loss_fn
        self.records: list[list[ChunkRecord]] = [[] for _ in towers]

    @torch.no_grad()
    def _embed(self, k: int, ids: Tensor) -> Tensor:
        reps = []
        for part in ids.split(self.chunk):
            self.records[k].append(ChunkRecord(part, torch.get_rng_state()))
            reps.append(self.towers[k](part))
        return torch.cat(reps).requires_grad_()

    def backward(self, *batches: Tensor) -> Tensor:
        reps = [self._embed(k, ids) for k, ids in enumerate(batches)]
        loss = self.loss_fn(*reps)
        loss.backward()
        for k, rep in enumerate(reps):
            for record, g in zip(self.records[k], rep.grad.split(self.chunk)):
                with record.replay():
                    out = self.towers[k](record.inputs)
                surrogate = (out * g).sum()
                surrogate.backward()
            self.records[k].clear()
        return loss.detach()


class Matching(nn.Module):
    def __init__(self, init: float = 10.0) -> None:
        super().__init__()
        self.log_scale = nn.Parameter(torch.tensor(init).log())

    def forward(self, a: Tensor, b: Tensor) -> Tensor:
        logits = self.log_scale.exp() * a @ b.T
        labels = torch.arange(len(a))
        return 0.5 * (F.cross_entropy(logits, labels) + F.cross_entropy(logits.T, labels))


def postings(n: int, vocab: int) -> tuple[Tensor, Tensor]:
    topic = torch.randint(vocab // 10, (n, 1)) * 10
    return topic + torch.randint(10, (n, 7)), topic + torch.randint(10, (n, 5))


def main() -> None:
    torch.manual_seed(70)
    towers = nn.ModuleList([Tower(400, 24, 0.1), Tower(400, 24, 0.1)])
    criterion = Matching()
    cache = RepresentationCache(list(towers), chunk=16, loss_fn=criterion)
    opt = torch.optim.Adam([*towers.parameters(), *criterion.parameters()], lr=5e-3)
    losses: list[Tensor] = []
    for step in range(90):
        cv, job = postings(64, 400)
        opt.zero_grad()
        losses.append(cache.backward(cv, job))
        opt.step()
        if len(losses) == 15:
            log.info("step %d loss %.3f", step, torch.stack(losses).mean().item())
            losses.clear()


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    main()
