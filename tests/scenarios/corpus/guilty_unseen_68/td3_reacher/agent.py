import copy

import torch
import torch.nn.functional as F
from torch import nn


class MLP(nn.Module):
    def __init__(self, i, o, h=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(i, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU(), nn.Linear(h, o))

    def forward(self, *xs):
        return self.net(torch.cat(xs, -1))


class Twin(nn.Module):
    def __init__(self, obs, act):
        super().__init__()
        self.q1, self.q2 = MLP(obs + act, 1), MLP(obs + act, 1)

    def forward(self, s, a):
        return self.q1(s, a).squeeze(-1), self.q2(s, a).squeeze(-1)


class TD3:
    gamma, tau, delay = 0.98, 0.01, 2

    def __init__(self, obs, act):
        self.actor, self.critic = MLP(obs, act), Twin(obs, act)
        self.actor_t, self.critic_t = copy.deepcopy(self.actor), copy.deepcopy(self.critic)
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr=1e-3)
        self.count = 0

    @torch.no_grad()
    def act(self, s, noise):
        return (self.actor(s).tanh() + noise * torch.randn(2)).clamp(-1, 1)

    def _critic_loss(self, s, a, r, s2, d):
        with torch.no_grad():
            eps = (0.2 * torch.randn_like(a)).clamp(-0.5, 0.5)
            a2 = (self.actor_t(s2).tanh() + eps).clamp(-1, 1)
            y = r + self.gamma * (1 - d) * torch.minimum(*self.critic_t(s2, a2))
        q1, q2 = self.critic(s, a)
        return F.mse_loss(q1, y) + F.mse_loss(q2, y)

    def _policy_loss(self, s):
        return -self.critic.q1(s, self.actor(s).tanh()).mean()

    @torch.no_grad()
    def _polyak(self):
        for net, tgt in ((self.actor, self.actor_t), (self.critic, self.critic_t)):
            for p, q in zip(net.parameters(), tgt.parameters()):
                q.lerp_(p, self.tau)

    def update(self, batch):
        self.count += 1
        due = self.count % self.delay == 0
        q_loss = self._critic_loss(*batch)
        pi_loss = self._policy_loss(batch[0]) if due else None  # <- culprit
        info = {"q": q_loss.item()}

        self.critic_opt.zero_grad()
        q_loss.backward()
        self.critic_opt.step()  # <- culprit
        if due:
            info["pi"] = pi_loss.item()
            self.actor_opt.zero_grad()
            pi_loss.backward()
            self.actor_opt.step()
            self._polyak()
        return info
