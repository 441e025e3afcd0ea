import torch
import torch.nn as nn
from torch.distributions import Normal

from .buffer import RolloutBuffer


class ActorCritic(nn.Module):
    def __init__(self, obs_dim, act_dim, h=32):
        super().__init__()
        self.pi = nn.Sequential(nn.Linear(obs_dim, h), nn.Tanh(), nn.Linear(h, act_dim))
        self.v = nn.Sequential(nn.Linear(obs_dim, h), nn.Tanh(), nn.Linear(h, 1))
        self.log_std = nn.Parameter(torch.zeros(act_dim))

    def dist(self, obs):
        return Normal(self.pi(obs), self.log_std.exp())


class PPO:
    def __init__(self, obs_dim, act_dim, clip=0.2, epochs=4, minibatch=32):
        self.ac = ActorCritic(obs_dim, act_dim)
        self.old = ActorCritic(obs_dim, act_dim)
        self.old.load_state_dict(self.ac.state_dict())
        self.opt = torch.optim.Adam(self.ac.parameters(), 3e-3)
        self.clip, self.epochs, self.minibatch = clip, epochs, minibatch
        self.buffer = RolloutBuffer()

    @torch.no_grad()
    def act(self, obs):
        d = self.old.dist(obs)
        a = d.sample()
        return a, d.log_prob(a).sum(-1), self.old.v(obs).squeeze(-1)

    def update(self, last_obs):
        with torch.no_grad():
            last = self.old.v(last_obs).squeeze(-1)
        obs, act, logp_old, adv, ret = self.buffer.finish(last)
        stats = []
        for _ in range(self.epochs):
            for idx in torch.randperm(len(obs)).split(self.minibatch):
                d = self.ac.dist(obs[idx])
                ratio = (d.log_prob(act[idx]).sum(-1) - logp_old[idx]).exp()
                s1, s2 = ratio * adv[idx], ratio.clamp(1 - self.clip, 1 + self.clip) * adv[idx]
                vloss = (self.ac.v(obs[idx]).squeeze(-1) - ret[idx]).pow(2).mean()
                loss = -torch.min(s1, s2).mean() + 0.5 * vloss - 0.01 * d.entropy().mean()
                self.opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.ac.parameters(), 0.5)
                self.opt.step()
                stats.append((loss.detach(), vloss.detach()))
        self.old.load_state_dict(self.ac.state_dict())
        self.buffer.clear()
        return [sum(s).item() / len(stats) for s in zip(*stats)]
