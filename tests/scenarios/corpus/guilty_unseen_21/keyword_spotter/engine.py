"""The loop. Everything optional lives in callbacks."""
from dataclasses import dataclass, field

import torch


@dataclass
class State:
    step: int = 0
    batch_size: int = 0
    metrics: dict = field(default_factory=dict)


class Callback:
    def on_fit_start(self, state):
        pass

    def on_step_start(self, state):
        pass

    def on_step_end(self, state):
        pass


class Trainer:
    def __init__(self, system, optimizer, callbacks, max_steps, clip=None):
        self.system = system
        self.optimizer = optimizer
        self.callbacks = list(callbacks)
        self.max_steps = max_steps
        self.clip = clip
        self.state = State()

    def _emit(self, event):
        for callback in self.callbacks:
            getattr(callback, event)(self.state)

    def fit(self, stream):
        self.system.train()
        self._emit("on_fit_start")
        for batch in stream:
            if self.state.step >= self.max_steps:
                break
            self._emit("on_step_start")
            self._step(batch)
            self._emit("on_step_end")
            self.state.step += 1
        return self.state

    def _step(self, batch):
        loss, metrics = self.system.training_step(batch)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        if self.clip is not None:
            torch.nn.utils.clip_grad_norm_(self.system.parameters(), self.clip)
        self.optimizer.step()
        self.state.batch_size = len(batch[1])
        self.state.metrics = metrics
