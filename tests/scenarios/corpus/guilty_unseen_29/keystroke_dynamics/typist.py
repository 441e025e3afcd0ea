import torch
import torch.nn as nn


class TypistNet(nn.Module):
    """Elman cell over keystroke timings; one call is one keystroke."""

    def __init__(self, n_in, n_hidden, n_out, batch):
        super().__init__()
        self.i2h = nn.Linear(n_in, n_hidden)
        self.h2h = nn.Linear(n_hidden, n_hidden, bias=False)
        self.h2o = nn.Linear(n_hidden, n_out)
        self.batch = batch
        self.reset()

    def reset(self):
        self.hidden = torch.zeros(self.batch, self.h2h.in_features)

    def forward(self, timing):
        pre = self.i2h(timing) + self.h2h(self.hidden)
        hidden = torch.tanh(pre)
        self.hidden = hidden  # <- culprit
        return self.h2o(hidden)
