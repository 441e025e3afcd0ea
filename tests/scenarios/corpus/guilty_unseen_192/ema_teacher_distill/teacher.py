import torch
from torch.func import functional_call


class EMATeacher:
    def __init__(self, student, momentum):
        self.module = student
        self.momentum = momentum
        self.params = {k: p.detach().clone() for k, p in student.named_parameters()}

    def update(self, student):
        for name, p in student.named_parameters():
            self.params[name] = torch.lerp(self.params[name], p, 1 - self.momentum)  # <- culprit

    def __call__(self, x):
        return functional_call(self.module, self.params, (x,))
