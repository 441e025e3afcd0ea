# gradwatch-corpus: kind=second-backward
# holder: feats
# first-bad: 0
# notice: 0
"""Actor-critic with one feature trunk, softly landing a point mass (continuous thrust)."""
import torch
import torch.nn as nn
from torch.distributions import Normal

torch.set_num_threads(1)


class Lander:
    """Batch of one-dimensional landers."""

    def __init__(self, n):
        self.n = n
        self.reset()

    def reset(self):
        self.h = 1 + torch.rand(self.n)
        self.v = -0.2 * torch.rand(self.n)
        return self.obs()

    def obs(self):
        return torch.stack([self.h, self.v, self.h * self.v], 1)

    def step(self, thrust):
        acc = -0.5 + thrust.clamp(-1, 1)
        self.v = self.v + 0.1 * acc
        self.h = (self.h + 0.1 * self.v).clamp(min=0)
        reward = -(self.h - 0.1).abs() - 0.3 * self.v.abs()
        return self.obs(), reward


class Trunk(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())

    def forward(self, s):
        return self.net(s)


class Actor(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.mu = nn.Linear(width, 1)
        self.log_std = nn.Parameter(torch.full((1,), -0.5))

    def forward(self, feats):
        return Normal(self.mu(feats).squeeze(-1), self.log_std.exp())


class Critic(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.v = nn.Linear(width, 1)

    def forward(self, feats):
        return self.v(feats).squeeze(-1)


class Agent:
    def __init__(self, lr=3e-3, gamma=0.95):
        self.trunk, self.actor, self.critic = Trunk(), Actor(), Critic()
        groups = [{"params": self.trunk.parameters()}, {"params": self.actor.parameters()},
                  {"params": self.critic.parameters(), "lr": 2 * lr}]
        self.opt = torch.optim.Adam(groups, lr=lr)
        self.gamma = gamma

    def losses(self, env, obs):
        feats = self.trunk(obs)
        dist, value = self.actor(feats), self.critic(feats)
        action = dist.sample()
        nxt, reward = env.step(action)
        with torch.no_grad():
            target = reward + self.gamma * self.critic(self.trunk(nxt))
        delta = target - value
        policy_loss = -(dist.log_prob(action) * delta.detach()).mean() - 1e-3 * dist.entropy().mean()
        return policy_loss, delta.pow(2).mean(), nxt, reward.mean().item()

    def update(self, policy_loss, value_loss):
        self.opt.zero_grad()
        policy_loss.backward()  # <- culprit
        value_loss.backward()  # <- culprit
        self.opt.step()


def main():
    torch.manual_seed(8)
    env, agent = Lander(16), Agent()
    for episode in range(40):
        obs, score = env.reset(), 0.0
        for _ in range(12):
            p, v, obs, r = agent.losses(env, obs)
            agent.update(p, v)
            score += r
        if episode % 10 == 0:
            print(episode, round(score, 3))


main()
