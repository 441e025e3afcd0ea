import torch
from torch.nn.functional import cross_entropy
from torch.nn.utils import clip_grad_norm_

from lm import repackage


class Trainer:
    def __init__(self, model, opt, bptt, clip, callbacks):
        self.model, self.opt = model, opt
        self.bptt, self.clip = bptt, clip
        self.callbacks = callbacks
        self.epoch = 0

    def _epoch(self, corpus):
        self.model.train()
        state = None
        for x, y in corpus.windows(corpus.train, self.bptt):
            state = repackage(state)
            logits, state = self.model(x, state)
            loss = cross_entropy(logits.flatten(0, 1), y.flatten())
            self.opt.zero_grad()
            loss.backward()
            clip_grad_norm_(self.model.parameters(), self.clip)
            self.opt.step()
            for cb in self.callbacks:
                cb.on_step(self, loss.item())

    @torch.no_grad()
    def evaluate(self, corpus):
        self.model.eval()
        state, total, n = None, 0.0, 0
        for x, y in corpus.windows(corpus.valid, self.bptt):
            logits, state = self.model(x, state)
            total += cross_entropy(logits.flatten(0, 1), y.flatten(), reduction="sum").item()
            n += y.numel()
        return total / n

    def fit(self, corpus, epochs):
        for self.epoch in range(epochs):
            self._epoch(corpus)
            val = self.evaluate(corpus)
            for cb in self.callbacks:
                cb.on_epoch(self, val)
