import torch
from torch.nn import functional as F

from networks import MLP, frozen
from scheduler import TickScheduler
from settings import DistillSettings


class Distiller:
    def __init__(self, cfg: DistillSettings, scheduler: TickScheduler):
        self.cfg = cfg
        self.scheduler = scheduler
        self.teacher = frozen(MLP([cfg.features, 64, 64, cfg.classes]))
        self.student = MLP([cfg.features, 16, cfg.classes], dropout=0.1)
        self.optimizer = torch.optim.Adam(self.student.parameters(), lr=cfg.lr)
        self.agreement = []

    def loss(self, student_logits, teacher_logits, labels):
        t = self.cfg.temperature
        soft = F.kl_div(
            F.log_softmax(student_logits / t, dim=-1),
            F.softmax(teacher_logits / t, dim=-1),
            reduction="batchmean",
        )
        hard = F.cross_entropy(student_logits, labels)
        return (1 - self.cfg.hard_weight) * t * t * soft + self.cfg.hard_weight * hard

    def record_agreement(self, student_logits, teacher_logits):
        same = student_logits.argmax(-1) == teacher_logits.argmax(-1)
        self.agreement.append(same.float().mean().item())

    def step(self, x, labels):
        with torch.no_grad():
            target = self.teacher(x)
        logits = self.student(x)
        loss = self.loss(logits, target, labels)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.scheduler.at(self.cfg.steps, lambda: self.record_agreement(logits, target))  # <- culprit
        return loss.item()
