# gradwatch-corpus: kind=second-backward
# first-bad: 1
"""Stateful LSTM over log-line streams: several streams are read side by side in chunks of 20 tokens."""
import random
import string
from dataclasses import dataclass, field

import torch
import torch.nn as nn
import torch.nn.functional as F

VOCAB = string.ascii_lowercase + string.digits + " .:/-\n"
STOI = {c: i for i, c in enumerate(VOCAB)}


@dataclass
class Config:
    streams: int = 8
    chunk: int = 20
    hidden: int = 48
    layers: int = 2
    lr: float = 2e-3
    steps: int = 600
    reset_prob: float = 0.02
    seed: int = 5
    words: list = field(default_factory=lambda: [
        "get", "post", "error", "warn", "info", "timeout", "disk", "node-7", "node-3", "retry", "ok", "api/v2", "login"])


class LogSource:
    """Endless pseudo log text for one stream."""

    def __init__(self, cfg, idx):
        self.rng = random.Random(cfg.seed * 100 + idx)
        self.words = cfg.words
        self.buf = ""

    def _line(self):
        hh, mm = self.rng.randrange(24), self.rng.randrange(60)
        body = " ".join(self.rng.choice(self.words) for _ in range(self.rng.randint(2, 5)))
        return f"{hh:02d}:{mm:02d} {body}\n"

    def take(self, n):
        while len(self.buf) < n + 1:
            self.buf += self._line()
        out = self.buf[:n + 1]
        self.buf = self.buf[n:]
        return [STOI[c] for c in out]


class StreamReader:
    def __init__(self, cfg):
        self.cfg = cfg
        self.sources = [LogSource(cfg, i) for i in range(cfg.streams)]
        self.rng = random.Random(cfg.seed)

    def next(self):
        ids = torch.tensor([s.take(self.cfg.chunk) for s in self.sources])
        rotated = torch.tensor([self.rng.random() < self.cfg.reset_prob for _ in self.sources])
        return ids[:, :-1], ids[:, 1:], rotated


class StreamLM(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.emb = nn.Embedding(len(VOCAB), 24)
        self.rnn = nn.LSTM(24, cfg.hidden, cfg.layers, batch_first=True)
        self.out = nn.Linear(cfg.hidden, len(VOCAB))

    def forward(self, ids, state):
        y, state = self.rnn(self.emb(ids), state)
        return self.out(y), state


class StateKeeper:
    """Holds the recurrent state of every stream and blanks the ones whose log file was rotated."""

    def __init__(self, cfg):
        shape = (cfg.layers, cfg.streams, cfg.hidden)
        self.hidden = torch.zeros(shape)
        self.cell = torch.zeros(shape)

    def fetch(self, rotated):
        keep = (~rotated).float().view(1, -1, 1)
        return self.hidden * keep, self.cell * keep

    def put(self, state):
        hidden, cell = state
        self.hidden = hidden.detach()
        self.cell = cell  # <- culprit


def train(cfg):
    torch.manual_seed(cfg.seed)
    reader, model, keeper = StreamReader(cfg), StreamLM(cfg), StateKeeper(cfg)
    opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr)
    smooth = None
    for step in range(cfg.steps):
        ids, target, rotated = reader.next()
        logits, state = model(ids, keeper.fetch(rotated))
        loss = F.cross_entropy(logits.flatten(0, 1), target.flatten())
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        keeper.put(state)
        smooth = loss.item() if smooth is None else 0.95 * smooth + 0.05 * loss.item()
        if step % 50 == 0:
            print(f"step {step:4d} bits/char {smooth / 0.6931:.3f}")


if __name__ == "__main__":
    train(Config())
