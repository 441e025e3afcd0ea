from dataclasses import dataclass

import torch


@dataclass
class StudySpec:
    seed: int = 77
    members: int = 4
    n_desc: int = 9
    hidden: int = 16
    batch: int = 24
    batches: int = 330
    lr: float = 5e-3


class Study:
    def __init__(self, spec, model, bus):
        self.spec, self.model, self.bus = spec, model, bus
        self.opt = torch.optim.Adam(model.parameters(), lr=spec.lr)

    def one(self, i, x, y):
        out = self.model(x)
        out.nll = self.model.nll(out, y)
        self.opt.zero_grad()
        out.nll.backward()
        self.opt.step()
        self.bus.publish("batch", i, out)  # <- culprit

    def run(self, stream):
        for i, (x, y) in zip(range(self.spec.batches), stream):
            self.one(i, x, y)
