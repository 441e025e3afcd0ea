from collections import deque

import torch


class HookList:
    def __init__(self, hooks):
        self.hooks = hooks

    def after_step(self, step, out):
        for h in self.hooks:
            h.after_step(step, out)


class EMAUpdate:
    def __init__(self, model, decay):
        self.model, self.decay = model, decay

    @torch.no_grad()
    def after_step(self, step, out):
        for t, o in zip(self.model.target.parameters(), self.model.online.parameters()):
            t.mul_(self.decay).add_(o, alpha=1 - self.decay)


class Progress:
    def __init__(self, every):
        self.every, self.recent = every, deque(maxlen=20)

    def after_step(self, step, out):
        self.recent.append((out["loss"].item(), out["acc"]))
        if (step + 1) % self.every == 0:
            l, a = (sum(c) / len(c) for c in zip(*self.recent))
            print(f"{step + 1}: loss {l:.3f} acc {a:.3f}")
