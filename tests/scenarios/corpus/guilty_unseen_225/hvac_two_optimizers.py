# gradwatch-corpus: kind=inplace-modified
# first-bad: 24
"""Deterministic policy gradient for a room heating controller, delayed actor updates."""
import dataclasses

import torch
from torch import nn


@dataclasses.dataclass
class Config:
    iters: int = 120
    batch: int = 64
    actor_delay: int = 4
    warmup: int = 24
    gamma: float = 0.9
    tau: float = 0.02


def mlp(sizes, out=None):
    layers = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        layers.append(nn.Linear(a, b))
        layers.append(nn.ReLU())
    layers.pop()
    if out is not None:
        layers.append(out)
    return nn.Sequential(*layers)


class Agent:
    def __init__(self, cfg):
        self.cfg = cfg
        self.actor = mlp([3, 32, 32, 1], nn.Tanh())
        self.critic = mlp([4, 32, 32, 1])
        self.target = mlp([4, 32, 32, 1])
        self.target.load_state_dict(self.critic.state_dict())
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr=3e-3)

    def q(self, net, obs, act):
        return net(torch.cat([obs, act], dim=-1)).squeeze(-1)

    def critic_loss(self, obs, act, rew, nxt):
        with torch.no_grad():
            backup = rew + self.cfg.gamma * self.q(self.target, nxt, self.actor(nxt))
        return nn.functional.mse_loss(self.q(self.critic, obs, act), backup)

    def actor_loss(self, obs):
        return -self.q(self.critic, obs, self.actor(obs)).mean()

    @torch.no_grad()
    def soft_update(self):
        for t, p in zip(self.target.parameters(), self.critic.parameters()):
            t.lerp_(p, self.cfg.tau)

    def update(self, it, batch):
        obs = batch[0]
        losses = {"critic": self.critic_loss(*batch)}
        due = it >= self.cfg.warmup and it % self.cfg.actor_delay == 0
        if due:
            losses["actor"] = self.actor_loss(obs)  # <- culprit
        self.critic_opt.zero_grad()
        losses["critic"].backward()
        self.critic_opt.step()  # <- culprit
        if due:
            self.actor_opt.zero_grad()
            losses["actor"].backward()  # <- culprit
            self.actor_opt.step()
        self.soft_update()
        return {k: v.item() for k, v in losses.items()}


def simulate(n):
    room = 15 + 10 * torch.rand(n)
    outside = 10 * torch.randn(n)
    price = torch.rand(n)
    heat = 2 * torch.rand(n) - 1
    nxt_room = room + 2 * heat + 0.05 * (outside - room)
    comfort = -(nxt_room - 21).abs() / 5
    reward = comfort - 0.5 * price * heat.clamp(min=0)
    obs = torch.stack([(room - 20) / 5, outside / 10, price], dim=-1)
    nxt = torch.stack([(nxt_room - 20) / 5, outside / 10, price], dim=-1)
    return obs, heat[:, None], reward, nxt


def main():
    torch.manual_seed(50)
    cfg = Config()
    agent = Agent(cfg)
    for it in range(cfg.iters):
        stats = agent.update(it, simulate(cfg.batch))
        if it % 10 == 0:
            print(it, {k: round(v, 4) for k, v in stats.items()})


if __name__ == "__main__":
    main()
