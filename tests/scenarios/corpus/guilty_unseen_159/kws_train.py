# gradwatch-corpus: kind=graph-held
# holder: self.scope.maps | board.scope | board.scope.maps | self.scope | self.ctx.board.scope
# first-bad: 1
# notice: 8
"""Keyword spotting on synthetic filterbanks, with scoped metric boards."""
from collections import ChainMap
from contextlib import contextmanager
from dataclasses import dataclass, field

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(11)


@dataclass
class Config:
    n_mels: int = 20
    frames: int = 32
    words: int = 8
    batch: int = 12
    steps: int = 90
    lr: float = 2e-3
    tags: dict = field(default_factory=lambda: {"run": "kws", "fold": 0})


class Board:
    """Names are looked up from the innermost scope outwards."""

    def __init__(self, base):
        self.scope = ChainMap(dict(base))

    @contextmanager
    def level(self, **names):
        self.scope = self.scope.new_child(names)  # <- culprit
        try:
            yield self
        finally:
            self._leave()

    def _leave(self):
        seen = {k: v for k, v in self.scope.maps[0].items() if not k.startswith("_")}
        self.scope = self.scope.new_child(seen)  # <- culprit

    def put(self, key, value):
        self.scope[key] = value  # <- culprit

    def text(self):
        return " ".join(f"{k}={v.item():.3f}" for k, v in self.scope.items()
                        if torch.is_tensor(v))


class MetricMixin:
    def note(self, key, value):
        self.ctx.board.put(key, value)
        return value


class Spotter(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.conv = nn.Conv1d(cfg.n_mels, 24, 5, padding=2)
        self.norm = nn.BatchNorm1d(24)
        self.gru = nn.GRU(24, 24, batch_first=True)
        self.out = nn.Linear(24, cfg.words)

    def forward(self, x):
        z = F.relu(self.norm(self.conv(x))).transpose(1, 2)
        y, _ = self.gru(z)
        return self.out(y.mean(1))


class Criterion(MetricMixin):
    def __init__(self, ctx):
        self.ctx = ctx

    def __call__(self, logits, target):
        ce = self.note("ce", F.cross_entropy(logits, target, label_smoothing=0.05))
        ent = -(logits.softmax(-1) * logits.log_softmax(-1)).sum(-1).mean()
        return ce - 0.01 * ent


@dataclass
class Ctx:
    cfg: Config
    board: Board


def loader(cfg):
    proto = torch.randn(cfg.words, cfg.n_mels, 1)
    for i in range(cfg.steps):
        y = torch.randint(cfg.words, (cfg.batch,))
        yield i, proto[y] + torch.randn(cfg.batch, cfg.n_mels, cfg.frames), y


def main():
    cfg = Config()
    ctx = Ctx(cfg, Board(cfg.tags))
    net, crit = Spotter(cfg), Criterion(ctx)
    opt = torch.optim.AdamW(net.parameters(), lr=cfg.lr)
    for i, x, y in loader(cfg):
        with ctx.board.level(_step=i) as board:
            loss = crit(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
        if i % 30 == 29:
            print(i, board.text())


if __name__ == "__main__":
    main()
