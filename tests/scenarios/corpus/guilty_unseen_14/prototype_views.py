# gradwatch-corpus: kind=second-backward
# holder: book._table | self._table | prototypes._table | self.prototypes._table | objective.prototypes._table | table
# first-bad: 41
"""Multi-view contrastive training against class prototypes that are themselves encoded from a
few exemplars per class. Exemplars are re-encoded every step at first, later only now and then."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

import torch
import torch.nn.functional as F
from torch import Tensor, nn

T = TypeVar("T")
torch.manual_seed(64)


class RefreshPolicy:
    def __init__(self, every_step_until: int, then_every: int):
        self.until, self.then_every = every_step_until, then_every

    def due(self, step: int) -> bool:
        return step < self.until or step % self.then_every == 0


class Encoder(nn.Module):
    def __init__(self, d_in: int, d_out: int = 24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d_in, 64), nn.GELU(), nn.Linear(64, d_out))

    def forward(self, x: Tensor) -> Tensor:
        return F.normalize(self.net(x), dim=-1)


class PrototypeBook:
    """Class -> unit vector, the mean code of the class's exemplars."""

    def __init__(self, encoder: Encoder, exemplars: Tensor, policy: RefreshPolicy):
        self.encoder = encoder
        self.exemplars = exemplars  # classes x shots x features
        self.policy = policy
        self._table: Tensor | None = None

    def _encode(self) -> Tensor:
        classes, shots, feat = self.exemplars.shape
        codes = self.encoder(self.exemplars.reshape(-1, feat)).view(classes, shots, -1)
        return F.normalize(codes.mean(1), dim=-1)

    def at(self, step: int) -> Tensor:
        if self._table is None or self.policy.due(step):
            self._table = self._encode()  # <- culprit
        return self._table  # <- culprit


class Augmented(Generic[T]):
    """Pairs every sample with k random views of itself."""

    def __init__(self, source: Iterator[tuple[Tensor, T]], view: Callable[[Tensor], Tensor], k: int = 2):
        self.source, self.view, self.k = source, view, k

    def __iter__(self) -> Iterator[tuple[list[Tensor], T]]:
        for x, label in self.source:
            yield [self.view(x) for _ in range(self.k)], label


def gaussians(centres: Tensor, batch: int) -> Iterator[tuple[Tensor, Tensor]]:
    while True:
        y = torch.randint(len(centres), (batch,))
        yield centres[y] + 0.8 * torch.randn(batch, centres.size(1)), y


def jitter(x: Tensor) -> Tensor:
    keep = (torch.rand_like(x) > 0.2).float()
    return x * keep + 0.1 * torch.randn_like(x)


class Objective:
    def __init__(self, encoder: Encoder, prototypes: PrototypeBook, tau: float = 0.2):
        self.encoder, self.prototypes, self.tau = encoder, prototypes, tau

    def __call__(self, views: list[Tensor], y: Tensor, step: int) -> tuple[Tensor, float]:
        table = self.prototypes.at(step)
        codes = [self.encoder(v) for v in views]
        to_proto = sum(F.cross_entropy(c @ table.t() / self.tau, y) for c in codes) / len(codes)
        agree = 1 - (codes[0] * codes[1]).sum(-1).mean()
        with torch.no_grad():
            acc = (codes[0] @ table.t()).argmax(1).eq(y).float().mean().item()
        return to_proto + 0.5 * agree, acc


def main(steps: int = 300) -> None:
    centres = torch.randn(12, 20) * 1.5
    exemplars = centres.unsqueeze(1) + 0.8 * torch.randn(12, 4, 20)
    encoder = Encoder(20)
    book = PrototypeBook(encoder, exemplars, RefreshPolicy(every_step_until=40, then_every=5))
    objective = Objective(encoder, book)
    opt = torch.optim.Adam(encoder.parameters(), lr=2e-3)
    for step, (views, y) in enumerate(Augmented(gaussians(centres, 64), jitter)):
        if step == steps:
            break
        loss, acc = objective(views, y, step)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 20 == 0:
            print(f"{step:4d}  loss {loss.item():.4f}  acc {acc:.3f}")


if __name__ == "__main__":
    main()
