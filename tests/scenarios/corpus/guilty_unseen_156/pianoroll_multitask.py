# gradwatch-corpus: kind=second-backward
# holder: shared | z
# first-bad: 24
"""Piano-roll transcription with onset and, once onsets are stable, an additional tempo head."""
from __future__ import annotations

import logging
from typing import NamedTuple

import torch
from torch import Tensor, nn

logger = logging.getLogger(__name__)


class Batch(NamedTuple):
    cqt: Tensor
    notes: Tensor
    tempo: Tensor


class Schedule:
    def __init__(self, aux_from: int, total: int):
        self.aux_from = aux_from
        self.total = total

    def __iter__(self):
        for i in range(self.total):
            yield i, i >= self.aux_from


class Transcriber(nn.Module):
    def __init__(self, bins: int = 36, keys: int = 12, hidden: int = 32):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(bins, hidden), nn.ELU(), nn.Linear(hidden, hidden), nn.ELU())
        self.notes = nn.Linear(hidden, keys)
        self.tempo = nn.Sequential(nn.Linear(hidden, 16), nn.ELU(), nn.Linear(16, 1))


def make_batch(gen: torch.Generator, n: int = 20, frames: int = 10) -> Batch:
    notes = (torch.rand(n, frames, 12, generator=gen) < 0.2).float()
    cqt = torch.cat([notes, 0.6 * notes, 0.3 * notes], dim=-1)
    cqt = cqt + 0.1 * torch.randn(cqt.shape, generator=gen)
    change = (notes[:, 1:] - notes[:, :-1]).abs().mean(dim=(1, 2))
    return Batch(cqt, notes, change)


class Learner:
    def __init__(self, model: Transcriber, lr: float = 2e-3):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.bce = nn.BCEWithLogitsLoss()

    def note_pass(self, z: Tensor, batch: Batch) -> float:
        loss = self.bce(self.model.notes(z), batch.notes)
        loss.backward()  # <- culprit
        return loss.item()

    def tempo_pass(self, z: Tensor, batch: Batch) -> float:
        guess = self.model.tempo(z.mean(dim=1)).squeeze(-1)
        loss = 0.5 * (guess - batch.tempo).pow(2).mean()
        loss.backward()  # <- culprit
        return loss.item()

    def learn(self, batch: Batch, with_tempo: bool) -> dict[str, float]:
        self.opt.zero_grad()
        shared = self.model.trunk(batch.cqt)
        report = {"notes": self.note_pass(shared, batch)}
        if with_tempo:
            report["tempo"] = self.tempo_pass(shared, batch)  # <- culprit
        self.opt.step()
        return report


def main() -> None:
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    torch.set_num_threads(1)
    torch.manual_seed(40)
    gen = torch.Generator().manual_seed(40)
    learner = Learner(Transcriber())
    for i, with_tempo in Schedule(aux_from=24, total=120):
        report = learner.learn(make_batch(gen), with_tempo)
        if i % 8 == 0:
            logger.info("%3d %s", i, {k: round(v, 4) for k, v in report.items()})


if __name__ == "__main__":
    main()
