import copy

import torch
from torch.func import functional_call


class MeanTeacher:
    """Keeps an averaged set of weights and runs the student's architecture with them."""

    def __init__(self, student, decay=0.99):
        self.decay = decay
        self.skeleton = copy.deepcopy(student).requires_grad_(False)
        self.weights = {k: p.detach().clone() for k, p in student.named_parameters()}

    def alpha(self, step):
        # true average in the beginning, exponential afterwards
        return min(1 - 1 / (step + 1), self.decay)

    def update(self, student, step):
        a = self.alpha(step)
        averaged = {}
        for name, p in student.named_parameters():
            averaged[name] = torch.lerp(self.weights[name], p, 1 - a)  # <- culprit
        self.weights = averaged  # <- culprit

    def __call__(self, x):
        return functional_call(self.skeleton, self.weights, (x,))
