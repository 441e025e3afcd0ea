import math

import torch
import torch.nn.functional as F


class Meter:
    def __init__(self):
        self.values = []

    def add(self, v):
        self.values.append(v)

    def mean(self, last):
        tail = self.values[-last:]
        return sum(tail) / len(tail)


class HookedTrainer:
    def __init__(self, cfg, model):
        self.cfg, self.model = cfg, model
        self.opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
        self.meter = Meter()

    def on_window_start(self, w): ...
    def on_window_end(self, w): ...

    def fit(self, windows):
        for w in range(self.cfg.windows):
            self.on_window_start(w)
            loss = self.window_loss(next(windows))
            self.opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg.norm)
            self.opt.step()
            self.meter.add(loss.item() / math.log(2))
            self.on_window_end(w)


class TbpttTrainer(HookedTrainer):
    def on_window_start(self, w):
        if w % self.cfg.reset_every == 0:
            self.model.forget()
        self.model.begin_window()

    def on_window_end(self, w):
        if w % 110 == 0:
            print(f"window {w}: {self.meter.mean(20):.3f} bits")

    def window_loss(self, seq):
        losses = []
        for now, nxt in zip(seq[:-1], seq[1:]):
            losses.append(F.cross_entropy(self.model(now), nxt))
        return torch.stack(losses).mean()
