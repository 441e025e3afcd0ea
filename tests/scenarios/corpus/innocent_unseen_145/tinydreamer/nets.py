import torch
from torch import nn


class WorldModel(nn.Module):
    def __init__(self, obs=2, act=1, h=12, z=4):
        super().__init__()
        self.h, self.z = h, z
        self.gru = nn.GRUCell(z + act, h)
        self.prior = nn.Linear(h, 2 * z)
        self.post = nn.Linear(h + obs, 2 * z)
        self.dec = nn.Linear(h + z, obs)
        self.rew = nn.Linear(h + z, 1)

    @staticmethod
    def dist(p):
        mu, s = p.chunk(2, -1)
        return torch.distributions.Normal(mu, nn.functional.softplus(s) + 0.1)

    def start(self, n):
        return torch.zeros(n, self.h), torch.zeros(n, self.z)

    def obs_step(self, state, act, obs):
        h = self.gru(torch.cat([state[1], act], -1), state[0])
        prior, post = self.dist(self.prior(h)), self.dist(self.post(torch.cat([h, obs], -1)))
        return (h, post.rsample()), prior, post

    def img_step(self, state, act):
        h = self.gru(torch.cat([state[1], act], -1), state[0])
        return h, self.dist(self.prior(h)).rsample()


def mlp(i, o):
    return nn.Sequential(nn.Linear(i, 16), nn.ELU(), nn.Linear(16, o))
