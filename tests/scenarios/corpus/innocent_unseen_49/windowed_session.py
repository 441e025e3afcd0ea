# gradwatch-corpus: kind=none
import math

import torch
from torch import nn


class SessionState:
    """Hidden state of a stream; `commit` closes a training window."""

    def __init__(self, width):
        self._h = torch.zeros(1, width)
        self.pending = []

    @property
    def h(self):
        return self._h

    @h.setter
    def h(self, value):
        self._h = value

    def add(self, loss):
        self.pending.append(loss)

    @property
    def full(self):
        return len(self.pending) >= 5

    def commit(self):
        total = torch.stack(self.pending).mean()
        self.pending = []
        self._h = self._h.detach()
        return total


class Predictor(nn.Module):
    def __init__(self, width=20):
        super().__init__()
        self.cell = nn.GRUCell(1, width)
        self.head = nn.Linear(width, 1)

    def forward(self, x, state):
        state.h = self.cell(x, state.h)
        return self.head(state.h)


class OnlineTrainer:
    def __init__(self, model, state, lr):
        self.model, self.state = model, state
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.running = None

    def observe(self, x, target):
        pred = self.model(x, self.state)
        self.state.add((pred - target).abs().mean())
        if self.state.full:
            self._update(self.state.commit())

    def _update(self, loss):
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        value = loss.item()
        self.running = value if self.running is None else 0.9 * self.running + 0.1 * value


def signal(t):
    return math.sin(t / 4) * (1 + 0.3 * math.sin(t / 31))


def main():
    torch.manual_seed(12)
    state = SessionState(20)
    trainer = OnlineTrainer(Predictor(20), state, lr=5e-3)
    for t in range(600):
        trainer.observe(torch.tensor([[signal(t)]]), torch.tensor([[signal(t + 1)]]))
        if t % 100 == 99:
            print(f"t={t + 1} running mae {trainer.running:.4f}")


main()
