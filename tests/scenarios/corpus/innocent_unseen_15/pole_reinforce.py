# gradwatch-corpus: kind=none
"""REINFORCE with a learned baseline for a batch of small pendulums around the upright position.
One update per rollout; log-probabilities are kept in the rollout's memory until the update is done."""
import math
from collections import deque

import torch
from torch import nn
from torch.distributions import Normal

DT = 0.05
HORIZON = 12
N_POLES = 32


class Poles:
    def __init__(self, n, seed):
        self.n = n
        self.gen = torch.Generator().manual_seed(seed)
        self.reset()

    def reset(self):
        self.theta = 0.5 * torch.randn(self.n, generator=self.gen)
        self.omega = 0.5 * torch.randn(self.n, generator=self.gen)
        return self.observe()

    def observe(self):
        return torch.stack([torch.sin(self.theta), torch.cos(self.theta), 0.3 * self.omega], dim=1)

    def apply(self, torque):
        self.omega = self.omega + DT * (9.8 * torch.sin(self.theta) + 12 * torque.clamp(-2, 2))
        self.theta = self.theta + DT * self.omega
        reward = -(self.theta ** 2 + 0.1 * self.omega ** 2 + 0.01 * torque ** 2)
        return self.observe(), reward.clamp(min=-10)


class ActorCritic(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())
        self.mean = nn.Linear(width, 1)
        self.value = nn.Linear(width, 1)
        self.log_std = nn.Parameter(torch.tensor(-0.5))

    def forward(self, obs):
        z = self.body(obs)
        return Normal(self.mean(z).squeeze(1), self.log_std.exp()), self.value(z).squeeze(1)


class Memory:
    def __init__(self):
        self.log_probs, self.values, self.rewards, self.entropies = [], [], [], []

    def store(self, log_prob, value, reward, entropy):
        self.log_probs.append(log_prob)
        self.values.append(value)
        self.rewards.append(reward)
        self.entropies.append(entropy)

    def returns(self, gamma):
        out, running = deque(), torch.zeros_like(self.rewards[0])
        for r in reversed(self.rewards):
            running = r + gamma * running
            out.appendleft(running)
        return torch.stack(list(out))

    def clear(self):
        for part in (self.log_probs, self.values, self.rewards, self.entropies):
            del part[:]


class Agent:
    def __init__(self, env, gamma=0.95, lr=3e-3):
        self.env = env
        self.gamma = gamma
        self.net = ActorCritic()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=lr)
        self.memory = Memory()
        self.scores = deque(maxlen=40)

    def rollout(self):
        obs = self.env.reset()
        for _ in range(HORIZON):
            dist, value = self.net(obs)
            action = dist.sample()
            obs, reward = self.env.apply(action)
            self.memory.store(dist.log_prob(action), value, reward, dist.entropy().mean())

    def update(self):
        ret = self.memory.returns(self.gamma)
        values = torch.stack(self.memory.values)
        adv = ret - values.detach()
        adv = (adv - adv.mean()) / (adv.std() + 1e-6)
        policy_loss = -(torch.stack(self.memory.log_probs) * adv).mean()
        value_loss = (values - ret).pow(2).mean()
        bonus = torch.stack(self.memory.entropies).mean()
        loss = policy_loss + 0.05 * value_loss - 0.002 * bonus
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
        self.opt.step()
        self.scores.append(torch.stack(self.memory.rewards).mean())
        self.memory.clear()

    def score(self):
        return torch.stack(tuple(self.scores)).mean().item()


def main(updates=260):
    torch.manual_seed(73)
    agent = Agent(Poles(N_POLES, 73))
    for u in range(updates):
        agent.rollout()
        agent.update()
        if u % 52 == 51:
            angle = math.degrees(agent.env.theta.abs().median().item())
            print(f"update {u + 1:3d} reward {agent.score():.3f} median angle {angle:.1f} std {agent.net.log_std.exp():.2f}")


if __name__ == "__main__":
    main()
