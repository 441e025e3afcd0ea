import copy

import torch


class EmaMixin:
    decay = 0.95

    def setup(self):
        super().setup()
        self.teacher = copy.deepcopy(self.net).requires_grad_(False)
        self.center = torch.zeros(4)

    def teach(self, x):
        with torch.no_grad():
            raw = self.teacher(x)
            out = (raw - self.center).softmax(-1)
        self.center = 0.9 * self.center + 0.1 * (raw.mean(0) - raw.mean())
        return out

    def after_step(self):
        super().after_step()
        with torch.no_grad():
            for t, p in zip(self.teacher.parameters(), self.net.parameters()):
                t.lerp_(p, 1 - self.decay)
