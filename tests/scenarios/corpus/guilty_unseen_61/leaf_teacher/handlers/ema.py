"""Exponentially averaged teacher (Tarvainen & Valpola, 2017)."""
import torch
import torch.nn.functional as F

from core.engine import Events


class AveragedTeacher:
    """Keeps the teacher and computes its agreement with the student.

    The average only starts after `warmup` steps, when the student has left its initial weights.
    """

    def __init__(self, teacher, student, decay, warmup):
        self.teacher, self.student, self.decay, self.warmup = teacher, student, decay, warmup

    def attach(self, engine):
        engine.on(Events.OBJECTIVE_READY, self.update)  # <- culprit

    def agreement(self, logits, x_weak):
        target = self.teacher(x_weak).softmax(-1)  # <- culprit
        return F.mse_loss(logits.softmax(-1), target)

    @torch.no_grad()
    def update(self, engine):
        if engine.state.step < self.warmup:
            return
        for t, s in zip(self.teacher.parameters(), self.student.parameters()):
            t.lerp_(s, 1 - self.decay)  # <- culprit
