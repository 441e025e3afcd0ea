import torch
import torch.nn.functional as F

from .teacher import EmaTeacher


class Distiller:
    def __init__(self, student, momentum, weight=1.0, temperature=2.0):
        self.student = student
        self.teacher = EmaTeacher(student, momentum)
        self.weight, self.temperature = weight, temperature
        self.opt = torch.optim.Adam(student.parameters(), lr=3e-3)

    def consistency(self, u):
        t = self.temperature
        soft = F.softmax(self.teacher(u) / t, dim=1)
        return F.kl_div(F.log_softmax(self.student(u) / t, 1), soft, reduction="batchmean") * t * t

    def step(self, x, y, u):
        ce = F.cross_entropy(self.student(x), y)
        kd = self.consistency(u + 0.05 * torch.randn_like(u))
        self.opt.zero_grad()
        (ce + self.weight * kd).backward()
        self.opt.step()
        self.teacher.update()
        return {"ce": ce.item(), "kd": kd.item()}
