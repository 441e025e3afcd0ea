import torch
from torch import nn


class StateMixin:
    _state = None

    @property
    def state(self):
        return self._state

    @state.setter
    def state(self, value):
        self._state = value

    def cut(self):
        if self._state is not None:
            self._state = self._state.detach()


class FermentNet(StateMixin, nn.Module):
    def __init__(self, width):
        super().__init__()
        self.gru = nn.GRU(2, width)
        self.read = nn.Linear(width, 1)

    def forward(self, probe):
        seq, self.state = self.gru(probe, self.state)
        return self.read(seq[:, 0])


class FermentTracker:
    def __init__(self, width, unroll):
        self.net, self.unroll = FermentNet(width), unroll
        self.opt = torch.optim.Adam(self.net.parameters(), lr=5e-3)

    def step(self, probe, gravity):
        self.net.cut()
        loss = nn.functional.mse_loss(self.net(probe), gravity)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()
