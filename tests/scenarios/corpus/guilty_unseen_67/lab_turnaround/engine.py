from dataclasses import dataclass, field

import torch
from torch import Tensor
from torch.nn import functional as F


@dataclass
class StepResult:
    logits: Tensor
    target: Tensor
    loss: Tensor = field(init=False)

    def __post_init__(self):
        self.loss = F.cross_entropy(self.logits, self.target, label_smoothing=0.05)

    def accuracy(self):
        return (self.logits.argmax(-1) == self.target).float().mean().item()

    def as_logs(self):
        return {"loss": self.loss, "accuracy": self.accuracy()}  # <- culprit


class Engine:
    def __init__(self, model, optimizer, callbacks=()):
        self.model, self.optimizer = model, optimizer
        self.callbacks = list(callbacks)
        self.stop = False

    def emit(self, event, **kw):
        for cb in self.callbacks:
            getattr(cb, event)(self, **kw)

    def train_step(self, batch):
        bench, features, late = batch
        self.optimizer.zero_grad(set_to_none=True)
        result = StepResult(self.model(bench, features), late)
        result.loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 2.0)
        self.optimizer.step()
        return result.as_logs()

    def fit(self, stream):
        self.model.train()
        for step, batch in enumerate(stream):
            self.emit("on_step_end", step=step, logs=self.train_step(batch))
            if self.stop:
                break
        self.emit("on_fit_end")
