import torch
import torch.nn as nn
from torch.distributions import Normal, kl_divergence


class RSSM(nn.Module):
    def __init__(self, obs_dim, act_dim, deter=32, stoch=8):
        super().__init__()
        self.deter, self.stoch = deter, stoch
        self.cell = nn.GRUCell(stoch + act_dim, deter)
        self.prior = nn.Linear(deter, 2 * stoch)
        self.post = nn.Sequential(nn.Linear(deter + obs_dim, 48), nn.ELU(), nn.Linear(48, 2 * stoch))
        self.decoder = nn.Sequential(nn.Linear(deter + stoch, 48), nn.ELU(), nn.Linear(48, obs_dim))

    def initial(self, n):
        return torch.zeros(n, self.deter), torch.zeros(n, self.stoch)

    @staticmethod
    def dist(stats):
        mean, raw = stats.chunk(2, -1)
        return Normal(mean, nn.functional.softplus(raw) + 0.1)

    def observe(self, obs, act, resets, state):
        h, z = state
        recon, kl = [], []
        for o, a, r in zip(obs, act, resets):
            keep = (~r).float()[:, None]
            h, z = h * keep, z * keep
            h = self.cell(torch.cat([z, a], -1), h)
            prior = self.dist(self.prior(h))
            post = self.dist(self.post(torch.cat([h, o], -1)))
            z = post.rsample()
            kl.append(kl_divergence(post, prior).sum(-1))
            recon.append(self.decoder(torch.cat([h, z], -1)))
        return torch.stack(recon), torch.stack(kl), (h, z)


class WorldModelLearner:
    def __init__(self, obs_dim, act_dim, lr=1e-3, free_nats=1.0):
        self.rssm = RSSM(obs_dim, act_dim)
        self.opt = torch.optim.Adam(self.rssm.parameters(), lr=lr, eps=1e-5)
        self.free_nats = free_nats
        self.state = None

    def update(self, obs, act, resets):
        if self.state is None:
            self.state = self.rssm.initial(obs.shape[1])
        recon, kl, self.state = self.rssm.observe(obs, act, resets, self.state)  # <- culprit
        rec_loss = (recon - obs).pow(2).sum(-1).mean()
        kl_loss = kl.mean().clamp(min=self.free_nats)
        loss = rec_loss + 0.5 * kl_loss
        self.opt.zero_grad()
        loss.backward()
        gn = nn.utils.clip_grad_norm_(self.rssm.parameters(), 10.0)
        self.opt.step()
        return {"recon": rec_loss.item(), "kl": kl.mean().item(), "grad_norm": gn.item()}
