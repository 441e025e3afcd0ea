import copy

import torch
import torch.nn.functional as F
from torch import nn

from common import agent


def mlp(n_in, hidden, n_out):
    return nn.Sequential(nn.Linear(n_in, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, n_out))


class TwinCritic(nn.Module):
    def __init__(self, obs_dim, act_dim, hidden):
        super().__init__()
        self.q1 = mlp(obs_dim + act_dim, hidden, 1)
        self.q2 = mlp(obs_dim + act_dim, hidden, 1)

    def forward(self, obs, action):
        x = torch.cat([obs, action], -1)
        return self.q1(x).squeeze(-1), self.q2(x).squeeze(-1)


@agent("td3")
class TD3:
    def __init__(self, cfg):
        w, a = cfg.world, cfg.agent
        self.cfg = a
        self.actor = nn.Sequential(mlp(w.obs_dim, a.hidden, w.act_dim), nn.Tanh())
        self.critic = TwinCritic(w.obs_dim, w.act_dim, a.hidden)
        self.actor_target = copy.deepcopy(self.actor).requires_grad_(False)
        self.critic_target = copy.deepcopy(self.critic).requires_grad_(False)
        self.optimizers = {
            "critic": torch.optim.Adam(self.critic.parameters(), lr=a.lr),
            "actor": torch.optim.Adam(self.actor.parameters(), lr=a.lr),
        }

    @torch.no_grad()
    def act(self, obs, noise):
        action = self.actor(obs)
        return (action + noise * torch.randn_like(action)).clamp(-1, 1)

    def critic_loss(self, batch):
        with torch.no_grad():
            nxt = self.actor_target(batch.nxt)
            nxt = (nxt + self.cfg.smooth * torch.randn_like(nxt).clamp(-2, 2)).clamp(-1, 1)
            target = batch.reward + self.cfg.gamma * torch.min(*self.critic_target(batch.nxt, nxt))
        q1, q2 = self.critic(batch.obs, batch.action)
        return F.mse_loss(q1, target) + F.mse_loss(q2, target)

    def actor_loss(self, batch):
        q1, _ = self.critic(batch.obs, self.actor(batch.obs))
        return -q1.mean()

    def losses(self, batch, step):
        losses = {"critic": self.critic_loss(batch)}
        if step > self.cfg.policy_start and step % self.cfg.policy_delay == 0:
            losses["actor"] = self.actor_loss(batch)  # <- culprit
        return losses

    def update(self, batch, step):
        losses = self.losses(batch, step)
        for name, loss in losses.items():
            optimizer = self.optimizers[name]
            optimizer.zero_grad()
            loss.backward()  # <- culprit
            optimizer.step()  # <- culprit
        self._track(self.actor, self.actor_target)
        self._track(self.critic, self.critic_target)
        return {name: loss.item() for name, loss in losses.items()}

    @torch.no_grad()
    def _track(self, online, target):
        for p, t in zip(online.parameters(), target.parameters()):
            t.lerp_(p, self.cfg.tau)
