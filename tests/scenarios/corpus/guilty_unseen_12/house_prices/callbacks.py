import math

import torch

from learner import Callback


class AvgLoss:
    def reset(self):
        self.total, self.count = 0.0, 0

    def accumulate(self, learn):
        bs = len(learn.yb)
        self.total += learn.loss.item() * bs
        self.count += bs

    @property
    def value(self):
        return self.total / self.count if self.count else float("nan")


class AvgSmoothLoss:
    def __init__(self, beta=0.98):
        self.beta = beta

    def reset(self):
        self.count, self.val = 0, torch.tensor(0.0)

    def accumulate(self, learn):
        self.count += 1
        self.val = torch.lerp(learn.loss.mean(), self.val, self.beta)  # <- culprit

    @property
    def value(self):
        return self.val / (1 - self.beta ** self.count)


class AvgMetric(AvgLoss):
    def __init__(self, func):
        self.func = func

    def accumulate(self, learn):
        bs = len(learn.yb)
        self.total += self.func(learn.pred, learn.yb).item() * bs
        self.count += bs


class Recorder(Callback):
    name = "recorder"
    order = 50

    def before_fit(self):
        self.losses, self.lrs = [], []
        self.smooth_loss = AvgSmoothLoss()
        self.smooth_loss.reset()
        self.valid = [AvgLoss()] + [AvgMetric(m) for m in self.learn.metrics]

    def before_validate(self):
        for m in self.valid:
            m.reset()

    def after_batch(self):
        if self.learn.training:
            self.smooth_loss.accumulate(self.learn)
            self.losses.append(self.smooth_loss.value.item())
            self.lrs.append(self.learn.opt.param_groups[0]["lr"])
        else:
            for m in self.valid:
                m.accumulate(self.learn)

    def after_epoch(self):
        row = [self.losses[-1]] + [m.value for m in self.valid]
        print(self.learn.epoch, "  ".join(f"{v:.5f}" for v in row))


def sched_cos(start, end):
    return lambda pos: start + (1 + math.cos(math.pi * (1 - pos))) * (end - start) / 2


class ParamScheduler(Callback):
    def __init__(self, pname, func):
        self.pname, self.func = pname, func

    def before_batch(self):
        if not self.learn.training:
            return
        pos = (self.learn.epoch + self.learn.iter / self.learn.n_iter) / self.learn.n_epoch
        for g in self.learn.opt.param_groups:
            g[self.pname] = self.func(pos)


class GradientClip(Callback):
    def __init__(self, max_norm):
        self.max_norm = max_norm

    def after_backward(self):
        torch.nn.utils.clip_grad_norm_(self.learn.model.parameters(), self.max_norm)
