import copy

import torch
from torch import nn
import torch.nn.functional as F


def mlp(i, o, h=32):
    return nn.Sequential(nn.Linear(i, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU(), nn.Linear(h, o))


class SAC:
    def __init__(self, obs_dim, act_dim, gamma=0.97, alpha=0.1, tau=0.01):
        self.actor = mlp(obs_dim, 2 * act_dim)
        self.critic = mlp(obs_dim + act_dim, 1)
        self.target = copy.deepcopy(self.critic).requires_grad_(False)
        self.opt_a = torch.optim.Adam(self.actor.parameters(), lr=3e-4)
        self.opt_c = torch.optim.Adam(self.critic.parameters(), lr=1e-3)
        self.gamma, self.alpha, self.tau = gamma, alpha, tau

    def sample(self, obs):
        mu, log_std = self.actor(obs).chunk(2, -1)
        d = torch.distributions.Normal(mu, log_std.clamp(-4, 1).exp())
        u = d.rsample()
        a = torch.tanh(u)
        return a, (d.log_prob(u) - torch.log(1 - a.pow(2) + 1e-6)).sum(-1, keepdim=True)

    @torch.no_grad()
    def act(self, obs):
        return self.sample(obs)[0]

    def losses(self, obs, act, rew, nxt):
        with torch.no_grad():
            a2, lp2 = self.sample(nxt)
            y = rew + self.gamma * (self.target(torch.cat([nxt, a2], -1)) - self.alpha * lp2)
        critic = F.mse_loss(self.critic(torch.cat([obs, act], -1)), y)
        a, lp = self.sample(obs)
        actor = (self.alpha * lp - self.critic(torch.cat([obs, a], -1))).mean()
        return critic, actor

    def update(self, *batch):
        critic_loss, actor_loss = self.losses(*batch)  # <- culprit
        self.opt_c.zero_grad()
        critic_loss.backward()
        self.opt_c.step()  # <- culprit

        self.opt_a.zero_grad()
        actor_loss.backward()
        self.opt_a.step()
        with torch.no_grad():
            for p, q in zip(self.target.parameters(), self.critic.parameters()):
                p.lerp_(q, self.tau)
        return {"critic": round(critic_loss.item(), 3), "actor": round(actor_loss.item(), 3)}
