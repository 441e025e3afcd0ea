# gradwatch-corpus: kind=graph-chain
# holder: avg | tracker.gi_frame.f_locals["avg"] | self.tracker.gi_frame.f_locals["avg"] | self.rate | agent.rate
# first-bad: 1
import math
import random

import torch
import torch.nn as nn
from torch.distributions import Categorical


class Balancer:
    """Small inverted pendulum on a cart rail, 16 of them side by side."""

    def __init__(self, n=16, seed=0):
        self.g = torch.Generator().manual_seed(seed)
        self.n = n
        self.x = 0.1 * torch.randn(n, 2, generator=self.g)

    def observe(self):
        return self.x.clone()

    def act(self, a):
        th, om = self.x[:, 0], self.x[:, 1]
        push = (a.float() - 1.0) * 1.5
        om = om + 0.05 * (4.0 * torch.sin(th) + push) - 0.01 * om
        th = th + 0.05 * om
        fallen = th.abs() > 0.8
        th = torch.where(fallen, 0.1 * torch.randn(self.n, generator=self.g), th)
        om = torch.where(fallen, torch.zeros_like(om), om)
        self.x = torch.stack([th, om], dim=1)
        return torch.cos(th * 2) - fallen.float() * 2.0


class RandomFeatures:
    def __init__(self, d_in, d_out, seed=1):
        g = torch.Generator().manual_seed(seed)
        self.w = torch.randn(d_in, d_out, generator=g) * 2.0
        self.b = torch.rand(d_out, generator=g) * 2 * math.pi
        self.scale = math.sqrt(2.0 / d_out)

    def __call__(self, obs):
        return self.scale * torch.cos(obs @ self.w + self.b)


def smoothed(beta):
    avg = None
    fresh = yield
    while True:
        avg = fresh if avg is None else beta * avg + (1 - beta) * fresh  # <- culprit
        fresh = yield avg


class LinearAgent(nn.Module):
    def __init__(self, features, n_actions, beta=0.95):
        super().__init__()
        self.features = features
        self.policy = nn.Linear(256, n_actions)
        self.critic = nn.Linear(256, 1)
        self.tracker = smoothed(beta)
        next(self.tracker)

    def read(self, obs):
        phi = self.features(obs)
        return Categorical(logits=self.policy(phi)), self.critic(phi).squeeze(-1)

    def step_loss(self, env):
        dist, value = self.read(env.observe())
        action = dist.sample()
        reward = env.act(action)
        with torch.no_grad():
            _, following = self.read(env.observe())
        self.rate = self.tracker.send((reward - following + value).mean())
        delta = reward - self.rate + following - value
        actor = -(dist.log_prob(action) * delta.detach()).mean()
        critic = delta.square().mean()
        return actor + 0.5 * critic - 0.01 * dist.entropy().mean(), reward.mean().item()


def run(iterations=320, seed=0):
    random.seed(seed)
    torch.manual_seed(seed)
    env = Balancer(seed=seed)
    agent = LinearAgent(RandomFeatures(2, 256), n_actions=3)
    opt = torch.optim.RMSprop(agent.parameters(), lr=3e-3)
    recent = []
    for it in range(iterations):
        loss, reward = agent.step_loss(env)
        opt.zero_grad()
        loss.backward(retain_graph=True)
        nn.utils.clip_grad_norm_(agent.parameters(), 5.0)
        opt.step()
        recent = (recent + [reward])[-40:]
        if it % 40 == 39:
            print(f"{it + 1:4d}  reward {sum(recent) / len(recent):+.3f}  rate {agent.rate.item():+.3f}")


if __name__ == "__main__":
    run()
