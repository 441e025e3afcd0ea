import torch
from torch import nn
from torch.distributions import Categorical


class Policy(nn.Module):
    def __init__(self, n_obs, n_act):
        super().__init__()
        self.affine1 = nn.Linear(n_obs, 32)
        self.dropout = nn.Dropout(p=0.1)
        self.affine2 = nn.Linear(32, n_act)
        self.saved_log_probs = []
        self.rewards = []

    def forward(self, x):
        x = torch.relu(self.dropout(self.affine1(x)))
        return self.affine2(x)

    def select(self, s):
        m = Categorical(logits=self(s))
        a = m.sample()
        self.saved_log_probs.append(m.log_prob(a))
        return a.item()
