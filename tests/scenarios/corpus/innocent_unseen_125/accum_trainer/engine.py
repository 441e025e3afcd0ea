from collections import defaultdict
from dataclasses import dataclass
import torch


@dataclass
class EngineConfig:
    accumulate: int = 1
    clip: float = 0.0
    updates: int = 100


class AccumulatingEngine:
    def __init__(self, cfg, model, opt):
        self.cfg, self.model, self.opt = cfg, model, opt
        self.handlers = defaultdict(list)
        self.micro = []
        self.n_updates = 0
        self.window_mean = float("nan")

    def on(self, event):
        def deco(fn):
            self.handlers[event].append(fn)
            return fn
        return deco

    def fire(self, event):
        for fn in self.handlers[event]:
            fn(self)

    def run(self, source):
        while self.n_updates < self.cfg.updates:
            self.micro.append(self.model.loss(*source()))
            if len(self.micro) < self.cfg.accumulate:
                continue
            mean = torch.stack(self.micro).mean()
            self.opt.zero_grad()
            mean.backward()
            if self.cfg.clip:
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg.clip)
            self.opt.step()
            self.window_mean = mean.item()
            self.micro.clear()
            self.n_updates += 1
            self.fire("update")
