# gradwatch-corpus: kind=none
"""Tide gauge forecasting: a stateful trainer whose memory spans the whole series."""
from abc import ABC, abstractmethod

import torch
from torch import nn


class StateCarrier:
    """Holds recurrent state between chunks, with a cut policy."""

    def __init__(self):
        self._state = None

    @property
    def state(self):
        return self._state

    @state.setter
    def state(self, value):
        self._state = value

    def cut(self):
        if self._state is not None:
            self._state = tuple(s.detach() for s in self._state)


class TideNet(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.cell = nn.LSTMCell(3, hidden)
        self.read = nn.Linear(hidden, 1)

    def forward(self, x, state):
        state = self.cell(x, state)
        return self.read(state[0]), state


class BaseTrainer(ABC):
    def __init__(self, model, lr):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)

    @abstractmethod
    def stream(self):
        ...

    def run(self):
        for obs, target in self.stream():
            self.handle(obs, target)

    def handle(self, obs, target):
        raise NotImplementedError


class TideTrainer(BaseTrainer):
    def __init__(self, model, lr, hours, chunk):
        super().__init__(model, lr)
        self.hours = hours
        self.chunk = chunk
        self.carrier = StateCarrier()
        self.window = []
        self.curve = []

    def stream(self):
        t = torch.arange(self.hours + 1).float()
        tide = torch.sin(t * 0.506) + 0.5 * torch.sin(t * 0.2618)
        for k in range(self.hours):
            phase = t[k] * 0.506
            obs = torch.stack([tide[k], phase.cos(), phase.sin()]).expand(4, 3)
            yield obs + 0.05 * torch.randn(4, 3), tide[k + 1].expand(4, 1)

    def handle(self, obs, target):
        guess, self.carrier.state = self.model(obs, self.carrier.state)
        self.window.append((guess - target).pow(2).mean())
        if len(self.window) == self.chunk:
            self.flush()

    def flush(self):
        loss = torch.stack(self.window).mean()
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        self.window.clear()
        self.carrier.cut()
        self.curve.append(loss.item())


if __name__ == "__main__":
    torch.manual_seed(2)
    trainer = TideTrainer(TideNet(24), lr=0.01, hours=960, chunk=8)
    trainer.run()
    print(f"{len(trainer.curve)} updates, {trainer.curve[0]:.3f} -> {trainer.curve[-1]:.3f}")
