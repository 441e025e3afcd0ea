"""Actor, twin critics, learned temperature."""
import copy

import torch
from torch import nn
from torch.distributions import Normal


def mlp(i, o, h=32):
    return nn.Sequential(nn.Linear(i, h), nn.ReLU(), nn.Linear(h, o))


class SAC:
    def __init__(self, obs, act, gamma=0.95, tau=0.02, lr=2e-3):
        self.actor = mlp(obs, 2 * act)
        self.critics = nn.ModuleList([mlp(obs + act, 1), mlp(obs + act, 1)])
        self.targets = copy.deepcopy(self.critics).requires_grad_(False)
        self.log_alpha = torch.tensor(-1.0, requires_grad=True)
        self.entropy_goal = -float(act)
        self.gamma, self.tau = gamma, tau
        self.critic_opt = torch.optim.Adam(self.critics.parameters(), lr=lr)
        rest = list(self.actor.parameters()) + [self.log_alpha]
        self.actor_opt = torch.optim.Adam(rest, lr=lr)

    def policy(self, s):
        m, ls = self.actor(s).chunk(2, -1)
        dist = Normal(m, ls.clamp(-4, 1).exp())
        u = dist.rsample()
        a = torch.tanh(u)
        logp = (dist.log_prob(u) - torch.log(1 - a.pow(2) + 1e-5)).sum(-1)
        return a, logp

    def q(self, nets, s, a):
        sa = torch.cat([s, a], -1)
        return torch.stack([n(sa).squeeze(-1) for n in nets])

    def update_critics(self, s, a, r, s2):
        with torch.no_grad():
            a2, logp2 = self.policy(s2)
            soft = self.q(self.targets, s2, a2).amin(0) - self.log_alpha.exp() * logp2
            y = r + self.gamma * soft
        loss = (self.q(self.critics, s, a) - y).pow(2).mean()
        self.critic_opt.zero_grad()
        loss.backward()
        self.critic_opt.step()
        return loss.item()

    def update_actor(self, s):
        a, logp = self.policy(s)
        self.critics.requires_grad_(False)
        value = self.q(self.critics, s, a).amin(0)
        self.critics.requires_grad_(True)
        actor = (self.log_alpha.exp().detach() * logp - value).mean()
        temp = -(self.log_alpha * (logp.detach() + self.entropy_goal)).mean()
        self.actor_opt.zero_grad()
        (actor + temp).backward()
        self.actor_opt.step()

    @torch.no_grad()
    def track(self):
        for t, c in zip(self.targets.parameters(), self.critics.parameters()):
            t.mul_(1 - self.tau).add_(self.tau * c)
