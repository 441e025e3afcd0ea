# gradwatch-corpus: kind=graph-held
# holder: self.memory.transitions | agent.memory.transitions
# first-bad: 1
from collections import namedtuple

import torch
import torch.nn as nn
from torch.distributions import Normal

Transition = namedtuple("Transition", "obs action log_prob value reward")


class PointEnv:
    """Drive a damped point to the origin."""

    def __init__(self, seed=0):
        self.gen = torch.Generator().manual_seed(seed)

    def reset(self):
        self.pos = torch.rand(2, generator=self.gen) * 2 - 1
        self.vel = torch.zeros(2)
        return self.observe()

    def observe(self):
        return torch.cat([self.pos, self.vel])

    def step(self, force):
        self.vel = 0.9 * self.vel + 0.1 * force.clamp(-1, 1)
        self.pos = self.pos + 0.2 * self.vel
        reward = -self.pos.pow(2).sum().item() - 0.01 * force.pow(2).sum().item()
        return self.observe(), reward


class Memory:
    def __init__(self):
        self.transitions = []

    def push(self, *args):
        self.transitions.append(Transition(*args))  # <- culprit

    def last(self, n):
        return self.transitions[-n:]

    def mean_reward(self, n=500):
        tail = self.last(n)
        return sum(t.reward for t in tail) / max(len(tail), 1)


class ActorCritic(nn.Module):
    def __init__(self, obs_dim=4, act_dim=2, hidden=32):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(obs_dim, hidden), nn.Tanh())
        self.mu = nn.Linear(hidden, act_dim)
        self.log_std = nn.Parameter(torch.full((act_dim,), -0.5))
        self.v = nn.Linear(hidden, 1)

    def forward(self, obs):
        h = self.body(obs)
        return Normal(self.mu(h), self.log_std.exp()), self.v(h).squeeze(-1)


class Agent:
    def __init__(self, gamma=0.95, lr=3e-3):
        self.net = ActorCritic()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=lr)
        self.memory = Memory()
        self.gamma = gamma

    def act(self, obs):
        dist, value = self.net(obs)
        action = dist.sample()
        return action, dist.log_prob(action).sum(), value

    def update(self, n):
        rollout = self.memory.last(n)
        ret, returns = 0.0, []
        for t in reversed(rollout):
            ret = t.reward + self.gamma * ret
            returns.append(ret)
        returns = torch.tensor(returns[::-1])
        values = torch.stack([t.value for t in rollout])
        logps = torch.stack([t.log_prob for t in rollout])
        adv = returns - values.detach()
        loss = -(logps * adv).mean() + 0.5 * (returns - values).pow(2).mean()
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.opt.step()
        return loss.item()


def main(episodes=420, horizon=12):
    torch.manual_seed(3)
    env, agent = PointEnv(), Agent()
    for ep in range(episodes):
        obs = env.reset()
        for _ in range(horizon):
            action, logp, value = agent.act(obs)
            nxt, reward = env.step(action)
            agent.memory.push(obs, action, logp, value, reward)
            obs = nxt
        loss = agent.update(horizon)
        if ep % 60 == 0:
            print(f"ep {ep:4d} loss {loss:8.4f} avg reward {agent.memory.mean_reward():.4f}")


if __name__ == "__main__":
    main()
