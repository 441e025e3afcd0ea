# gradwatch-corpus: kind=none
"""Actor-critic in the style of the REINFORCE example: log-probs and values are saved on the policy."""
import random
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical


class Corridor:
    def __init__(self, n=8):
        self.n = n

    def reset(self):
        self.pos = self.n // 2
        self.goal = random.choice([0, self.n - 1])
        self.t = 0
        return self.obs()

    def obs(self):
        o = torch.zeros(self.n + 1)
        o[self.pos] = 1.0
        o[-1] = 1.0 if self.goal else -1.0
        return o

    def step(self, a):
        self.pos = max(0, min(self.n - 1, self.pos + (1 if a else -1)))
        self.t += 1
        if self.pos == self.goal:
            return self.obs(), 1.0, True
        return self.obs(), -0.05, self.t >= 20


class Policy(nn.Module):
    def __init__(self, n_obs):
        super().__init__()
        self.body = nn.Linear(n_obs, 32)
        self.pi = nn.Linear(32, 2)
        self.v = nn.Linear(32, 1)
        self.saved_log_probs = []
        self.saved_values = []
        self.rewards = []
        self.entropies = []

    def forward(self, x):
        h = F.relu(self.body(x))
        return self.pi(h), self.v(h).squeeze(-1)

    def act(self, obs):
        logits, value = self(obs)
        dist = Categorical(logits=logits)
        a = dist.sample()
        self.saved_log_probs.append(dist.log_prob(a))
        self.saved_values.append(value)
        self.entropies.append(dist.entropy())
        return a.item()

    def forget(self):
        del self.saved_log_probs[:]
        del self.saved_values[:]
        del self.rewards[:]
        del self.entropies[:]


class RunningBaseline:
    def __init__(self, momentum=0.95):
        self.momentum = momentum
        self.value = torch.zeros(())

    def update(self, values):
        self.value = self.momentum * self.value + (1 - self.momentum) * values.detach().mean()
        return self.value


def finish_episode(policy, optimizer, baseline, gamma=0.97):
    R, returns = 0.0, deque()
    for r in reversed(policy.rewards):
        R = r + gamma * R
        returns.appendleft(R)
    returns = torch.tensor(list(returns))
    values = torch.stack(policy.saved_values)
    log_probs = torch.stack(policy.saved_log_probs)
    advantage = returns - values.detach()
    actor = -(log_probs * advantage).sum()
    critic = F.smooth_l1_loss(values, returns, reduction="sum")
    loss = actor + 0.5 * critic - 0.01 * torch.stack(policy.entropies).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    baseline.update(values)
    policy.forget()
    return loss.item()


def main(episodes=240):
    random.seed(1)
    torch.manual_seed(1)
    env, policy, baseline = Corridor(), Policy(9), RunningBaseline()
    opt = torch.optim.Adam(policy.parameters(), lr=5e-3)
    recent = deque(maxlen=40)
    for ep in range(1, episodes + 1):
        obs, done = env.reset(), False
        while not done:
            obs, r, done = env.step(policy.act(obs))
            policy.rewards.append(r)
        recent.append(sum(policy.rewards))
        loss = finish_episode(policy, opt, baseline)
        if ep % 40 == 0:
            print(f"episode {ep} return {sum(recent) / len(recent):.2f} "
                  f"loss {loss:.3f} value {baseline.value.item():.2f}")


if __name__ == "__main__":
    main()
