import torch
from torch import nn
from torch.distributions import Categorical


class Policy(nn.Module):
    def __init__(self, n_obs, n_act):
        super().__init__()
        self.affine = nn.Linear(n_obs, 32)
        self.action_head = nn.Linear(32, n_act)
        self.value_head = nn.Linear(32, 1)
        self.saved_actions = []
        self.rewards = []

    def forward(self, x):
        x = torch.relu(self.affine(x))
        return Categorical(logits=self.action_head(x)), self.value_head(x).squeeze(-1)

    def select_action(self, obs):
        dist, value = self(obs)
        action = dist.sample()
        self.saved_actions.append((dist.log_prob(action), value))
        return action.item()

    @torch.no_grad()
    def values(self):
        return torch.stack([v for _, v in self.saved_actions])

    def clear(self):
        del self.saved_actions[:]
        del self.rewards[:]
