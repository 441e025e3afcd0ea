import torch
from torch.func import functional_call


class MeanTeacher:
    """Keeps averaged weights in a dict and runs the student's module with them."""

    def __init__(self, student, decay=0.99, warmup=20):
        self.student = student
        self.decay = decay
        self.warmup = warmup
        self.steps = 0
        self.weights = {n: p.detach().clone() for n, p in student.named_parameters()}

    @property
    def alpha(self):
        return min(self.decay, 1 - 1 / (self.steps + 1))

    def __call__(self, x):
        return functional_call(self.student, self.weights, (x,))

    def update(self):
        self.steps += 1
        a = self.alpha
        for name, p in self.student.named_parameters():
            self.weights[name] = torch.lerp(self.weights[name], p, 1 - a)  # <- culprit

    def ramp(self, peak):
        return peak * min(1.0, self.steps / self.warmup)
