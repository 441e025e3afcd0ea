import torch
from torch import nn
from torch.distributions import Normal, kl_divergence
import torch.nn.functional as F


class WorldModel(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        self.cell = nn.GRUCell(cfg.stoch + cfg.act_dim, cfg.deter)
        self.prior = nn.Linear(cfg.deter, 2 * cfg.stoch)
        self.post = nn.Linear(cfg.deter + cfg.obs_dim, 2 * cfg.stoch)
        self.decoder = nn.Sequential(nn.Linear(cfg.deter + cfg.stoch, 32), nn.ELU(), nn.Linear(32, cfg.obs_dim))
        self.reward = nn.Linear(cfg.deter + cfg.stoch, 1)

    @staticmethod
    def _dist(stats):
        mean, raw = stats.chunk(2, -1)
        return Normal(mean, F.softplus(raw) + 0.1)

    def losses(self, obs, act, rew):
        batch, horizon = rew.shape
        deter = obs.new_zeros(batch, self.cfg.deter)
        stoch = obs.new_zeros(batch, self.cfg.stoch)
        feats, kls = [], []
        for t in range(horizon):
            deter = self.cell(torch.cat([stoch, act[:, t]], -1), deter)
            prior = self._dist(self.prior(deter))
            post = self._dist(self.post(torch.cat([deter, obs[:, t]], -1)))
            stoch = post.rsample()
            feats.append(torch.cat([deter, stoch], -1))
            kls.append(kl_divergence(post, prior).sum(-1))
        feat = torch.stack(feats, 1)
        kl = torch.stack(kls, 1).mean()
        return {
            "recon": F.mse_loss(self.decoder(feat), obs),
            "reward": F.mse_loss(self.reward(feat).squeeze(-1), rew),
            "kl": kl.clamp(min=self.cfg.free_nats),
        }
