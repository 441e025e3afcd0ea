import torch
from torch import nn
from torch.distributions import Categorical


def layer(i, o, gain=2 ** 0.5):
    m = nn.Linear(i, o)
    nn.init.orthogonal_(m.weight, gain)
    nn.init.zeros_(m.bias)
    return m


class ActorCritic(nn.Module):
    def __init__(self, obs_dim, n_actions, width=32):
        super().__init__()
        self.actor = nn.Sequential(layer(obs_dim, width), nn.Tanh(), layer(width, n_actions, 0.01))
        self.critic = nn.Sequential(layer(obs_dim, width), nn.Tanh(), layer(width, 1, 1.0))

    def value(self, obs):
        return self.critic(obs).squeeze(-1)

    def act(self, obs, action=None):
        dist = Categorical(logits=self.actor(obs))
        if action is None:
            action = dist.sample()
        return action, dist.log_prob(action), dist.entropy(), self.value(obs)
