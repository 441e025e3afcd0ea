import warnings
from dataclasses import dataclass, fields

import torch


@dataclass
class Knobs:
    lr: float = 1e-3
    low_memory_from: int = 0
    steps: int = 100
    clip: float = 1.0

    @classmethod
    def parse(cls, raw):
        known = {f.name for f in fields(cls)}
        return cls(**{k: v for k, v in raw.items() if k in known})


class Runtime:
    def __init__(self, model, knobs):
        self.model, self.knobs = model, knobs
        self.opt = torch.optim.AdamW(model.parameters(), lr=knobs.lr)
        self.done = 0
        self.trail = []
        warnings.simplefilter("ignore")

    @property
    def running(self):
        return self.done < self.knobs.steps

    def advance(self, temp, flow):
        self.model.low_memory = self.done >= self.knobs.low_memory_from
        miss = (self.model(temp) - flow).abs().mean()
        self.opt.zero_grad()
        miss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.knobs.clip)
        self.opt.step()
        self.trail.append(float(miss))
        self.done += 1
