# gradwatch-corpus: kind=none
from __future__ import annotations

from collections import OrderedDict, defaultdict
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Callable, Generic, Hashable, Iterator, TypeVar

import torch
import torch.nn.functional as F
from torch import Tensor, nn

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class LruStore(Generic[K, V]):
    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._items: OrderedDict[K, V] = OrderedDict()

    def get(self, key: K, make: Callable[[], V]) -> V:
        if key not in self._items:
            self._items[key] = make()
        self._items.move_to_end(key)
        while len(self._items) > self._capacity:
            self._items.popitem(last=False)
        return self._items[key]

    def put(self, key: K, value: V) -> None:
        self._items[key] = value

    def __len__(self) -> int:
        return len(self._items)


@dataclass(frozen=True)
class Payments:
    cards: list[int]
    features: Tensor
    fraud: Tensor


@dataclass
class ScoreLog:
    scores: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    worst: list[tuple[float, Tensor]] = field(default_factory=list)

    def add(self, batch: Payments, scores: Tensor, keep: int = 16) -> None:
        for card, score in zip(batch.cards, scores.tolist()):
            self.scores[card].append(score)
            del self.scores[card][:-5]
        top = scores.argmax()
        self.worst.append((scores[top].item(), batch.features[top].clone()))
        self.worst = sorted(self.worst, key=lambda w: -w[0])[:keep]


class CardModel(nn.Module):
    def __init__(self, n_features: int, memory: int = 32) -> None:
        super().__init__()
        self.memory = memory
        self.cell = nn.GRUCell(n_features, memory)
        self.head = nn.Sequential(nn.Linear(memory + n_features, 64), nn.ReLU(), nn.Linear(64, 1))
        self.blank = nn.Parameter(torch.zeros(memory))

    def forward(self, state: Tensor, features: Tensor) -> tuple[Tensor, Tensor]:
        state = self.cell(features, state)
        return self.head(torch.cat([state, features], dim=-1)).squeeze(-1), state


class PaymentStream:
    def __init__(self, n_cards: int, n_features: int, seed: int) -> None:
        self._gen = torch.Generator().manual_seed(seed)
        self._n_cards, self._n_features = n_cards, n_features

    @lru_cache(maxsize=64)
    def profile(self, card: int) -> Tensor:
        return torch.randn(self._n_features, generator=torch.Generator().manual_seed(card))

    def __iter__(self) -> Iterator[Payments]:
        while True:
            cards = torch.randperm(self._n_cards, generator=self._gen)[:48].tolist()
            fraud = torch.rand(48, generator=self._gen) < 0.2
            base = torch.stack([self.profile(c) for c in cards])
            x = torch.where(fraud.unsqueeze(-1), -0.5 * base, base)
            yield Payments(cards, x + 0.7 * torch.randn(x.shape, generator=self._gen), fraud.float())


class StreamTrainer:
    def __init__(self, model: CardModel, capacity: int) -> None:
        self._model = model
        self._opt = torch.optim.Adam(model.parameters(), lr=2e-3)
        self._states: LruStore[int, Tensor] = LruStore(capacity)
        self._log = ScoreLog()

    def _recall(self, cards: list[int]) -> Tensor:
        blank = self._model.blank
        return torch.stack([self._states.get(c, blank.detach().clone) for c in cards]) + blank

    def _remember(self, cards: list[int], state: Tensor) -> None:
        for card, row in zip(cards, state.detach()):
            self._states.put(card, row.clone())

    def step(self, batch: Payments) -> float:
        logits, state = self._model(self._recall(batch.cards), batch.features)
        loss = F.binary_cross_entropy_with_logits(logits, batch.fraud)
        self._opt.zero_grad(set_to_none=True)
        loss.backward()
        self._opt.step()
        self._remember(batch.cards, state)
        self._log.add(batch, torch.sigmoid(logits.detach()))
        return loss.item()

    @property
    def summary(self) -> str:
        return f"{len(self._states)} card states, {len(self._log.worst)} worst payments"


def main(steps: int = 350) -> None:
    torch.manual_seed(1)
    trainer = StreamTrainer(CardModel(n_features=20), capacity=400)
    stream = PaymentStream(n_cards=1500, n_features=20, seed=1)
    for step, batch in zip(range(steps), stream):
        loss = trainer.step(batch)
        if step % 50 == 0:
            print(f"payment batch {step:3d} log loss {loss:.4f} | {trainer.summary}")


if __name__ == "__main__":
    main()
