"""Shadow copies of a module, updated in the ways the lab has used over time."""
import copy

import torch

SHADOWS = {}


def shadow(name):
    def wrap(cls):
        SHADOWS[name] = cls
        return cls
    return wrap


class Shadow:
    def __init__(self, student, decay):
        self.student = student
        self.decay = decay
        self.net = copy.deepcopy(student).requires_grad_(False)
        self.steps = 0

    def rate(self):
        return min(self.decay, (1 + self.steps) / (10 + self.steps))

    def pull(self):
        self.steps += 1
        self.blend(self.rate())

    def blend(self, d):
        raise NotImplementedError

    def __call__(self, x):
        return self.net(x)


@shadow("data")
class DataShadow(Shadow):
    def blend(self, d):
        for mine, theirs in zip(self.net.parameters(), self.student.parameters()):
            mine.data = d * mine.data + (1 - d) * theirs.data


@shadow("foreach")
class ForeachShadow(Shadow):
    @torch.no_grad()
    def blend(self, d):
        torch._foreach_lerp_(list(self.net.parameters()), list(self.student.parameters()), 1 - d)


@shadow("state")
class StateShadow(Shadow):
    def blend(self, d):
        ours, theirs = self.net.state_dict(), self.student.state_dict()
        self.net.load_state_dict({k: d * ours[k] + (1 - d) * theirs[k] for k in ours})
