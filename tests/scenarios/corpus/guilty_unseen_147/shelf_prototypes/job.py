from dataclasses import dataclass

import torch
from torch.nn import functional as F

from model import ShelfEncoder


@dataclass
class JobSpec:
    classes: int
    dim: int
    batches: int
    size: int = 12


class ShelfJob:
    def __init__(self, spec):
        self.spec = spec
        self.templates = torch.randn(spec.classes, 1, 8, 8)
        self.model = ShelfEncoder(spec.classes, spec.dim)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=4e-3)

    def _batch(self):
        y = torch.randint(self.spec.classes, (self.spec.size,))
        return self.templates[y] + 0.4 * torch.randn(self.spec.size, 1, 8, 8), y

    def execute(self):
        self.model.train()
        for _ in range(self.spec.batches):
            img, y = self._batch()
            nll = F.cross_entropy(self.model(img), y)
            self.opt.zero_grad()
            nll.backward()
            self.opt.step()

    @torch.no_grad()
    def accuracy(self):
        self.model.eval()
        img, y = self._batch()
        return (self.model(img).argmax(1) == y).float().mean().item()
