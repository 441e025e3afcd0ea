import copy

import torch


class EmaTeacher:
    def __init__(self, student, decay=0.99):
        self.net = copy.deepcopy(student).requires_grad_(False)
        self.decay = decay
        self.updates = 0
        self.predictions = []

    @torch.no_grad()
    def update(self, student):
        self.updates += 1
        d = min(self.decay, self.updates / (self.updates + 10))
        for t, s in zip(self.net.parameters(), student.parameters()):
            t.lerp_(s, 1 - d)

    def __call__(self, x):
        # the teacher's weights want no gradient, the noise below neither
        out = self.net(x + 0.1 * torch.randn_like(x)).softmax(-1)
        self.predictions.append(out)
        return out

    def agreement(self, k=10):
        recent = self.predictions[-k:]
        return torch.cat(recent).max(-1).values.mean().item()
