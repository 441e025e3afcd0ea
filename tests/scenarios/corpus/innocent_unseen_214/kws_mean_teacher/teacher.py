import copy

import torch


class MeanTeacher:
    def __init__(self, student, alpha=0.99):
        self.student = student
        self.net = copy.deepcopy(student).eval()
        self.alpha = alpha
        self.k = 0
        self.gap = None

    @torch.no_grad()
    def update(self):
        self.k += 1
        a = min(self.alpha, 1 - 1 / (self.k + 1))
        src = dict(self.student.named_parameters())
        for name, p in self.net.named_parameters():
            p.copy_(a * p + (1 - a) * src[name])
        for b, s in zip(self.net.buffers(), self.student.buffers()):
            b.copy_(s)

    def targets(self, x, temp=0.5):
        with torch.no_grad():
            return (self.net(x) / temp).softmax(-1)

    def track(self, cons):
        c = cons.detach()
        self.gap = c if self.gap is None else 0.95 * self.gap + 0.05 * c
        return self.gap
