from dataclasses import dataclass, field
from typing import Any, Dict

import torch


@dataclass
class Schedule:
    total: int
    log_every: int


@dataclass
class State:
    iteration: int = 0
    losses: Dict[str, Any] = field(default_factory=dict)
    pending: list = field(default_factory=list)


class Hook:
    def on_losses(self, engine):
        pass

    def on_iteration_end(self, engine):
        pass


class Engine:
    def __init__(self, model, hooks, schedule):
        self.model, self.hooks, self.schedule = model, hooks, schedule
        self.opt = torch.optim.Adam(model.parameters(), lr=3e-3)
        self.state = State()

    def call(self, event):
        for hook in self.hooks:
            getattr(hook, event)(self)

    def fit(self, source):
        for clip in source:
            if self.state.iteration >= self.schedule.total:
                break
            self.state.losses = self.model(clip)
            self.call("on_losses")
            self.state.pending.append(self.state.losses["recon"] + self.state.losses["kl"])
            self.call("on_iteration_end")
            self.state.iteration += 1
