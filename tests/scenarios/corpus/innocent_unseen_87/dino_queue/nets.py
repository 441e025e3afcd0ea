import copy

import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, d, out):
        super().__init__()
        self.mlp = nn.Sequential(nn.Linear(d, d), nn.GELU(), nn.Linear(d, 16))
        self.last = nn.Linear(16, out, bias=False)

    def forward(self, x):
        return self.last(nn.functional.normalize(self.mlp(x), dim=-1))


class Wrapper(nn.Module):
    def __init__(self, dim, width, out):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(dim, width), nn.GELU(), nn.LayerNorm(width))
        self.head = Head(width, out)

    def forward(self, views):
        z = self.head(self.backbone(torch.cat(views)))
        return z.split(len(views[0]))

    def freeze_last(self, on):
        if on:
            self.head.last.weight.grad = None


def make_teacher(student):
    teacher = copy.deepcopy(student)
    for p in teacher.parameters():
        p.requires_grad = False
    return teacher


@torch.no_grad()
def ema_update(teacher, student, m):
    for pt, ps in zip(teacher.parameters(), student.parameters()):
        pt.data.mul_(m).add_((1 - m) * ps.detach().data)
