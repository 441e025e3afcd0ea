# gradwatch-corpus: kind=graph-held
# holder: self.pending | writer.pending | self.writer.pending
# first-bad: 1
"""Duration + pitch predictor for a small text-to-speech front end."""
import json
import tempfile
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import torch
from torch import nn
import torch.nn.functional as F


@dataclass
class Hparams:
    phones: int = 40
    dim: int = 24
    batch: int = 8
    length: int = 14
    steps: int = 430
    weights: dict = field(default_factory=lambda: {"duration": 1.0, "pitch": 0.5})


class DeferredWriter:
    """Collects scalars during training, writes the file once at exit."""

    def __init__(self, folder):
        self.path = Path(folder) / "scalars.jsonl"
        self.pending = []

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        with self.path.open("w") as handle:
            for job in self.pending:
                handle.write(json.dumps(job()) + "\n")
        print("wrote", self.path.stat().st_size, "bytes")

    def scalar(self, tag, value, step):
        self.pending.append(partial(self._row, tag, value, step))  # <- culprit

    @staticmethod
    def _row(tag, value, step):
        return {"tag": tag, "value": round(float(value), 6), "step": step}


class VarianceAdaptor(nn.Module):
    def __init__(self, hp):
        super().__init__()
        self.embed = nn.Embedding(hp.phones, hp.dim)
        self.conv = nn.Conv1d(hp.dim, hp.dim, 3, padding=1)
        self.norm = nn.LayerNorm(hp.dim)
        self.heads = nn.ModuleDict({name: nn.Linear(hp.dim, 1) for name in hp.weights})

    def forward(self, phones):
        x = self.embed(phones)
        x = self.norm(x + F.relu(self.conv(x.transpose(1, 2))).transpose(1, 2))
        return {name: head(x).squeeze(-1) for name, head in self.heads.items()}


def corpus(hp, gen):
    base = {name: torch.rand(hp.phones, generator=gen) * 2 for name in hp.weights}
    for step in range(hp.steps):
        phones = torch.randint(hp.phones, (hp.batch, hp.length), generator=gen)
        yield step, phones, {name: table[phones] for name, table in base.items()}


def train(hp):
    torch.manual_seed(8)
    gen = torch.Generator().manual_seed(8)
    model = VarianceAdaptor(hp)
    optim = torch.optim.Adam(model.parameters(), lr=3e-3)
    warmup = torch.optim.lr_scheduler.LambdaLR(optim, lambda s: min(1.0, (s + 1) / 50))
    with tempfile.TemporaryDirectory() as folder, DeferredWriter(folder) as writer:
        for step, phones, target in corpus(hp, gen):
            pred = model(phones)
            parts = {name: F.mse_loss(pred[name], target[name]) for name in hp.weights}
            total = sum(hp.weights[name] * part for name, part in parts.items())
            optim.zero_grad()
            total.backward()
            optim.step()
            warmup.step()
            for name, part in parts.items():
                writer.scalar(f"train/{name}", part, step)
            if step % 100 == 0:
                print(step, {k: round(v.item(), 4) for k, v in parts.items()})


if __name__ == "__main__":
    train(Hparams())
