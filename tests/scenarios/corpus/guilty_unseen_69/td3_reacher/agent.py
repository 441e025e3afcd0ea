import copy
from typing import NamedTuple, Optional

import torch
from torch import Tensor, nn
from torch.nn import functional as F


class Q(nn.Module):
    def __init__(self, s, a, width=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(s + a, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, s, a):
        return self.net(torch.cat([s, a], dim=-1)).squeeze(-1)


class Twin(nn.Module):
    def __init__(self, s, a):
        super().__init__()
        self.first, self.second = Q(s, a), Q(s, a)

    def forward(self, s, a):
        return self.first(s, a), self.second(s, a)


class Losses(NamedTuple):
    critic: Tensor
    actor: Optional[Tensor]


class TwinAgent:
    gamma, polyak, delay = 0.97, 0.98, 2

    def __init__(self, state_dim, action_dim):
        self.actor = nn.Sequential(nn.Linear(state_dim, 32), nn.ReLU(), nn.Linear(32, action_dim), nn.Tanh())
        self.critic = Twin(state_dim, action_dim)
        self.actor_target = copy.deepcopy(self.actor).requires_grad_(False)
        self.critic_target = copy.deepcopy(self.critic).requires_grad_(False)
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr=2e-3)
        self.updates = 0

    @torch.no_grad()
    def act(self, state, explore=0.0):
        a = self.actor(state)
        return (a + explore * torch.randn_like(a)).clamp(-1, 1)

    def losses(self, b):
        with torch.no_grad():
            a2 = self.actor_target(b.following)
            a2 = (a2 + (0.2 * torch.randn_like(a2)).clamp(-0.4, 0.4)).clamp(-1, 1)
            y = b.reward + self.gamma * (1 - b.done) * torch.min(*self.critic_target(b.following, a2))
        q1, q2 = self.critic(b.state, b.action)
        critic_loss = F.mse_loss(q1, y) + F.mse_loss(q2, y)
        actor_loss = None
        if self.updates % self.delay == 0:
            actor_loss = -self.critic.first(b.state, self.actor(b.state)).mean()  # <- culprit
        return Losses(critic_loss, actor_loss)

    def _descend(self, opt, loss):
        opt.zero_grad()
        loss.backward()
        opt.step()  # <- culprit

    def update(self, batch):
        self.updates += 1
        losses = self.losses(batch)
        info = {"critic": losses.critic.item()}
        self._descend(self.critic_opt, losses.critic)  # <- culprit
        if losses.actor is not None:
            self._descend(self.actor_opt, losses.actor)
            info["actor"] = losses.actor.item()
            self._track(self.actor_target, self.actor)
            self._track(self.critic_target, self.critic)
        return info

    @torch.no_grad()
    def _track(self, target, source):
        for t, s in zip(target.parameters(), source.parameters()):
            t.lerp_(s, 1 - self.polyak)
