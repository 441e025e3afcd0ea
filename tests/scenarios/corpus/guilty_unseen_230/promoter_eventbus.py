# gradwatch-corpus: kind=graph-held
# holder: self.journal | bus.journal
# first-bad: 1
"""Promoter activity from one-hot DNA windows; training wired through an event bus."""
from __future__ import annotations

import itertools
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any, Callable, Mapping

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class Event:
    topic: str
    step: int
    payload: Mapping[str, Any] = field(default_factory=dict)


Handler = Callable[[Event], None]


class EventBus:
    def __init__(self) -> None:
        self._handlers: dict[str, list[Handler]] = defaultdict(list)
        self.journal: list[Event] = []

    def on(self, topic: str) -> Callable[[Handler], Handler]:
        def register(handler: Handler) -> Handler:
            self._handlers[topic].append(handler)
            return handler

        return register

    def publish(self, event: Event) -> None:
        self.journal.append(event)  # <- culprit
        for handler in self._handlers[event.topic]:
            handler(event)


class MotifNet(nn.Module):
    def __init__(self, motifs: int = 48, width: int = 11) -> None:
        super().__init__()
        self.scan = nn.Conv1d(4, motifs, width, padding="same")
        self.refine = nn.Conv1d(motifs, motifs, 5, padding="same")
        self.norm = nn.BatchNorm1d(motifs)
        self.out = nn.Linear(2 * motifs, 1)

    def forward(self, dna: Tensor) -> Tensor:
        h = torch.relu(self.scan(dna))
        h = torch.relu(self.norm(self.refine(h)))
        pooled = torch.cat([h.amax(-1), h.mean(-1)], dim=-1)
        return self.out(pooled).squeeze(-1)


def windows(batch: int, length: int, seed: int):
    g = torch.Generator().manual_seed(seed)
    while True:
        bases = torch.randint(0, 4, (batch, length), generator=g)
        onehot = nn.functional.one_hot(bases, 4).transpose(1, 2).float()
        gc = ((bases == 1) | (bases == 2)).float().mean(1)
        yield onehot, (gc > 0.5).float()


@dataclass
class RunConfig:
    steps: int = 100
    batch: int = 16
    length: int = 200
    lr: float = 1e-3
    report_every: int = 20


def train(cfg: RunConfig, bus: EventBus) -> None:
    model = MotifNet()
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    lossfn = nn.BCEWithLogitsLoss()
    stream = itertools.islice(windows(cfg.batch, cfg.length, seed=3), cfg.steps)
    for step, (dna, label) in enumerate(stream):
        logits = model(dna)
        loss = lossfn(logits, label)
        opt.zero_grad()
        loss.backward()
        opt.step()
        bus.publish(Event("batch_end", step, {"loss": loss.detach(), "logits": logits, "label": label}))  # <- culprit
    bus.publish(Event("fit_end", cfg.steps))


def main() -> None:
    torch.manual_seed(3)
    cfg = RunConfig()
    bus = EventBus()

    @bus.on("batch_end")
    def report(event: Event) -> None:
        if event.step % cfg.report_every:
            return
        guess = event.payload["logits"].detach() > 0
        accuracy = (guess == event.payload["label"].bool()).float().mean().item()
        print(f"step {event.step} loss {event.payload['loss']:.4f} acc {accuracy:.2f}")

    @bus.on("fit_end")
    def farewell(event: Event) -> None:
        print(f"done after {event.step} steps")

    train(cfg, bus)


if __name__ == "__main__":
    main()
