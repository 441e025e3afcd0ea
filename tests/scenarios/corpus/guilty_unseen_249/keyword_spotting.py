# gradwatch-corpus: kind=graph-held
# holder: self._smoothed | trainer._smoothed | self.smoothed | trainer.smoothed | owner._smoothed | obj._smoothed
# first-bad: 1
"""Keyword spotting on synthetic chirps; smoothed loss drives the progress line."""
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class KwsConfig:
    words: int = 6
    mels: int = 20
    frames: int = 30
    batch: int = 24
    steps: int = 110
    lr: float = 4e-3


class Smoothed:
    """Descriptor: assigning feeds an exponential average, reading gives it."""

    def __init__(self, beta):
        self.beta = beta

    def __set_name__(self, owner, name):
        self.slot = "_" + name

    def __get__(self, obj, owner=None):
        if obj is None:
            return self
        return getattr(obj, self.slot, None)

    def __set__(self, obj, value):
        previous = getattr(obj, self.slot, None)
        if previous is not None:
            value = self.beta * previous + (1 - self.beta) * value  # <- culprit
        setattr(obj, self.slot, value)  # <- culprit


class ChirpCorpus:
    def __init__(self, cfg):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(19)

    def __call__(self):
        cfg = self.cfg
        word = torch.randint(cfg.words, (cfg.batch,), generator=self.gen)
        t = torch.linspace(0, 1, cfg.frames).view(1, 1, -1)
        bins = torch.arange(cfg.mels).view(1, -1, 1).float()
        slope = (word.float() - cfg.words / 2).view(-1, 1, 1)
        ridge = cfg.mels / 2 + slope * 2.5 * t
        mel = torch.exp(-(bins - ridge).square() / 4)
        mel = mel + 0.3 * torch.rand(mel.shape, generator=self.gen)
        return mel, word


class DepthwiseBlock(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.depth = nn.Conv1d(channels, channels, 5, padding=2, groups=channels)
        self.point = nn.Conv1d(channels, channels, 1)
        self.norm = nn.BatchNorm1d(channels)

    def forward(self, x):
        return x + torch.relu(self.norm(self.point(self.depth(x))))


class Spotter(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.stem = nn.Conv1d(cfg.mels, 32, 3, padding=1)
        self.blocks = nn.Sequential(DepthwiseBlock(32), DepthwiseBlock(32))
        self.head = nn.Linear(32, cfg.words)

    def forward(self, mel):
        h = self.blocks(torch.relu(self.stem(mel)))
        return self.head(h.mean(-1))


class SpotterTrainer:
    smoothed = Smoothed(beta=0.97)

    def __init__(self, cfg):
        self.cfg = cfg
        self.net = Spotter(cfg)
        self.corpus = ChirpCorpus(cfg)
        self.criterion = nn.CrossEntropyLoss(label_smoothing=0.05)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=cfg.lr * 10, momentum=0.9)

    def step(self):
        mel, word = self.corpus()
        logits = self.net(mel)
        loss = self.criterion(logits, word)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.smoothed = loss  # <- culprit
        return (logits.argmax(-1) == word).float().mean().item()

    def fit(self):
        for step in range(self.cfg.steps):
            accuracy = self.step()
            if step % 22 == 0:
                print(f"step {step:3d} smoothed {self.smoothed.item():.4f} acc {accuracy:.2f}")


def main():
    torch.manual_seed(6)
    trainer = SpotterTrainer(KwsConfig())
    trainer.fit()


if __name__ == "__main__":
    main()
