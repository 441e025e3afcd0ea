# gradwatch-corpus: kind=none
from dataclasses import dataclass
from typing import Optional, Tuple

import torch

torch.set_num_threads(1)
from torch import nn

torch.manual_seed(12)


@dataclass
class Carry:
    state: Optional[Tuple[torch.Tensor, torch.Tensor]] = None

    def cut(self):
        if self.state is not None:
            self.state = tuple(s.detach() for s in self.state)


class Callback:
    def before_batch(self, t): ...
    def after_batch(self, t): ...


class CutCarry(Callback):
    def before_batch(self, t):
        t.carry.cut()


class Best(Callback):
    best = float("inf")

    def after_batch(self, t):
        self.best = min(self.best, t.last)


class Trainer:
    def __init__(self, callbacks):
        self.emb, self.rnn, self.out = nn.Embedding(14, 8), nn.LSTM(8, 12, batch_first=True), nn.Linear(12, 14)
        self.params = [*self.emb.parameters(), *self.rnn.parameters(), *self.out.parameters()]
        self.opt = torch.optim.Adam(self.params, 4e-3)
        self.carry, self.callbacks, self.last = Carry(), callbacks, 0.0

    def batch(self, pages):
        y, self.carry.state = self.rnn(self.emb(pages[:, :-1]), self.carry.state)
        loss = nn.functional.cross_entropy(self.out(y).flatten(0, 1), pages[:, 1:].flatten())
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.last = loss.item()

    def fit(self, source):
        for pages in source:
            for c in self.callbacks:
                c.before_batch(self)
            self.batch(pages)
            for c in self.callbacks:
                c.after_batch(self)


def visits(chunks, lanes=5, span=10):
    start = torch.randint(0, 14, (lanes, 1))
    for i in range(chunks):
        t = torch.arange(i * span, (i + 1) * span + 1)
        yield (start + t + t // 3) % 14


best = Best()
Trainer([CutCarry(), best]).fit(visits(1200))
print("best", round(best.best, 4))
