import torch.nn as nn
import torch.nn.functional as F


class ActorCritic(nn.Module):
    def __init__(self, n_states, n_actions, hidden=32):
        super().__init__()
        self.embed = nn.Embedding(n_states, hidden)
        self.body = nn.Linear(hidden, hidden)
        self.pi = nn.Linear(hidden, n_actions)
        self.v = nn.Linear(hidden, 1)

    def forward(self, s):
        h = F.relu(self.body(self.embed(s)))
        return F.softmax(self.pi(h), dim=-1), self.v(h).squeeze(-1)
