# gradwatch-corpus: kind=graph-held
# holder: self.storage | memory.storage | buffer.storage
# first-bad: 1
# also: graph-unused
"""Off-policy actor-critic on a 1-D point-mass task."""
import random
from collections import deque, namedtuple

import torch
import torch.nn as nn
from torch.distributions import Normal

Transition = namedtuple("Transition", "obs act logp reward next_obs done")


class PointMass:
    def __init__(self):
        self.reset()

    def reset(self):
        self.x = random.uniform(-1, 1)
        self.v = 0.0
        self.t = 0
        return self.obs()

    def obs(self):
        return torch.tensor([self.x, self.v])

    def step(self, force):
        self.v = 0.95 * self.v + 0.1 * max(-1.0, min(1.0, force))
        self.x += 0.1 * self.v
        self.t += 1
        reward = -self.x ** 2 - 0.01 * force ** 2
        return self.obs(), reward, self.t >= 60


class ReplayMemory:
    def __init__(self, capacity):
        self.storage = deque(maxlen=capacity)

    def push(self, *args):
        self.storage.append(Transition(*args))

    def sample(self, n):
        rows = random.sample(self.storage, n)
        col = Transition(*zip(*rows))
        return (torch.stack(col.obs), torch.stack(col.act),
                torch.tensor([lp.item() for lp in col.logp]),
                torch.tensor(col.reward), torch.stack(col.next_obs),
                torch.tensor(col.done, dtype=torch.float32))

    def __len__(self):
        return len(self.storage)


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.mu = nn.Sequential(nn.Linear(2, 24), nn.Tanh(), nn.Linear(24, 1))
        self.log_std = nn.Parameter(torch.zeros(1) - 0.5)

    def forward(self, obs):
        return Normal(self.mu(obs), self.log_std.exp())


def main(steps=600, batch=24, gamma=0.97):
    random.seed(2)
    torch.manual_seed(2)
    env, memory, policy = PointMass(), ReplayMemory(20000), Policy()
    critic = nn.Sequential(nn.Linear(2, 24), nn.Tanh(), nn.Linear(24, 1))
    opt = torch.optim.Adam([{"params": policy.parameters(), "lr": 1e-3},
                            {"params": critic.parameters(), "lr": 3e-3}])
    obs, score = env.reset(), 0.0
    for step in range(steps):
        dist = policy(obs)
        act = dist.sample()
        logp = dist.log_prob(act).sum(-1)
        nxt, reward, done = env.step(act.item())
        memory.push(obs, act, logp, reward, nxt, done)  # <- culprit
        score += reward
        obs = env.reset() if done else nxt

        if len(memory) >= batch:
            o, a, old_lp, r, n, d = memory.sample(batch)
            with torch.no_grad():
                target = r + gamma * (1 - d) * critic(n).squeeze(-1)
            value = critic(o).squeeze(-1)
            adv = (target - value).detach()
            new_lp = policy(o).log_prob(a).sum(-1)
            ratio = (new_lp - old_lp).exp().clamp(max=2.0)
            loss = -(ratio * adv).mean() + 0.5 * (value - target).pow(2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
        if done:
            print(f"step {step} return {score:.2f}")
            score = 0.0


if __name__ == "__main__":
    main()
