import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Normal, kl_divergence


class RSSM(nn.Module):
    def __init__(self, obs_dim, act_dim, deter=32, stoch=8):
        super().__init__()
        self.deter = deter
        self.stoch = stoch
        self.inp = nn.Linear(stoch + act_dim, deter)
        self.gru = nn.GRUCell(deter, deter)
        self.prior = nn.Linear(deter, 2 * stoch)
        self.post = nn.Linear(deter + obs_dim, 2 * stoch)
        self.decoder = nn.Sequential(nn.Linear(deter + stoch, 48), nn.ELU(), nn.Linear(48, obs_dim))

    def initial(self):
        return torch.zeros(self.deter), torch.zeros(self.stoch)

    @staticmethod
    def dist(stats):
        mean, std = stats.chunk(2, -1)
        return Normal(mean, F.softplus(std) + 0.1)

    def observe(self, obs, act, state):
        h, z = state
        recon = 0.0
        kl = 0.0
        for t in range(obs.size(1)):
            x = F.elu(self.inp(torch.cat([z, act[:, t]], -1)))
            h = self.gru(x, h)
            prior = self.dist(self.prior(h))
            post = self.dist(self.post(torch.cat([h, obs[:, t]], -1)))
            z = post.rsample()
            out = self.decoder(torch.cat([h, z], -1))
            recon = recon + F.mse_loss(out, obs[:, t])
            kl = kl + kl_divergence(post, prior).sum(-1).clamp(min=1.0).mean()
        n = obs.size(1)
        return recon / n, kl / n, (h, z)
