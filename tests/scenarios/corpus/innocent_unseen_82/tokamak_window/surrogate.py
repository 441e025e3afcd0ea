from dataclasses import dataclass, fields

import torch
from torch import nn


@dataclass(frozen=True)
class PlasmaState:
    h: torch.Tensor
    c: torch.Tensor
    diag: torch.Tensor

    def leaf(self):
        return PlasmaState(*(getattr(self, f.name).detach().requires_grad_() for f in fields(self)))

    def tensors(self):
        return [getattr(self, f.name) for f in fields(self)]


class PlasmaCell(nn.Module):
    def __init__(self, n_act, n_diag, hidden):
        super().__init__()
        self.lstm = nn.LSTMCell(n_act + n_diag, hidden)
        self.delta = nn.Linear(hidden, n_diag)
        self.hidden, self.n_diag = hidden, n_diag

    def initial(self, shots):
        z = torch.zeros(shots, self.hidden)
        return PlasmaState(z, z.clone(), torch.full((shots, self.n_diag), 0.5))

    def forward(self, act, state):
        h, c = self.lstm(torch.cat([act, state.diag], 1), (state.h, state.c))
        return PlasmaState(h, c, state.diag + 0.2 * self.delta(h))
