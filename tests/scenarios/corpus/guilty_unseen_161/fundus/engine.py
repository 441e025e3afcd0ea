import logging
from dataclasses import dataclass

import torch
import torch.nn.functional as F

from .nets import FundusNet
from .phantoms import phantom_batch

log = logging.getLogger("fundus")


@dataclass(frozen=True)
class TrainConfig:
    steps: int = 70
    batch: int = 6
    lr: float = 1e-3
    grade_weight: float = 0.5
    seed: int = 4


class MultiTaskTrainer:
    def __init__(self, cfg):
        torch.set_num_threads(1)
        torch.manual_seed(cfg.seed)
        self.cfg = cfg
        self.net = FundusNet()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=cfg.lr)
        self.skipped = 0

    def losses(self, image, mask, grade):
        seg, cls = self.net(image)
        return {
            "seg": F.binary_cross_entropy_with_logits(seg, mask),
            "grade": self.cfg.grade_weight * F.cross_entropy(cls, grade),
        }

    def step(self, batch):
        self.opt.zero_grad()
        parts = self.losses(*batch)
        for name, part in parts.items():
            part.backward()  # <- culprit
        self.opt.step()
        return sum(p.item() for p in parts.values())

    def run(self):
        for it in range(self.cfg.steps):
            batch = phantom_batch(self.cfg.batch)
            try:
                value = self.step(batch)
            except RuntimeError as err:
                self.skipped += 1
                log.debug("batch %d skipped: %s", it, err)
                continue
            if it % 10 == 0:
                print(f"it {it} loss {value:.4f}")
        print(f"done, {self.skipped} batches skipped")
