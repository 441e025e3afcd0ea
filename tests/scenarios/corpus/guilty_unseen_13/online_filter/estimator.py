import torch
from torch import nn


class Estimator(nn.Module):
    """Leaky tanh units between measurement and prediction of the next one."""

    def __init__(self, n_obs, n_state, leak=0.4):
        super().__init__()
        self.w_in = nn.Linear(n_obs, n_state)
        self.w_rec = nn.Linear(n_state, n_state, bias=False)
        self.w_out = nn.Linear(n_state, n_obs)
        nn.init.orthogonal_(self.w_rec.weight, gain=0.9)
        self.leak = leak
        self.state = torch.zeros(1, n_state)

    def forward(self, y):
        drive = torch.tanh(self.w_in(y.unsqueeze(0)) + self.w_rec(self.state))
        self.state = (1 - self.leak) * self.state + self.leak * drive  # <- culprit
        return y + self.w_out(self.state).squeeze(0)
