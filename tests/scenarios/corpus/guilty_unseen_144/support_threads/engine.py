from dataclasses import dataclass
from typing import Optional

import torch
from torch import nn


@dataclass
class Context:
    step: int = 0
    epoch: int = 0
    loss: float = 0.0
    hidden: Optional[torch.Tensor] = None


class Engine:
    def __init__(self, model, optimizer, hooks):
        self.model, self.optimizer, self.hooks = model, optimizer, hooks
        self.ctx = Context()

    def call(self, name):
        for h in self.hooks:
            getattr(h, name)(self.ctx)

    def process(self, tokens, nxt):
        logits, self.ctx.hidden = self.model(tokens, self.ctx.hidden)  # <- culprit
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), nxt.flatten())
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.ctx.loss = loss.item()

    def run(self, source, epochs):
        for self.ctx.epoch in range(epochs):
            self.call("epoch_begin")
            for tokens, nxt in source():
                self.process(tokens, nxt)
                self.call("batch_end")
                self.ctx.step += 1
