import copy

import torch
import torch.nn.functional as F
from torch import nn


def segmenter(width):
    return nn.Sequential(nn.Conv1d(1, width, 5, padding=2), nn.SiLU(),
                         nn.Conv1d(width, 1, 5, padding=2), nn.Flatten())


class MeanTeacher:
    def __init__(self, width, accumulate):
        self.student = segmenter(width)
        self.teacher = copy.deepcopy(self.student).requires_grad_(False)
        self.opt = torch.optim.AdamW(self.student.parameters(), lr=5e-3)
        self.accumulate = accumulate
        self.threshold = torch.tensor(0.6)
        self.callbacks = []
        self.updates = 0

    def consistency(self, x):
        with torch.no_grad():
            soft = torch.sigmoid(self.teacher(x))
        conf = torch.maximum(soft, 1 - soft)
        sure = torch.sigmoid((conf - self.threshold) * 20)
        noisy = self.student(x + 0.2 * torch.randn_like(x))
        loss = (sure * F.binary_cross_entropy_with_logits(noisy, soft, reduction="none")).mean()
        return loss, conf.mean()

    def train_step(self, step, sup, unsup):
        x, mask = sup
        sup_loss = F.binary_cross_entropy_with_logits(self.student(x), mask)
        con_loss, conf = self.consistency(unsup)
        loss = (sup_loss + 0.5 * con_loss) / self.accumulate
        loss.backward()
        if (step + 1) % self.accumulate == 0:
            self.opt.step()
            self.opt.zero_grad()
            self.updates += 1
            self.update_teacher()
        out = {"supervised": sup_loss, "consistency": con_loss, "confidence": conf}
        for cb in self.callbacks:
            cb.on_step(self, step, out)

    @torch.no_grad()
    def update_teacher(self):
        alpha = min(0.99, 1 - 1 / (self.updates + 1))
        for t, s in zip(self.teacher.parameters(), self.student.parameters()):
            t.mul_(alpha).add_(s, alpha=1 - alpha)
