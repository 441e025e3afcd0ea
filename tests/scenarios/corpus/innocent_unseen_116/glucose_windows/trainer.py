import math
from contextlib import contextmanager

import torch


def readings(cfg):
    gen = torch.Generator().manual_seed(cfg.seed)
    phase = torch.rand(cfg.patients, generator=gen) * 6.28
    t = 0
    while True:
        base = torch.sin(phase + t / 12.0) + 0.3 * math.sin(t / 40.0)
        nxt = torch.sin(phase + (t + 1) / 12.0) + 0.3 * math.sin((t + 1) / 40.0)
        extra = 0.1 * torch.randn(cfg.patients, cfg.signals - 1, generator=gen)
        yield torch.cat([base.unsqueeze(1), extra], dim=1), nxt
        t += 1


class WindowTrainer:
    def __init__(self, cfg, net):
        self.cfg, self.net = cfg, net
        self.opt = torch.optim.Adam(net.parameters(), lr=cfg.lr)
        self.callbacks = []
        self.done = 0

    def use(self, *cbs):
        self.callbacks.extend(cbs)

    @contextmanager
    def window(self):
        for cb in self.callbacks:
            cb.before_window(self)
        terms = []
        yield terms
        self.opt.zero_grad()
        torch.stack(terms).mean().backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.opt.step()
        self.net.cut()
        self.done += 1
        for cb in self.callbacks:
            cb.after_update(self, terms)

    def fit(self):
        stream = readings(self.cfg)
        for _ in range(self.cfg.updates):
            with self.window() as terms:
                for _ in range(self.cfg.window):
                    x, y = next(stream)
                    terms.append((self.net(x) - y).pow(2).mean())
