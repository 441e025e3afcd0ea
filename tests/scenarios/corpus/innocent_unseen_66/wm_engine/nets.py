import torch
from torch import nn
from torch.distributions import Normal, kl_divergence


class WorldModel(nn.Module):
    """A small RSSM: deterministic GRU state and a gaussian stochastic state."""

    def __init__(self, obs, deter, stoch):
        super().__init__()
        self.deter, self.stoch = deter, stoch
        self.embed = nn.Sequential(nn.Linear(obs, 32), nn.ELU())
        self.gru = nn.GRUCell(stoch, deter)
        self.prior = nn.Linear(deter, 2 * stoch)
        self.post = nn.Linear(deter + 32, 2 * stoch)
        self.decode = nn.Sequential(nn.Linear(deter + stoch, 48), nn.ELU(), nn.Linear(48, obs))

    @staticmethod
    def gaussian(raw):
        mean, std = raw.chunk(2, -1)
        return Normal(mean, nn.functional.softplus(std) + 0.1)

    def forward(self, clip):
        b, t, _ = clip.shape
        h, z = clip.new_zeros(b, self.deter), clip.new_zeros(b, self.stoch)
        recon, kl = [], []
        for k in range(t):
            h = self.gru(z, h)
            prior = self.gaussian(self.prior(h))
            post = self.gaussian(self.post(torch.cat([h, self.embed(clip[:, k])], -1)))
            z = post.rsample()
            recon.append((self.decode(torch.cat([h, z], -1)) - clip[:, k]).square().sum(-1))
            kl.append(kl_divergence(post, prior).sum(-1))
        return {"recon": torch.stack(recon).mean(), "kl": torch.stack(kl).mean().clamp_min(0.5)}
