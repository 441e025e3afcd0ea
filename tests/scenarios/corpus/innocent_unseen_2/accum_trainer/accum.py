import torch
from torch import nn


class AccumTrainer:
    def __init__(self, model, opt, accum):
        self.model, self.opt, self.accum = model, opt, accum
        self.updates = 0
        self.pending = []
        self.curve = []
        self.opt.zero_grad()

    def feed(self, x, y):
        loss = nn.functional.cross_entropy(self.model(x), y)
        (loss / self.accum).backward()
        self.pending.append(loss)
        if len(self.pending) == self.accum:
            self.flush()

    def flush(self):
        if not self.pending:
            return
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        self.opt.zero_grad()
        self.curve.append(torch.stack(self.pending).mean().item())
        self.pending.clear()
        self.updates += 1
