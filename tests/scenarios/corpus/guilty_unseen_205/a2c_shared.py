# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
"""A2C with a shared trunk on a windy gridworld, n-step rollouts."""
from dataclasses import dataclass

import torch
import torch.nn as nn
from torch.distributions import Categorical


@dataclass
class A2CConfig:
    num_envs: int = 8
    n_steps: int = 5
    gamma: float = 0.97
    actor_lr: float = 1e-3
    critic_lr: float = 3e-3
    entropy_coef: float = 0.01
    updates: int = 500


class WindyGrid:
    MOVES = torch.tensor([[0, 1], [0, -1], [1, 0], [-1, 0]])

    def __init__(self, n, size=6):
        self.n, self.size = n, size
        self.goal = torch.tensor([size - 1, size // 2])
        self.pos = torch.zeros(n, 2, dtype=torch.long)

    def obs(self):
        return torch.cat([self.pos, self.goal - self.pos], 1).float() / self.size

    def step(self, actions):
        wind = (torch.rand(self.n, 1) < 0.15).long() * torch.tensor([[0, 1]])
        self.pos = (self.pos + self.MOVES[actions] + wind).clamp(0, self.size - 1)
        done = (self.pos == self.goal).all(1)
        reward = done.float() - 0.02
        self.pos[done] = 0
        return self.obs(), reward, done


class ActorCritic(nn.Module):
    def __init__(self, obs_dim=4, n_actions=4, hidden=64):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(obs_dim, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh())
        self.actor = nn.Linear(hidden, n_actions)
        self.critic = nn.Linear(hidden, 1)

    def forward(self, obs):
        z = self.trunk(obs)
        return Categorical(logits=self.actor(z)), self.critic(z).squeeze(-1)


class A2C:
    def __init__(self, cfg):
        self.cfg = cfg
        self.env = WindyGrid(cfg.num_envs)
        self.net = ActorCritic()
        trunk = list(self.net.trunk.parameters())
        self.actor_opt = torch.optim.Adam(trunk + list(self.net.actor.parameters()), lr=cfg.actor_lr)
        self.critic_opt = torch.optim.Adam(trunk + list(self.net.critic.parameters()), lr=cfg.critic_lr)
        self.obs = self.env.obs()

    def rollout(self):
        logps, values, ents, rewards, masks = [], [], [], [], []
        for _ in range(self.cfg.n_steps):
            dist, value = self.net(self.obs)
            action = dist.sample()
            self.obs, r, done = self.env.step(action)
            logps.append(dist.log_prob(action))
            values.append(value)
            ents.append(dist.entropy())
            rewards.append(r)
            masks.append(1.0 - done.float())
        with torch.no_grad():
            R = self.net(self.obs)[1]
        returns = []
        for r, m in zip(reversed(rewards), reversed(masks)):
            R = r + self.cfg.gamma * m * R
            returns.insert(0, R)
        return torch.stack(logps), torch.stack(values), torch.stack(ents), torch.stack(returns), torch.stack(rewards)

    def update(self):
        logps, values, ents, returns, rewards = self.rollout()
        advantage = returns - values
        critic_loss = advantage.pow(2).mean()
        actor_loss = -(logps * advantage.detach()).mean() - self.cfg.entropy_coef * ents.mean()

        self.critic_opt.zero_grad()
        critic_loss.backward(retain_graph=True)
        self.critic_opt.step()  # <- culprit

        self.actor_opt.zero_grad()
        actor_loss.backward()
        self.actor_opt.step()
        return actor_loss.item(), critic_loss.item(), rewards.mean().item()


if __name__ == "__main__":
    torch.manual_seed(0)
    cfg = A2CConfig()
    algo = A2C(cfg)
    for i in range(cfg.updates):
        a, c, r = algo.update()
        if i % 50 == 0:
            print(f"update {i:4d} actor {a:+.3f} critic {c:.3f} reward {r:+.3f}")
