import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Normal, kl_divergence


def head(i, o, h=32):
    return nn.Sequential(nn.Linear(i, h), nn.ELU(), nn.Linear(h, o))


def to_normal(stats):
    mean, std = stats.chunk(2, -1)
    return Normal(mean, F.softplus(std) + 0.1)


class WorldModel(nn.Module):
    def __init__(self, obs_dim, act_dim, deter=24, stoch=6):
        super().__init__()
        self.deter, self.stoch = deter, stoch
        self.gru = nn.GRUCell(stoch + act_dim, deter)
        self.prior_net, self.post_net = head(deter, 2 * stoch), head(deter + obs_dim, 2 * stoch)
        self.decoder, self.reward = head(deter + stoch, obs_dim), head(deter + stoch, 1)

    def initial(self, n):
        return torch.zeros(n, self.deter), torch.zeros(n, self.stoch)

    def img_step(self, state, act):
        h, s = state
        h = self.gru(torch.cat([s, act], -1), h)
        prior = to_normal(self.prior_net(h))
        return (h, prior.rsample()), prior

    def obs_step(self, state, act, obs):
        (h, _), prior = self.img_step(state, act)
        post = to_normal(self.post_net(torch.cat([h, obs], -1)))
        return (h, post.rsample()), prior, post


class Dreamlet:
    def __init__(self, obs_dim, act_dim, horizon=2):
        self.wm = WorldModel(obs_dim, act_dim)
        feat = self.wm.deter + self.wm.stoch
        self.actor = head(feat, act_dim)
        self.horizon, self.act_dim = horizon, act_dim
        self.wm_opt = torch.optim.Adam(self.wm.parameters(), lr=2e-3)
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.prev_act = None
        self.reward_scale = torch.ones(())

    @torch.no_grad()
    def policy(self, obs, latent):
        if self.prev_act is None:
            self.prev_act = torch.zeros(obs.size(0), self.act_dim)
        latent, _, _ = self.wm.obs_step(latent, self.prev_act, obs)
        mean = torch.tanh(self.actor(torch.cat(latent, -1)))
        self.prev_act = (mean + 0.3 * torch.randn_like(mean)).clamp(-1, 1)
        return self.prev_act, latent

    def train_world_model(self, batch):
        state, obs, act, rew = batch
        recs, kls, rews, feats = [], [], [], []
        for t in range(obs.size(0)):
            prev = act[t - 1] if t else torch.zeros_like(act[0])
            state, prior, post = self.wm.obs_step(state, prev, obs[t])
            feat = torch.cat(state, -1)
            recs.append(F.mse_loss(self.wm.decoder(feat), obs[t]))
            rews.append(F.mse_loss(self.wm.reward(feat).squeeze(-1), rew[t]))
            kls.append(kl_divergence(post, prior).sum(-1).mean().clamp(min=0.3))
            feats.append(state)
        rec, kl, rw = torch.stack(recs).mean(), torch.stack(kls).mean(), torch.stack(rews).mean()
        self.wm_opt.zero_grad()
        (rec + rw + 0.1 * kl).backward()
        self.wm_opt.step()
        post = tuple(torch.cat(x).detach() for x in zip(*feats))
        return post, {"rec": rec.item(), "kl": kl.item(), "rew": rw.item()}

    def train_actor(self, state):
        total = []
        for _ in range(self.horizon):
            act = torch.tanh(self.actor(torch.cat(state, -1)))
            state, _ = self.wm.img_step(state, act)
            total.append(self.wm.reward(torch.cat(state, -1)).mean())
        ret = torch.stack(total).sum()
        self.reward_scale = 0.95 * self.reward_scale + 0.05 * ret.detach().abs()
        loss = -ret / self.reward_scale.clamp(min=0.1)
        self.actor_opt.zero_grad()
        loss.backward()
        self.actor_opt.step()
        return {"imag": ret.item()}
