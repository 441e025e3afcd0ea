# gradwatch-corpus: kind=second-backward
# holder: self.anchor | stage.anchor | self.stage.anchor | curriculum.stage.anchor | learner.curriculum.stage.anchor
# first-bad: 61
"""Curriculum for a sentence-difficulty encoder: short sentences first, then longer ones while the
embedding's centre stays near to where the previous stage has left it."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Callable, Iterator, Optional

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass
class Stage:
    name: str
    length: int
    until: int
    pull: float = 0.0
    anchor: Optional[Tensor] = None

    def tether(self, z: Tensor) -> Tensor:
        if self.anchor is None or not self.pull:
            return z.new_zeros(())
        return self.pull * F.mse_loss(z.mean(0), self.anchor)


def default_stages() -> list[Stage]:
    return [Stage("short", 6, 60), Stage("middle", 14, 150, pull=0.5), Stage("long", 24, 260, pull=0.5)]


@dataclass
class Curriculum:
    stages: list[Stage] = field(default_factory=default_stages)
    on_promote: list[Callable[[Stage], None]] = field(default_factory=list)
    stage: Stage = field(init=False)

    def __iter__(self) -> Iterator[tuple[int, Stage]]:
        step = 0
        for number, self.stage in enumerate(self.stages):
            if number:
                for hook in self.on_promote:
                    hook(self.stage)
            while step < self.stage.until:
                yield step, self.stage
                step += 1


class Encoder(nn.Module):
    def __init__(self, vocab=300, dim=24):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.mix = nn.Sequential(nn.Linear(dim, 32), nn.GELU(), nn.Linear(32, 16))
        self.grade = nn.Linear(16, 1)

    def forward(self, tokens):
        return self.mix(self.emb(tokens).mean(1))


class Sentences:
    def __init__(self, vocab=300, batch=32, seed=77):
        self.gen = torch.Generator().manual_seed(seed)
        self.rarity = torch.rand(vocab, generator=self.gen)
        self.vocab, self.batch = vocab, batch

    def sample(self, length):
        t = torch.randint(self.vocab, (self.batch, length), generator=self.gen)
        return t, self.rarity[t].amax(1, keepdim=True)


class Learner:
    def __init__(self):
        torch.manual_seed(7)
        self.encoder = Encoder()
        self.sentences = Sentences()
        self.opt = torch.optim.Adam(self.encoder.parameters(), lr=3e-3)
        self.curriculum = Curriculum(on_promote=[self.place_anchor, self.announce])

    def place_anchor(self, stage: Stage) -> None:
        probe, _ = self.sentences.sample(stage.length)
        stage.anchor = self.encoder(probe).mean(0)  # <- culprit

    @staticmethod
    def announce(stage: Stage) -> None:
        print(f"-> stage {stage.name}: sentences of {stage.length} words")

    def loss(self, stage: Stage) -> Tensor:
        tokens, difficulty = self.sentences.sample(stage.length)
        z = self.encoder(tokens)
        return F.mse_loss(self.encoder.grade(z), difficulty) + stage.tether(z)

    def run(self):
        for step, stage in self.curriculum:
            loss = self.loss(stage)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            if step % 30 == 0:
                print(f"{step:4d} [{stage.name}] {loss.item():.4f}")


if __name__ == "__main__":
    Learner().run()
