from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

from baselines import NoBaseline, SmoothedValue

if TYPE_CHECKING:
    from trainer import BanditTrainer


class Callback:
    _trainer: "weakref.ReferenceType[BanditTrainer]"

    def bind(self, trainer: "BanditTrainer") -> None:
        self._trainer = weakref.ref(trainer)

    @property
    def trainer(self) -> "BanditTrainer":
        t = self._trainer()
        assert t is not None
        return t

    def after_step(self, step: int) -> None: ...


class PeriodicEval(Callback):
    def __init__(self, every: int) -> None:
        self.every = every

    def after_step(self, step: int) -> None:
        if (step + 1) % self.every:
            return
        t = self.trainer
        ctx = t.env.contexts()
        score = t.env.reward(ctx, t.agent.greedy(ctx)).mean().item()
        if isinstance(t.baseline, NoBaseline):
            t.baseline = SmoothedValue(score)
        t.scores.append(score)


class PrintProgress(Callback):
    def __init__(self, every: int) -> None:
        self.every = every

    def after_step(self, step: int) -> None:
        if step % self.every == 0:
            print(f"step {step:4d} reward {self.trainer.last_reward:.3f}")
