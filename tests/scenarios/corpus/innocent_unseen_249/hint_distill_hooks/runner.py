from collections import defaultdict
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F

from capture import ActivationScope


@dataclass
class HintConfig:
    bands: int = 24
    machines: int = 6
    wide: int = 48
    slim: int = 12
    batch: int = 20
    batches: int = 18
    epochs: int = 5
    lr: float = 3e-3


def build(bands, width, classes):
    net = nn.Sequential()
    net.add_module("inp", nn.Linear(bands, width))
    net.add_module("act", nn.GELU())
    net.add_module("mid", nn.Linear(width, width))
    net.add_module("act2", nn.GELU())
    net.add_module("out", nn.Linear(width, classes))
    return net


class TargetCache:
    """Teacher outputs by batch index, dropped when the epoch ends."""

    def __init__(self):
        self.values = {}

    def put(self, index, logits):
        self.values[index] = logits

    def drain(self):
        entropy = [-(v.softmax(-1) * v.log_softmax(-1)).sum(-1).mean() for v in self.values.values()]
        self.values.clear()
        return torch.stack(entropy).mean().item()


class HintRunner:
    def __init__(self, cfg):
        self.cfg = cfg
        self.teacher = build(cfg.bands, cfg.wide, cfg.machines).requires_grad_(False)
        self.student = build(cfg.bands, cfg.slim, cfg.machines)
        self.bridge = nn.Linear(cfg.slim, cfg.wide)
        self.cache = TargetCache()
        params = list(self.student.parameters()) + list(self.bridge.parameters())
        self.optimizer = torch.optim.Adam(params, lr=cfg.lr)
        self.gen = torch.Generator().manual_seed(82)

    def teach(self, index, spec):
        with ActivationScope(self.teacher, ["mid"]) as scope:
            logits = self.teacher(spec)
            hint = scope.outputs["mid"]
        self.cache.put(index, logits)
        return logits, hint

    def step(self, index):
        spec = torch.randn(self.cfg.batch, self.cfg.bands, generator=self.gen)
        teacher_logits, hint = self.teach(index, spec)
        with ActivationScope(self.student, ["mid"]) as scope:
            logits = self.student(spec)
            guess = self.bridge(scope.outputs["mid"])
        match = F.mse_loss(guess, hint)
        soft = F.kl_div(logits.log_softmax(-1), teacher_logits.softmax(-1), reduction="batchmean")
        self.optimizer.zero_grad()
        (match + soft).backward()
        self.optimizer.step()
        return {"match": match.item(), "soft": soft.item()}

    def epoch(self):
        sums = defaultdict(float)
        for index in range(self.cfg.batches):
            for key, value in self.step(index).items():
                sums[key] += value / self.cfg.batches
        sums["entropy"] = self.cache.drain()
        return sums
