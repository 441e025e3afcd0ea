"""The student's side of the distillation."""
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn

from audit import agreement


@dataclass
class Plan:
    features: int = 20
    classes: int = 10
    batch: int = 64
    steps: int = 260
    student_width: int = 24
    temperature: float = 3.0
    alpha: float = 0.6
    seed: int = 17


def make_net(plan, width):
    return nn.Sequential(nn.Linear(plan.features, width), nn.ReLU(), nn.Linear(width, width),
                         nn.ReLU(), nn.Linear(width, plan.classes))


class TeacherHandle:
    """Wraps a frozen teacher; gives soft targets."""

    def __init__(self, net):
        self._net = net

    @torch.no_grad()
    def soft(self, x, temperature):
        return F.softmax(self._net(x) / temperature, dim=-1)


class DistillationService:
    def __init__(self, plan, teacher, auditor):
        self.plan, self.teacher, self.auditor = plan, teacher, auditor
        self.student = make_net(plan, plan.student_width)
        self.opt = torch.optim.SGD(self.student.parameters(), lr=0.05, momentum=0.9)

    def objective(self, logits, soft, y):
        t = self.plan.temperature
        kd = F.kl_div(F.log_softmax(logits / t, dim=-1), soft, reduction="batchmean") * t * t
        return self.plan.alpha * kd + (1 - self.plan.alpha) * F.cross_entropy(logits, y)

    def step(self, x, y):
        soft = self.teacher.soft(x, self.plan.temperature)
        logits = self.student(x)
        loss = self.objective(logits, soft, y)
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        self.opt.step()
        self.auditor.submit(agreement, logits, soft)  # <- culprit
        return loss.item()
