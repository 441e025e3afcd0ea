from dataclasses import dataclass

import torch
from torch import nn

from dynamics import Carry


@dataclass
class LearnerOptions:
    seed: int = 31
    arms: int = 16
    horizon: int = 6
    updates: int = 80
    lr: float = 2e-3


class Learner:
    def __init__(self, model, opts):
        self.model, self.opts = model, opts
        self.optim = torch.optim.Adam(model.parameters(), lr=opts.lr)
        self.carry = None
        self.losses = []

    def _start(self, chunk):
        if chunk.first or self.carry is None:
            return Carry.zeros(self.opts.arms, self.model.width)
        return self.carry

    def update(self, chunk):
        pred, carry = self.model(chunk.obs[:-1], chunk.act, self._start(chunk))
        loss = nn.functional.mse_loss(pred, chunk.obs[1:])
        self.optim.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 10.0)
        self.optim.step()
        self.carry = carry.detached()
        self.losses.append(loss.item())
