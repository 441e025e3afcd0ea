import torch
from torch import nn
from torch.func import functional_call
import torch.nn.functional as F


def build_encoder(genes, width, out):
    return nn.Sequential(
        nn.Linear(genes, width),
        nn.LayerNorm(width),
        nn.SiLU(),
        nn.Linear(width, out),
    )


class MeanTeacher:
    def __init__(self, student, momentum):
        self.module = student
        self.momentum = momentum
        self.weights = {k: p.detach().clone() for k, p in student.named_parameters()}

    def __call__(self, x):
        return functional_call(self.module, self.weights, (x,))

    def follow(self, student):
        m = self.momentum
        for name, p in student.named_parameters():
            self.weights[name] = torch.lerp(self.weights[name], p, 1 - m)  # <- culprit


def distill_loss(student_out, teacher_out, temp=0.2):
    target = F.softmax(teacher_out / (temp / 2), dim=-1)
    logp = F.log_softmax(student_out / temp, dim=-1)
    spread = student_out.std(dim=0).clamp(max=1.0).mean()
    return -(target * logp).sum(dim=-1).mean() - 0.5 * spread
