import torch
from torch import nn


class Integrator(nn.Module):
    """Linear memory (diagonal, fixed) with a learned nonlinear drive."""

    def __init__(self, n_in, n_state):
        super().__init__()
        self.drive = nn.Linear(n_in, n_state)
        self.gate = nn.Linear(n_in, n_state)
        self.read = nn.Linear(n_state, 1)
        self.register_buffer("keep", torch.linspace(0.5, 0.97, n_state))

    def blank(self, n):
        return torch.zeros(n, self.read.in_features)

    def forward(self, x, state):
        push = torch.tanh(self.drive(x)) * torch.sigmoid(self.gate(x))
        state = torch.addcmul(push, self.keep.expand_as(state), state)
        return self.read(state).squeeze(1), state
