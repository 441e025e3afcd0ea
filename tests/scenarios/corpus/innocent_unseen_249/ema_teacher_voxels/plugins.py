import copy
from typing import Protocol

import torch


class EnginePlugin(Protocol):
    def setup(self, engine) -> None: ...

    def after_update(self, engine, step, loss) -> None: ...


class EmaTeacher:
    def __init__(self, decay):
        self.decay = decay
        self.shadow = None
        self.level = None

    def setup(self, engine):
        self.shadow = copy.deepcopy(engine.student)
        self.shadow.requires_grad_(False)
        self.shadow.eval()

    def __call__(self, x):
        return self.shadow(x)

    @torch.no_grad()
    def after_update(self, engine, step, loss):
        if self.level is None:
            self.level = loss.clone()
        self.level = self.decay * self.level + (1 - self.decay) * loss
        for slow, fast in zip(self.shadow.parameters(), engine.student.parameters()):
            slow.lerp_(fast, 1 - self.decay)


class TopCheckpoints:
    def __init__(self, keep, every):
        self.keep = keep
        self.every = every
        self.kept = []

    def setup(self, engine):
        self.kept.clear()

    def after_update(self, engine, step, loss):
        if (step + 1) % self.every:
            return
        state = copy.deepcopy(engine.student.state_dict())
        self.kept.append((loss.item(), step, state))
        self.kept.sort(key=lambda entry: entry[0])
        del self.kept[self.keep:]
