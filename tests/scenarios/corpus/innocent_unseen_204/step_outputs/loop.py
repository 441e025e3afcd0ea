from dataclasses import dataclass, replace

import torch
from torch.nn import functional as F


@dataclass
class LoopConfig:
    lr: float = 1e-3
    delta: float = 1.0


@dataclass
class StepOutput:
    step: int
    loss: torch.Tensor
    pred: torch.Tensor

    def light(self):
        return replace(self, loss=self.loss.detach(), pred=self.pred.detach().mean())


class Loop:
    def __init__(self, model, config, observers):
        self.model = model
        self.config = config
        self.observers = observers
        self.opt = torch.optim.Adam(model.parameters(), lr=config.lr)

    def _step(self, i, x, y):
        pred = self.model(x)
        loss = F.huber_loss(pred, y, delta=self.config.delta)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return StepOutput(i, loss, pred)

    def run(self, stream):
        for i, (x, y) in enumerate(stream):
            self.last = self._step(i, x, y)
            for observer in self.observers:
                observer(self, self.last)
