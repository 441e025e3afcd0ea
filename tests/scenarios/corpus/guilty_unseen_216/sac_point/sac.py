import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Normal


def mlp(i, o, h=64):
    return nn.Sequential(nn.Linear(i, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU(), nn.Linear(h, o))


class Actor(nn.Module):
    def __init__(self, od, ad):
        super().__init__()
        self.net = mlp(od, 2 * ad)

    def forward(self, o):
        mu, ls = self.net(o).chunk(2, -1)
        d = Normal(mu, ls.clamp(-5, 2).exp())
        u = d.rsample()
        a = torch.tanh(u)
        logp = d.log_prob(u) - torch.log(1 - a.pow(2) + 1e-6)
        return a, logp.sum(-1, keepdim=True)


class TwinQ(nn.Module):
    def __init__(self, od, ad):
        super().__init__()
        self.q1, self.q2 = mlp(od + ad, 1), mlp(od + ad, 1)

    def forward(self, o, a):
        x = torch.cat([o, a], -1)
        return self.q1(x), self.q2(x)


class SACAgent:
    def __init__(self, od, ad, gamma=0.98, tau=0.01, lr=1e-3):
        self.actor, self.critic = Actor(od, ad), TwinQ(od, ad)
        self.critic_target = copy.deepcopy(self.critic).requires_grad_(False)
        self.log_alpha = torch.zeros(1, requires_grad=True)
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr)
        self.alpha_opt = torch.optim.Adam([self.log_alpha], lr)
        self.gamma, self.tau, self.target_entropy = gamma, tau, -float(ad)

    @torch.no_grad()
    def act(self, obs):
        a, _ = self.actor(torch.as_tensor(obs, dtype=torch.float32)[None])
        return a[0].numpy()

    def critic_loss(self, o, a, r, o2, d):
        with torch.no_grad():
            a2, logp2 = self.actor(o2)
            q = torch.min(*self.critic_target(o2, a2)) - self.log_alpha.exp() * logp2
            y = r + self.gamma * (1 - d) * q
        q1, q2 = self.critic(o, a)
        return F.mse_loss(q1, y) + F.mse_loss(q2, y)

    def actor_loss(self, o):
        a, logp = self.actor(o)
        q = torch.min(*self.critic(o, a))
        return (self.log_alpha.exp().detach() * logp - q).mean(), logp.detach()

    def update(self, batch, train_policy=True):
        o = batch[0]
        c_loss = self.critic_loss(*batch)
        info = {"critic": c_loss.item()}
        if train_policy:
            a_loss, logp = self.actor_loss(o)  # <- culprit
            info["actor"] = a_loss.item()

        self.critic_opt.zero_grad()
        c_loss.backward()
        self.critic_opt.step()  # <- culprit

        if train_policy:
            self.actor_opt.zero_grad()
            a_loss.backward()  # <- culprit
            self.actor_opt.step()
            alpha_loss = -(self.log_alpha * (logp + self.target_entropy)).mean()
            self.alpha_opt.zero_grad()
            alpha_loss.backward()
            self.alpha_opt.step()

        with torch.no_grad():
            for p, tp in zip(self.critic.parameters(), self.critic_target.parameters()):
                tp.lerp_(p, self.tau)
        return info
