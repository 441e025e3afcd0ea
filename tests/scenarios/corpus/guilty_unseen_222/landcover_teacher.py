# gradwatch-corpus: kind=graph-chain
# holder: self.shadow | self.teacher.shadow | trainer.teacher.shadow
# first-bad: 1
"""Semi-supervised land-cover segmentation with a weight-averaged teacher."""
from __future__ import annotations

import logging
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.func import functional_call
import torch.nn.functional as F

log = logging.getLogger("landcover")


@dataclass(frozen=True)
class Config:
    bands: int = 4
    classes: int = 5
    width: int = 12
    tile: int = 16
    batch: int = 6
    steps: int = 120
    decay: float = 0.97
    consistency: float = 0.5
    lr: float = 2e-3


class TileNet(nn.Module):
    def __init__(self, cfg: Config) -> None:
        super().__init__()
        self.stem = nn.Conv2d(cfg.bands, cfg.width, 3, padding=1)
        self.body = nn.Conv2d(cfg.width, cfg.width, 3, padding=2, dilation=2)
        self.norm = nn.GroupNorm(3, cfg.width)
        self.head = nn.Conv2d(cfg.width, cfg.classes, 1)

    def forward(self, x: Tensor) -> Tensor:
        h = F.relu(self.stem(x))
        h = h + F.relu(self.norm(self.body(h)))
        return self.head(h)


class AveragedTeacher:
    def __init__(self, student: nn.Module, decay: float) -> None:
        self.student = student
        self.decay = decay
        self.shadow = {n: p.detach().clone() for n, p in student.named_parameters()}

    def refresh(self) -> None:
        for name, p in self.student.named_parameters():
            self.shadow[name] = torch.lerp(self.shadow[name], p, 1 - self.decay)  # <- culprit

    def __call__(self, x: Tensor) -> Tensor:
        return functional_call(self.student, self.shadow, (x,))


class Trainer:
    def __init__(self, cfg: Config) -> None:
        self.cfg = cfg
        self.model = TileNet(cfg)
        self.teacher = AveragedTeacher(self.model, cfg.decay)
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=cfg.lr)

    def tiles(self) -> tuple[Tensor, Tensor, Tensor]:
        c = self.cfg
        labelled = torch.randn(c.batch, c.bands, c.tile, c.tile)
        mask = (labelled.mean(1) * 4).round().clamp(-2, 2).long() + 2
        unlabelled = torch.randn(c.batch, c.bands, c.tile, c.tile)
        return labelled, mask, unlabelled

    def step(self) -> dict[str, float]:
        x, y, u = self.tiles()
        supervised = F.cross_entropy(self.model(x), y)
        weak = u + 0.05 * torch.randn_like(u)
        strong = u + 0.3 * torch.randn_like(u)
        target = self.teacher(weak).softmax(1)  # <- culprit
        consistency = F.mse_loss(self.model(strong).softmax(1), target)
        loss = supervised + self.cfg.consistency * consistency
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        self.teacher.refresh()
        return {"sup": supervised.item(), "cons": consistency.item()}

    def fit(self) -> None:
        for i in range(self.cfg.steps):
            m = self.step()
            if i % 30 == 0:
                log.info("step %d sup=%.4f cons=%.5f", i, m["sup"], m["cons"])


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(name)s %(message)s")
    torch.manual_seed(3)
    trainer = Trainer(Config())
    trainer.fit()
