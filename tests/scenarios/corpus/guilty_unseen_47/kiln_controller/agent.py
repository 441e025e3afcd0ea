import copy
from dataclasses import dataclass

import torch
from torch import nn
import torch.nn.functional as F


@dataclass
class AgentConfig:
    obs_dim: int
    width: int = 40
    gamma: float = 0.95
    tau: float = 0.02
    policy_delay: int = 3


def mlp(a, h, b):
    return nn.Sequential(nn.Linear(a, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU(), nn.Linear(h, b))


class Agent:
    def __init__(self, cfg):
        self.cfg = cfg
        self.actor = nn.Sequential(mlp(cfg.obs_dim, cfg.width, 1), nn.Tanh())
        self.critic = mlp(cfg.obs_dim + 1, cfg.width, 1)
        self.actor_t = copy.deepcopy(self.actor).requires_grad_(False)
        self.critic_t = copy.deepcopy(self.critic).requires_grad_(False)
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr=2e-3)
        self.count = 0

    def act(self, obs, noise):
        with torch.no_grad():
            a = self.actor(obs)
        return (a + noise * torch.randn_like(a)).clamp(-1, 1)

    def q(self, obs, act):
        return self.critic(torch.cat([obs, act], -1)).squeeze(-1)

    def losses(self, batch, with_policy):
        obs, act, rew, nxt, end = batch
        with torch.no_grad():
            follow = torch.cat([nxt, self.actor_t(nxt)], -1)
            goal = rew + self.cfg.gamma * (1 - end) * self.critic_t(follow).squeeze(-1)
        q_loss = F.mse_loss(self.q(obs, act), goal)
        pi_loss = -self.q(obs, self.actor(obs)).mean() if with_policy else None  # <- culprit
        return q_loss, pi_loss

    def update(self, batch):
        self.count += 1
        with_policy = self.count % self.cfg.policy_delay == 0
        q_loss, pi_loss = self.losses(batch, with_policy)  # <- culprit

        self.critic_opt.zero_grad()
        q_loss.backward()
        self.critic_opt.step()  # <- culprit

        if with_policy:
            self.actor_opt.zero_grad()
            pi_loss.backward()  # <- culprit
            self.actor_opt.step()
            self.track()
        return {"q": q_loss.item()}

    @torch.no_grad()
    def track(self):
        for net, slow in ((self.actor, self.actor_t), (self.critic, self.critic_t)):
            for p, s in zip(net.parameters(), slow.parameters()):
                s.lerp_(p, self.cfg.tau)
