import torch.nn as nn
import torch.nn.functional as F

from ema import Momentum


def mlp(i, h, o):
    return nn.Sequential(nn.Linear(i, h), nn.LayerNorm(h), nn.ReLU(), nn.Linear(h, o))


class BYOL(nn.Module):
    def __init__(self, dim, h=64, z=16, warm=30):
        super().__init__()
        self.student = nn.Sequential(mlp(dim, h, h), mlp(h, h, z))
        self.predict = mlp(z, h, z)
        self.teacher = Momentum(self.student)
        self.warm = warm
        self.seen = 0

    def pair(self, a, b):
        p = F.normalize(self.predict(self.student(a)), dim=-1)
        t = F.normalize(self.teacher(b), dim=-1)  # <- culprit
        return 2 - 2 * (p * t).sum(-1).mean()

    def forward(self, a, b):
        loss = self.pair(a, b) + self.pair(b, a)
        self.seen += 1
        # the teacher is frozen at first, the student is still noise
        if self.training and self.seen > self.warm:
            self.teacher.pull(self.student)  # <- culprit
        return loss
