from collections import defaultdict
from dataclasses import dataclass

import torch


@dataclass
class Schedule:
    total: int
    log_every: int


class Engine:
    def __init__(self, model, assays, schedule, lr=2e-3):
        self.model = model
        self.assays = assays
        self.schedule = schedule
        self.opt = torch.optim.AdamW(model.parameters(), lr=lr)
        self.it = 0
        self.curves = defaultdict(list)

    def active(self):
        return [a for a in self.assays if self.it >= a.starts_at]

    def accumulate(self, z, batch):
        """Adds every active assay's gradient; one at a time to keep head activations short-lived."""
        for assay in self.active():
            loss = assay.loss(self.model, z, batch)
            loss.backward()  # <- culprit
            self.curves[assay.name].append(loss.item())

    def step(self, batch):
        self.opt.zero_grad()
        z = self.model.features(batch["x"])
        self.accumulate(z, batch)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 2.0)
        self.opt.step()
        if self.it % self.schedule.log_every == 0:
            print(self.it, self.summary())
        self.it += 1

    def summary(self):
        return {k: round(sum(v[-5:]) / len(v[-5:]), 4) for k, v in self.curves.items()}
