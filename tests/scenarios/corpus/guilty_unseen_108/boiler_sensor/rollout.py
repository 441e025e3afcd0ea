import torch
from torch import nn

from tape import Tape


class Unroller(nn.Module):
    def __init__(self, n_inputs, lags, hidden=24):
        super().__init__()
        self.lags = lags
        self.from_past = nn.Linear(lags, hidden)
        self.from_inputs = nn.Linear(n_inputs, hidden, bias=False)
        self.read = nn.Linear(hidden, 1)

    def forward(self, inputs, oxygen, own_share):
        tape = Tape(oxygen)
        out = []
        for t in range(self.lags, oxygen.shape[1]):
            past = tape.last(t, self.lags)  # <- culprit
            h = torch.tanh(self.from_past(past) + self.from_inputs(inputs[:, t]))
            estimate = past[:, -1] + self.read(h).squeeze(-1)
            tape.write(t, estimate, own_share)  # <- culprit
            out.append(estimate)
        return torch.stack(out, 1)
