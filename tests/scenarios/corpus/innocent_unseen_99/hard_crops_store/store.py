import random
from dataclasses import dataclass

import torch


@dataclass
class Row:
    iteration: int
    img: torch.Tensor
    count: torch.Tensor
    pred: torch.Tensor
    score: torch.Tensor


class HardStore:
    def __init__(self, period):
        self.period = period
        self.rows = []
        self.rng = random.Random(0)

    @torch.no_grad()
    def consider(self, it, img, count, pred, per_image):
        if it % self.period:
            return
        j = per_image.argmax()
        self.rows.append(Row(it, img[j], count[j], pred[j].clone().detach(), per_image.detach()[j]))

    def draw(self, k):
        if len(self.rows) < k:
            return None
        rows = self.rng.sample(self.rows, k)
        return torch.stack([r.img for r in rows]), torch.stack([r.count for r in rows])

    def summary(self):
        top = sorted(self.rows, key=lambda r: float(r.score), reverse=True)[:3]
        return [(r.iteration, round(float(r.pred), 2), float(r.count)) for r in top]
