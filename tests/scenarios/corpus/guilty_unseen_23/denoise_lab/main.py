# gradwatch-corpus: kind=inplace-modified
# first-bad: 90
from dataclasses import dataclass, field

import torch
import torch.nn as nn
import torch.nn.functional as F

from stages import STAGES


@dataclass
class StageSpec:
    kind: str
    start: int = 0
    options: dict = field(default_factory=dict)


@dataclass
class LabConfig:
    bins: int = 65
    hidden: int = 80
    frames: int = 50
    batch: int = 12
    steps: int = 250
    lr: float = 1e-3
    stages: tuple = (
        StageSpec("meter", 0, {"decay": 0.95}),
        StageSpec("bandstop", 90, {"width": 8}),
    )


class MaskEstimator(nn.Module):
    def __init__(self, cfg, pipeline):
        super().__init__()
        self.inp = nn.Linear(cfg.bins, cfg.hidden)
        self.rnn = nn.GRU(cfg.hidden, cfg.hidden, batch_first=True)
        self.gate = nn.Linear(cfg.hidden, cfg.bins)
        self.pipeline = pipeline

    def forward(self, noisy):
        h, _ = self.rnn(F.relu(self.inp(noisy)))
        gate = torch.sigmoid(self.gate(h))
        return self.pipeline(gate) * noisy


class Pipeline:
    """Applies the stages that are switched on at the current step, in order, while training."""

    def __init__(self, specs):
        self.entries = [(s.start, STAGES[s.kind](**s.options)) for s in specs]
        self.step = 0
        self.enabled = True

    def active(self):
        return (stage for start, stage in self.entries if self.step >= start)

    def __call__(self, x):
        if self.enabled:
            for stage in self.active():
                x = stage(x)
        return x


def synth(cfg, gen):
    centre = torch.randint(5, cfg.bins - 5, (cfg.batch, 1, 1), generator=gen).float()
    grid = torch.arange(cfg.bins).float()
    envelope = torch.rand(cfg.batch, cfg.frames, 1, generator=gen)
    clean = envelope * torch.exp(-((grid - centre) / 4.0) ** 2)
    noisy = clean + 0.3 * torch.rand(clean.shape, generator=gen)
    return noisy, clean


def main(cfg=LabConfig()):
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(12)
    pipeline = Pipeline(cfg.stages)
    model = MaskEstimator(cfg, pipeline)
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    for step in range(cfg.steps):
        pipeline.step = step
        noisy, clean = synth(cfg, gen)
        loss = F.l1_loss(model(noisy), clean)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 30 == 0:
            print(f"step {step:3d}  l1 {loss.item():.4f}")


if __name__ == "__main__":
    main()
