from dataclasses import dataclass

import torch
import torch.nn.functional as F


@dataclass
class State:
    step: int = 0
    loss: float = 0.0


class Hook:
    def before_run(self, engine):
        pass

    def after_step(self, engine):
        pass


class PrintEvery(Hook):
    def __init__(self, every):
        self.every = every

    def after_step(self, engine):
        if engine.state.step % self.every == 0:
            print(engine.state)


class OptimHook(Hook):
    def before_run(self, engine):
        engine.optim.zero_grad()  # <- culprit

    def after_step(self, engine):
        torch.nn.utils.clip_grad_value_(engine.model.parameters(), 5.0)
        engine.optim.step()  # <- culprit


class Engine:
    def __init__(self, model, hooks):
        self.model = model
        self.optim = torch.optim.SGD(model.parameters(), lr=0.01)
        self.hooks = [OptimHook(), *hooks]
        self.state = State()

    def run(self, stream, steps):
        for hook in self.hooks:
            hook.before_run(self)
        for step, (columns, click) in zip(range(steps), stream):
            loss = F.binary_cross_entropy_with_logits(self.model(columns), click)
            loss.backward()  # <- culprit
            self.state = State(step, loss.item())
            for hook in self.hooks:
                hook.after_step(self)
