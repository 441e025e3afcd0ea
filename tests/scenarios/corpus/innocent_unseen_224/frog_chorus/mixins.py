import copy

import torch


class AccumulationMixin:
    accumulate = 1
    pending = 0
    updates = 0

    def propagate(self, loss):
        (loss / self.accumulate).backward()
        self.pending += 1
        if self.pending < self.accumulate:
            return
        self.opt.step()
        self.opt.zero_grad()
        self.pending = 0
        self.updates += 1
        self.after_update()

    def after_update(self):
        pass


class TeacherMixin:
    momentum = 0.98

    def make_teacher(self):
        self.teacher = copy.deepcopy(self.student)
        for p in self.teacher.parameters():
            p.requires_grad = False

    def after_update(self):
        super().after_update()
        pairs = zip(self.teacher.parameters(), self.student.parameters())
        for slow, fast in pairs:
            mixed = self.momentum * slow + (1 - self.momentum) * fast.detach()
            slow.copy_(mixed)

    @torch.no_grad()
    def gap(self):
        pairs = zip(self.teacher.parameters(), self.student.parameters())
        return sum((a - b).abs().mean().item() for a, b in pairs)


class CentreMixin:
    def init_centre(self, dim):
        self.centre = torch.zeros(1, dim)

    def shift_centre(self, out):
        self.centre = 0.9 * self.centre + 0.1 * out.mean(dim=0, keepdim=True)
