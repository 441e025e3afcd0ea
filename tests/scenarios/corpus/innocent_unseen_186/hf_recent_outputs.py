# gradwatch-corpus: kind=none
"""Trainer with callbacks that look at recent outputs and log history."""
from collections import deque
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class Args:
    max_steps: int = 500
    logging_steps: int = 25
    lr: float = 2e-3


@dataclass
class State:
    global_step: int = 0
    recent: deque = field(default_factory=lambda: deque(maxlen=16))
    log_history: list = field(default_factory=list)
    best: float = float("inf")


class Callback:
    def on_step_end(self, args, state):
        pass


class RecentVariance(Callback):
    def __init__(self):
        self.history = []

    def on_step_end(self, args, state):
        if state.global_step % args.logging_steps == 0:
            self.history.append(torch.stack([o["loss"] for o in state.recent]).var().item())


class BestLoss(Callback):
    def __init__(self):
        self.snapshots = []

    def on_step_end(self, args, state):
        value = state.recent[-1]["loss"]
        if value < state.best:
            state.best = value.item()
            self.snapshots.append((state.global_step, value.detach().clone()))


class Denoiser(nn.Module):
    def __init__(self, n=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n, 48), nn.SiLU(), nn.Linear(48, n))

    def forward(self, noisy, clean):
        pred = self.net(noisy)
        return {"loss": F.mse_loss(pred, clean), "pred": pred}


class Trainer:
    def __init__(self, model, args, callbacks):
        self.model, self.args, self.callbacks, self.state = model, args, callbacks, State()
        self.opt = torch.optim.AdamW(model.parameters(), lr=args.lr)

    def training_step(self, noisy, clean):
        out = self.model(noisy, clean)
        self.opt.zero_grad()
        out["loss"].backward()
        self.opt.step()
        return out

    def train(self, data):
        for noisy, clean in data:
            self.state.recent.append(self.training_step(noisy, clean))
            self.state.global_step += 1
            for cb in self.callbacks:
                cb.on_step_end(self.args, self.state)
            if self.state.global_step % self.args.logging_steps == 0:
                self.state.log_history.append({"step": self.state.global_step, "best": self.state.best})
            if self.state.global_step >= self.args.max_steps:
                return


def signals(seed=3):
    g = torch.Generator().manual_seed(seed)
    t = torch.linspace(0, 6.28, 24)
    while True:
        clean = torch.sin(t * (1 + torch.rand(32, 1, generator=g)))
        yield clean + 0.3 * torch.randn(clean.shape, generator=g), clean


if __name__ == "__main__":
    torch.manual_seed(0)
    var = RecentVariance()
    trainer = Trainer(Denoiser(), Args(), [var, BestLoss()])
    trainer.train(signals())
    print(trainer.state.log_history[-1], var.history[-3:])
