# gradwatch-corpus: kind=inplace-modified
# first-bad: 25
"""Sound event detection with attention pooling; attention dropout starts on a schedule."""
from abc import ABC
from abc import abstractmethod
from dataclasses import dataclass
from typing import Dict
from typing import Type

import torch
from torch import nn
from torch.nn import functional as F

POOLERS: Dict[str, Type["Pooler"]] = {}


@dataclass
class SedConfig:
    pooler: str = "attention"
    bands: int = 18
    frames: int = 40
    classes: int = 5
    width: int = 28
    batch: int = 12
    steps: int = 100
    frame_drop_from: int = 25
    frame_drop: float = 0.15
    lr: float = 3e-3


class Pooler(nn.Module, ABC):
    def __init_subclass__(cls, key, **kwargs):
        super().__init_subclass__(**kwargs)
        POOLERS[key] = cls

    @abstractmethod
    def forward(self, frames):
        ...


class MeanPooler(Pooler, key="mean"):
    def __init__(self, cfg):
        super().__init__()

    def forward(self, frames):
        return frames.mean(1)


class AttentionPooler(Pooler, key="attention"):
    def __init__(self, cfg):
        super().__init__()
        self.score = nn.Linear(cfg.width, 1)
        self.rate = cfg.frame_drop
        self.active = False

    def forward(self, frames):
        weights = torch.softmax(self.score(frames).squeeze(-1), dim=1)
        if self.training and self.active:
            dropped = torch.rand(weights.shape) < self.rate
            weights.masked_fill_(dropped, 0.0)  # <- culprit
        return torch.einsum("bt,btc->bc", weights, frames)


class Detector(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.conv = nn.Conv1d(cfg.bands, cfg.width, 5, padding=2)
        self.pool = POOLERS[cfg.pooler](cfg)
        self.head = nn.Linear(cfg.width, cfg.classes)

    def forward(self, spec):
        frames = F.gelu(self.conv(spec)).transpose(1, 2)
        return self.head(self.pool(frames))


class Soundscape:
    def __init__(self, cfg):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(61)
        self.prints = torch.rand(cfg.classes, cfg.bands, generator=self.gen)

    def batch(self):
        cfg = self.cfg
        active = (torch.rand(cfg.batch, cfg.classes, generator=self.gen) < 0.3).float()
        onset = torch.randint(cfg.frames - 8, (cfg.batch,), generator=self.gen)
        spec = 0.4 * torch.rand(cfg.batch, cfg.bands, cfg.frames, generator=self.gen)
        burst = active @ self.prints
        for row, start in enumerate(onset.tolist()):
            spec[row, :, start:start + 8] += burst[row].unsqueeze(-1)
        return spec, active


class SedRunner:
    def __init__(self, cfg):
        self.cfg = cfg
        self.net = Detector(cfg)
        self.data = Soundscape(cfg)
        self.optimizer = torch.optim.RAdam(self.net.parameters(), lr=cfg.lr)

    def schedule(self, step):
        if step == self.cfg.frame_drop_from:
            self.net.pool.active = True

    def step(self):
        spec, active = self.data.batch()
        logits = self.net(spec)
        loss = F.binary_cross_entropy_with_logits(logits, active)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()


def main():
    torch.manual_seed(18)
    runner = SedRunner(SedConfig())
    for step in range(runner.cfg.steps):
        runner.schedule(step)
        value = runner.step()
        if step % 10 == 0:
            print(f"step {step:3d} bce {value:.4f}")


if __name__ == "__main__":
    main()
