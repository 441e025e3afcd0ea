import copy

import torch


class Averager:
    def __init__(self, model):
        self.shadow = copy.deepcopy(model).requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for s, p in zip(self.shadow.parameters(), model.parameters()):
            self.mix(s, p)


class EMA(Averager):
    def __init__(self, model, decay):
        super().__init__(model)
        self.decay = decay

    def mix(self, s, p):
        s.lerp_(p, 1 - self.decay)


class SWA(Averager):
    n = 0

    def update(self, model):
        self.n += 1
        super().update(model)

    def mix(self, s, p):
        s += (p - s) / self.n


def build_averager(model, name, **kw):
    return {"ema": EMA, "swa": SWA}[name](model, **kw)
