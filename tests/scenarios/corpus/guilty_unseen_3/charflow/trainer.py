import math

import torch
from torch import nn

from .memory import Memory, cut


class PlainSGD(torch.optim.Optimizer):
    def __init__(self, params, lr, clip=1.0):
        super().__init__(params, dict(lr=lr, clip=clip))

    def step(self, closure=None):
        for g in self.param_groups:
            for p in g["params"]:
                p.data.add_(p.grad.data.clamp(-g["clip"], g["clip"]), alpha=-g["lr"])


class WindowTrainer:
    def __init__(self, vocab, lr, width=20, lanes=4):
        self.emb = nn.Embedding(vocab, width)
        self.cell = nn.LSTMCell(width, width)
        self.out = nn.Linear(width, vocab)
        self.params = [*self.emb.parameters(), *self.cell.parameters(), *self.out.parameters()]
        self.sgd = PlainSGD(self.params, lr)
        self.memory = Memory(torch.zeros(lanes, width), torch.zeros(lanes, width))

    def window(self, chars, following):
        memory = self.memory = cut(self.memory)  # <- culprit
        nll = 0.0
        for x, y in zip(chars.unbind(1), following.unbind(1)):
            memory = Memory(*self.cell(self.emb(x), memory))
            nll = nll + nn.functional.cross_entropy(self.out(memory.hidden), y)
        self.memory = memory
        return nll / chars.shape[1]

    def epoch(self, stream):
        total = n = 0
        for chars, following in stream:
            nll = self.window(chars, following)
            self.sgd.zero_grad()
            nll.backward(retain_graph=True)  # <- culprit
            self.sgd.step()
            total, n = total + nll.item(), n + 1
        return math.exp(total / n)
