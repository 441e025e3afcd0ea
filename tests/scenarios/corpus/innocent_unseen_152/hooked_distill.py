# gradwatch-corpus: kind=none
"""Distils a beat classifier; feature maps are collected by hooks and cleared at every step."""
import copy
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class DistilConfig:
    classes: int = 3
    length: int = 80
    batch: int = 12
    steps: int = 90
    lr: float = 3e-3
    feature_weight: float = 0.3
    average: float = 0.95
    validate_every: int = 15


class BeatNet(nn.Sequential):
    def __init__(self, classes, width):
        super().__init__(
            nn.Conv1d(1, width, 7, stride=2), nn.ReLU(),
            nn.Conv1d(width, 8, 5, stride=2), nn.ReLU(),
            nn.AdaptiveAvgPool1d(4), nn.Flatten(), nn.Linear(32, classes),
        )


class FeatureCollector:
    def __init__(self, layer):
        self.maps = []
        layer.register_forward_hook(lambda module, args, out: self.maps.append(out))

    @contextmanager
    def collecting(self):
        self.maps.clear()
        try:
            yield self.maps
        finally:
            self.maps.clear()


def beats(cfg, seed):
    gen = torch.Generator().manual_seed(seed)
    t = torch.linspace(0, 1, cfg.length)
    while True:
        kind = torch.randint(0, cfg.classes, (cfg.batch,), generator=gen)
        width = (0.02 + 0.03 * kind.float()).unsqueeze(1)
        centre = 0.3 + 0.4 * torch.rand(cfg.batch, 1, generator=gen)
        wave = torch.exp(-(((t - centre) / width) ** 2)) + 0.1 * torch.randn(cfg.batch, cfg.length, generator=gen)
        yield wave.unsqueeze(1), kind


class Distiller:
    def __init__(self, cfg):
        self.cfg = cfg
        self.teacher = BeatNet(cfg.classes, 16).requires_grad_(False).eval()
        self.student = BeatNet(cfg.classes, 6)
        self.averaged = copy.deepcopy(self.student).requires_grad_(False)
        self.of_teacher, self.of_student = FeatureCollector(self.teacher[3]), FeatureCollector(self.student[3])
        self.optimizer = torch.optim.AdamW(self.student.parameters(), cfg.lr)
        self.metrics = {"loss": [], "accuracy": []}

    def step(self, wave, kind):
        with self.of_teacher.collecting() as wanted, self.of_student.collecting() as got:
            with torch.no_grad():
                self.teacher(wave)
            loss = F.cross_entropy(self.student(wave), kind)
            loss = loss + self.cfg.feature_weight * sum(F.mse_loss(g, w) for g, w in zip(got, wanted))
            self.optimizer.zero_grad()
            loss.backward()
        self.optimizer.step()
        self.metrics["loss"].append(loss.item())
        with torch.no_grad():
            for slow, fast in zip(self.averaged.parameters(), self.student.parameters()):
                slow.mul_(self.cfg.average).add_(fast, alpha=1 - self.cfg.average)

    @torch.inference_mode()
    def validate(self, wave, kind):
        self.metrics["accuracy"].append((self.averaged(wave).argmax(1) == kind).float().mean().item())


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(180)
    config = DistilConfig()
    distiller, held_out = Distiller(config), beats(config, seed=182)
    for number, (wave, kind) in zip(range(1, config.steps + 1), beats(config, seed=181)):
        distiller.step(wave, kind)
        if number % config.validate_every == 0:
            distiller.validate(*next(held_out))
            print(number, {name: round(v[-1], 4) for name, v in distiller.metrics.items()})
