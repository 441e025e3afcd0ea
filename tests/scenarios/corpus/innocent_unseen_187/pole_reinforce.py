# gradwatch-corpus: kind=none
import math
import random

import torch
from torch import nn
from torch.distributions import Categorical


class PoleEnv:
    """Linearised pole balancing with random pushes."""

    def __init__(self, seed, max_steps=18):
        self.rng = random.Random(seed)
        self.max_steps = max_steps

    def reset(self):
        self.angle = self.rng.uniform(-0.1, 0.1)
        self.vel = self.rng.uniform(-0.1, 0.1)
        self.t = 0
        return self.observe()

    def observe(self):
        return torch.tensor([self.angle, self.vel, math.sin(self.angle)])

    def step(self, action):
        push = 0.6 if action == 1 else -0.6
        self.vel += 0.3 * (self.angle * 2.0 + push) + self.rng.gauss(0, 0.05)
        self.angle += 0.3 * self.vel
        self.t += 1
        done = abs(self.angle) > 0.8 or self.t >= self.max_steps
        return self.observe(), 1.0, done


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 24), nn.Tanh())
        self.pi = nn.Linear(24, 2)
        self.v = nn.Linear(24, 1)
        self.saved_actions = []
        self.rewards = []

    def forward(self, obs):
        z = self.body(obs)
        return Categorical(logits=self.pi(z)), self.v(z).squeeze(-1)


def play(policy, env):
    obs, done = env.reset(), False
    while not done:
        dist, value = policy(obs)
        action = dist.sample()
        policy.saved_actions.append((dist.log_prob(action), value, dist.entropy()))
        obs, reward, done = env.step(action.item())
        policy.rewards.append(reward)
    return sum(policy.rewards)


def finish_episode(policy, opt, gamma=0.97):
    ret, returns = 0.0, []
    for r in reversed(policy.rewards):
        ret = r + gamma * ret
        returns.insert(0, ret)
    returns = torch.tensor(returns)
    returns = returns / (returns.std(unbiased=False) + 1.0)
    pg, vl, ent = [], [], []
    for (logp, value, entropy), target in zip(policy.saved_actions, returns):
        pg.append(-logp * (target - value.item()))
        vl.append(nn.functional.smooth_l1_loss(value, target))
        ent.append(entropy)
    loss = torch.stack(pg).sum() + torch.stack(vl).sum() - 0.01 * torch.stack(ent).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    policy.saved_actions.clear()
    policy.rewards.clear()
    return loss.item()


def main():
    torch.manual_seed(4)
    policy, env = Policy(), PoleEnv(4)
    opt = torch.optim.Adam(policy.parameters(), lr=3e-3)
    running = 5.0
    for episode in range(450):
        score = play(policy, env)
        loss = finish_episode(policy, opt)
        running = 0.95 * running + 0.05 * score
        if episode % 100 == 0:
            print(f"episode {episode} score {score:.0f} running {running:.2f} loss {loss:.3f}")


if __name__ == "__main__":
    main()
