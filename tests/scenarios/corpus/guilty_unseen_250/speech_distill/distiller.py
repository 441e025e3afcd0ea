from dataclasses import dataclass

import torch
import torch.nn.functional as F


@dataclass
class DistillConfig:
    seed: int = 29
    features: int = 20
    phones: int = 12
    frames: int = 40
    batch: int = 6
    steps: int = 140
    temperature: float = 2.0
    smoothing: float = 0.95
    lr: float = 4e-3


class Distiller:
    def __init__(self, config, teacher, student, meter):
        self.config = config
        self.teacher = teacher.eval().requires_grad_(False)
        self.student = student
        self.meter = meter
        self.optimizer = torch.optim.Adam(student.parameters(), lr=config.lr)

    def step(self, frames, phones):
        with torch.no_grad():
            teacher_logits = self.teacher(frames)
        student_logits = self.student(frames)
        tau = self.config.temperature
        distill = F.kl_div(
            F.log_softmax(student_logits / tau, dim=-1),
            F.softmax(teacher_logits / tau, dim=-1),
            reduction="batchmean",
        )
        label = F.cross_entropy(student_logits.flatten(0, 1), phones.flatten())
        loss = label + 0.01 * distill
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        agreement = (student_logits.argmax(-1) == teacher_logits.argmax(-1)).float().mean()
        self.meter.update(distill=distill, label=label.item(), agreement=agreement.item())  # <- culprit
