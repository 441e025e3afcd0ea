import torch
from torch import nn

from mixins import AccumulationMixin, CentreMixin, TeacherMixin

_REGISTRY = {}


def register(name):
    def wrap(cls):
        _REGISTRY[name] = cls
        return cls
    return wrap


def build(name, **options):
    return _REGISTRY[name](**options)


class TrainerCore:
    def after_update(self):
        self.tick = getattr(self, "tick", 0) + 1


@register("distill")
class DistillTrainer(TeacherMixin, CentreMixin, AccumulationMixin, TrainerCore):
    def __init__(self, bins, accumulate, dim=16):
        self.accumulate = accumulate
        self.student = nn.Sequential(nn.Linear(bins, 48), nn.GELU(), nn.Linear(48, dim))
        self.make_teacher()
        self.init_centre(dim)
        self.opt = torch.optim.AdamW(self.student.parameters(), lr=3e-3)
        self.smoothed = None

    def micro_step(self, views):
        a, b = views
        aim = self.teacher(a)
        soft = torch.softmax((aim - self.centre) / 0.05, dim=1)
        logp = torch.log_softmax(self.student(b) / 0.1, dim=1)
        loss = -(soft * logp).sum(dim=1).mean()
        self.propagate(loss)
        self.shift_centre(aim)
        value = loss.detach()
        if self.smoothed is None:
            self.smoothed = value
        self.smoothed = 0.95 * self.smoothed + 0.05 * value
