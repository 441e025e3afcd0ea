import copy

import torch
from torch import nn


class PointEncoder(nn.Module):
    def __init__(self, dim, width=32):
        super().__init__()
        self.local = nn.Sequential(nn.Linear(3, width), nn.GELU(), nn.Linear(width, width))
        self.head = nn.Linear(width, dim)

    def forward(self, cloud):
        return self.head(self.local(cloud).amax(dim=1))


class TeacherStudent:
    def __init__(self, student, decay):
        self.student = student
        self.teacher = copy.deepcopy(student)
        self.decay = decay

    @torch.no_grad()
    def targets(self, cloud):
        return self.teacher(cloud)

    def update(self):
        mine, theirs = self.teacher.state_dict(), self.student.state_dict()
        self.teacher.load_state_dict(
            {k: self.decay * mine[k] + (1 - self.decay) * theirs[k] for k in mine}
        )
