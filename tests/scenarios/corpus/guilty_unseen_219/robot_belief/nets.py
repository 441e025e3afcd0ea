import torch
import torch.nn as nn
import torch.nn.functional as F


class RSSM(nn.Module):
    def __init__(self, obs, act, deter=48, stoch=12):
        super().__init__()
        self.deter, self.stoch = deter, stoch
        self.pre = nn.Linear(stoch + act, deter)
        self.cell = nn.GRUCell(deter, deter)
        self.prior = nn.Linear(deter, 2 * stoch)
        self.post = nn.Linear(deter + obs, 2 * stoch)
        self.decoder = nn.Sequential(nn.Linear(deter + stoch, 64), nn.ELU(), nn.Linear(64, obs))
        self.reward = nn.Sequential(nn.Linear(deter + stoch, 32), nn.ELU(), nn.Linear(32, 1))

    def initial(self, n):
        return torch.zeros(n, self.deter), torch.zeros(n, self.stoch)

    @staticmethod
    def split(stats):
        mean, std = stats.chunk(2, -1)
        return mean, F.softplus(std) + 0.1

    def observe(self, belief, action, obs):
        h, z = belief
        h = self.cell(F.elu(self.pre(torch.cat([z, action], -1))), h)
        prior = self.split(self.prior(h))
        post = self.split(self.post(torch.cat([h, obs], -1)))
        z = post[0] + post[1] * torch.randn_like(post[0])
        return (h, z), prior, post


def kl_normal(p, q):
    pm, ps = p
    qm, qs = q
    return (torch.log(qs / ps) + (ps ** 2 + (pm - qm) ** 2) / (2 * qs ** 2) - 0.5).sum(-1)


class Actor(nn.Module):
    def __init__(self, feat, act):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(feat, 32), nn.Tanh(), nn.Linear(32, act))

    def forward(self, feat):
        return torch.tanh(self.net(feat))
