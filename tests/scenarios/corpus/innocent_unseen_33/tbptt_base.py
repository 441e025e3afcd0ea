# gradwatch-corpus: kind=none
"""Stateful LSTM over a long signal, trained chunk after chunk."""
from abc import ABC, abstractmethod

import torch
import torch.nn as nn


def cut(tree):
    if isinstance(tree, torch.Tensor):
        return tree.detach()
    return type(tree)(cut(t) for t in tree)


class Stateful(nn.Module, ABC):
    """Carries `self.state` from call to call; subclasses define `unroll`."""

    def __init__(self):
        super().__init__()
        self.__dict__["_state"] = None

    @property
    def state(self):
        return self._state

    @state.setter
    def state(self, value):
        self.__dict__["_state"] = None if value is None else cut(value)

    @abstractmethod
    def unroll(self, x, state):
        ...

    def forward(self, x):
        y, self.state = self.unroll(x, self.state)
        return y


class SignalLSTM(Stateful):
    def __init__(self, hidden=24):
        super().__init__()
        self.lstm = nn.LSTM(1, hidden, num_layers=2, batch_first=True)
        self.read = nn.Linear(hidden, 1)

    def unroll(self, x, state):
        y, state = self.lstm(x, state)
        return self.read(y), state


def signal(batch=6, length=1800):
    t = torch.arange(length).float()
    freq = 0.02 + 0.05 * torch.rand(batch, 1)
    s = torch.sin(freq * t) + 0.5 * torch.sin(2.7 * freq * t + 1.0)
    return (s + 0.05 * torch.randn(batch, length)).unsqueeze(-1)


def chunks(x, size):
    for lo in range(0, x.size(1) - size, size):
        yield x[:, lo:lo + size], x[:, lo + 1:lo + size + 1]


def main():
    torch.manual_seed(0)
    model = SignalLSTM()
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    data = signal()
    hidden_norms = []
    for i, (x, y) in enumerate(chunks(data, 20)):
        loss = (model(x) - y).square().mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        hidden_norms.append(model.state[0].norm().item())
        if i % 20 == 0:
            print(f"chunk {i:3d} loss {loss.item():.4f} |h| {hidden_norms[-1]:.2f}")


if __name__ == "__main__":
    main()
