import copy
from collections import defaultdict, deque

import torch

from .registry import HOOKS


class Hook:
    def before_run(self, runner):
        pass

    def after_train_iter(self, runner, it, outputs):
        pass


@HOOKS.register
class EMAHook(Hook):
    def __init__(self, momentum):
        self.momentum = momentum

    def before_run(self, runner):
        self.ema_model = copy.deepcopy(runner.model).requires_grad_(False)

    @torch.no_grad()
    def after_train_iter(self, runner, it, outputs):
        for avg, p in zip(self.ema_model.parameters(), runner.model.parameters()):
            avg.lerp_(p, self.momentum)
        for avg, b in zip(self.ema_model.buffers(), runner.model.buffers()):
            avg.copy_(b)


@HOOKS.register
class MessageHubHook(Hook):
    def __init__(self, window):
        self.window = window

    def before_run(self, runner):
        runner.scalars = defaultdict(lambda: deque(maxlen=self.window))

    def after_train_iter(self, runner, it, outputs):
        for k, v in outputs.items():
            runner.scalars[k].append(v.detach().item())
        if (it + 1) % self.window == 0:
            print(f"Iter {it + 1}", {k: round(sum(v) / len(v), 3) for k, v in runner.scalars.items()})


@HOOKS.register
class CheckpointHook(Hook):
    def __init__(self, keep, interval):
        self.keep, self.interval = keep, interval

    def before_run(self, runner):
        runner.checkpoints = []

    def after_train_iter(self, runner, it, outputs):
        if (it + 1) % self.interval == 0:
            runner.checkpoints.append((it + 1, copy.deepcopy(runner.model.state_dict())))
            del runner.checkpoints[:-self.keep]
