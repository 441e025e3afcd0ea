import torch
from torch import nn


class DiagonalSSM(nn.Module):
    """h' = a * h + B x, y = C h + D x with a in (0, 1)."""

    def __init__(self, taps, states):
        super().__init__()
        self.raw_pole = nn.Parameter(torch.linspace(-1.0, 4.0, states))
        self.b = nn.Linear(taps, states, bias=False)
        self.c = nn.Linear(states, 1, bias=False)
        self.d = nn.Linear(taps, 1)
        nn.init.normal_(self.c.weight, std=0.05)

    def poles(self):
        return torch.sigmoid(self.raw_pole)

    def initial_state(self, channels):
        return torch.zeros(channels, self.raw_pole.numel())

    def forward(self, frames, state):
        # frames: time, channel, taps
        a = self.poles()
        drive = self.b(frames) * (1 - a)
        path = []
        for u in drive:
            state = a * state + u
            path.append(state)
        return (self.c(torch.stack(path)) + self.d(frames)).squeeze(-1), state
