import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical

from stats import RunningMoments


class Net(nn.Module):
    def __init__(self, d, n):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(d, 32), nn.Tanh())
        self.pi = nn.Linear(32, n)
        self.v = nn.Linear(32, 1)

    def forward(self, x):
        h = self.body(x)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


class A2CAgent:
    def __init__(self, d, n_actions, lr=3e-3, ent_coef=0.01):
        self.net = Net(d, n_actions)
        self.opt = torch.optim.RMSprop(self.net.parameters(), lr=lr)
        self.stats = RunningMoments()
        self.ent_coef = ent_coef

    @torch.no_grad()
    def act(self, o):
        dist, _ = self.net(o)
        return int(dist.sample())

    def update(self, obs, acts, rews):
        dist, value = self.net(obs)
        adv = rews - value
        self.stats.push(adv)  # <- culprit
        norm_adv = self.stats.whiten(adv)
        loss_pi = -(dist.log_prob(acts) * norm_adv.detach()).mean()
        loss_v = F.mse_loss(value, rews)
        ent = dist.entropy().mean()
        self.opt.zero_grad()
        (loss_pi + 0.5 * loss_v - self.ent_coef * ent).backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
        self.opt.step()
        return {"pi": loss_pi.item(), "v": loss_v.item(), "ent": ent.item(), "adv_std": self.stats.std}
