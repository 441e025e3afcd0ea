import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


def backbone(out_dim=48):
    return nn.Sequential(
        nn.Conv2d(1, 12, 3, stride=2, padding=1), nn.GELU(),
        nn.Conv2d(12, 24, 3, stride=2, padding=1), nn.GELU(),
        nn.AdaptiveAvgPool2d(2), nn.Flatten(),
        nn.Linear(96, 64), nn.GELU(), nn.Linear(64, out_dim),
    )


class SelfDistill(nn.Module):
    def __init__(self, out_dim=48, t_student=0.2, t_teacher=0.07, m_center=0.9, m_teacher=0.99):
        super().__init__()
        self.student = backbone(out_dim)
        self.teacher = copy.deepcopy(self.student).requires_grad_(False)
        self.center = torch.zeros(out_dim)
        self.t_student, self.t_teacher = t_student, t_teacher
        self.m_center, self.m_teacher = m_center, m_teacher

    def forward(self, view_a, view_b):
        s = self.student(view_a)
        t = self.teacher(view_b)
        target = F.softmax((t - self.center) / self.t_teacher, dim=-1).detach()
        loss = -(target * F.log_softmax(s / self.t_student, dim=-1)).sum(-1).mean()
        self.update_center(torch.cat([s, t]))
        return loss

    def update_center(self, out):
        batch_center = out.mean(dim=0)
        self.center = self.center * self.m_center + batch_center * (1 - self.m_center)  # <- culprit

    @torch.no_grad()
    def update_teacher(self):
        for p_t, p_s in zip(self.teacher.parameters(), self.student.parameters()):
            p_t.lerp_(p_s, 1 - self.m_teacher)
