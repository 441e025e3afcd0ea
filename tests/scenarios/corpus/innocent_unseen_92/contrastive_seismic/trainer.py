from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from encoder import ContextEncoder
from queueing import KeyQueue
from traces import Traces


@dataclass
class Accumulate:
    every: int
    seen: int = 0

    def due(self) -> bool:
        self.seen += 1
        return self.seen % self.every == 0


class StreamingTrainer:
    def __init__(self, encoder: ContextEncoder, queue: KeyQueue, accumulate: Accumulate, queue_from: int) -> None:
        self.encoder, self.queue, self.accumulate, self.queue_from = encoder, queue, accumulate, queue_from
        self.opt = torch.optim.AdamW(encoder.parameters(), 2e-3)
        self.replay: list[Tensor] = []
        self.curve: list[float] = []
        self.updates = 0

    def loss(self, a: Tensor, b: Tensor) -> Tensor:
        q, k = self.encoder(a), self.encoder(b)
        scores = [q @ k.t()]
        if self.updates >= self.queue_from:
            scores.append(q @ self.queue.keys.t())
        info_nce = F.cross_entropy(torch.cat(scores, 1) / 0.2, torch.arange(len(q)))
        self.queue.push(k)
        drift = torch.zeros(())
        if self.replay:
            old = self.replay[int(torch.randint(len(self.replay), ()))]
            drift = (q.mean(0) - old).pow(2).sum() * 0.05
        self.replay.append(q.mean(0).detach())
        return info_nce + drift + 0.01 * self.encoder.energy

    def run(self, traces: Traces, updates: int) -> None:
        for a, b in traces:
            loss = self.loss(a, b)
            (loss / self.accumulate.every).backward()
            if self.accumulate.due():
                self.opt.step()
                self.opt.zero_grad()
                self.curve.append(loss.item())
                self.updates += 1
                if self.updates % 80 == 0:
                    print(f"{self.updates} {self.curve[-1]:.4f}")
            if self.updates >= updates:
                return
