# gradwatch-corpus: kind=none
"""A ferry decides each quarter of an hour: wait or leave. REINFORCE with a learned baseline."""
import json
from collections import deque

import torch
import torch.nn as nn
from torch.distributions import Categorical


class Ferry:
    def __init__(self, gen, horizon=12):
        self.gen = gen
        self.horizon = horizon

    def reset(self):
        self.t = 0
        self.waiting = 0.0
        self.late = 0.0
        return self.obs()

    def obs(self):
        return torch.tensor([self.t / self.horizon, self.waiting / 20, self.late / 5])

    def step(self, leave):
        arrived = 2 + 4 * torch.rand((), generator=self.gen).item()
        self.waiting += arrived
        reward = -0.05 * self.waiting
        if leave:
            reward += 0.3 * min(self.waiting, 15) - 1.5
            self.waiting = max(0.0, self.waiting - 15)
            self.late = 0.0
        else:
            self.late += 1
        self.t += 1
        return self.obs(), reward, self.t >= self.horizon


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.GRUCell(3, 16)
        self.act = nn.Linear(16, 2)
        self.value = nn.Linear(16, 1)

    def forward(self, obs, h):
        h = self.body(obs[None], h)
        return Categorical(logits=self.act(h)[0]), self.value(h)[0, 0], h


class Agent:
    def __init__(self, policy, lr=8e-3, gamma=0.95):
        self.policy = policy
        self.opt = torch.optim.Adam(policy.parameters(), lr=lr)
        self.gamma = gamma
        self.log_probs = []
        self.values = []
        self.entropies = []
        self.rewards = []

    def start(self):
        self.h = torch.zeros(1, 16)

    def choose(self, obs):
        dist, v, self.h = self.policy(obs, self.h)
        a = dist.sample()
        self.log_probs.append(dist.log_prob(a))
        self.values.append(v)
        self.entropies.append(dist.entropy())
        return int(a)

    def finish(self):
        ret = 0.0
        returns = []
        for r in reversed(self.rewards):
            ret = r + self.gamma * ret
            returns.insert(0, ret)
        returns = torch.tensor(returns)
        values = torch.stack(self.values)
        adv = returns - values.detach()
        pg = -(torch.stack(self.log_probs) * adv).mean()
        vf = (returns - values).pow(2).mean()
        loss = pg + 0.5 * vf - 0.01 * torch.stack(self.entropies).mean()
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.policy.parameters(), 1.0)
        self.opt.step()
        total = sum(self.rewards)
        for box in (self.log_probs, self.values, self.entropies, self.rewards):
            box.clear()
        self.h = None
        return total, loss.item()


def main():
    torch.manual_seed(14)
    env = Ferry(torch.Generator().manual_seed(14))
    agent = Agent(Policy())
    recent = deque(maxlen=20)
    log = []
    for episode in range(120):
        obs = env.reset()
        agent.start()
        done = False
        while not done:
            obs, r, done = env.step(agent.choose(obs))
            agent.rewards.append(r)
        total, loss = agent.finish()
        recent.append(total)
        if episode % 20 == 19:
            log.append({"episode": episode + 1, "return": round(sum(recent) / len(recent), 3), "loss": round(loss, 4)})
    for row in log:
        print(json.dumps(row))


if __name__ == "__main__":
    main()
