# gradwatch-corpus: kind=none
"""REINFORCE on a windy corridor: the agent must stop at the charger without overshooting.

Each episode's log-probabilities, entropies and rewards are kept until the episode is over;
then one loss is made of all of them.
"""
from dataclasses import dataclass, field
from typing import List

import torch
import torch.nn as nn
from torch.distributions import Categorical


class Corridor:
    def __init__(self, length=5, gen=None):
        self.length, self.gen = length, gen

    def reset(self):
        self.pos, self.t = 0, 0
        return self.observe()

    def observe(self):
        one_hot = torch.zeros(self.length + 1)
        one_hot[self.pos] = 1.0
        one_hot[-1] = self.t / 12
        return one_hot

    def step(self, action):
        self.t += 1
        if action == 2:                                     # dock
            return self.observe(), (5.0 if self.pos == self.length - 2 else -3.0), True
        move = 1 if action == 1 else -1
        if torch.rand((), generator=self.gen) < 0.1:
            move = 0
        self.pos = min(max(self.pos + move, 0), self.length - 1)
        return self.observe(), -0.1, self.t >= 12


@dataclass
class Episode:
    logp: List[torch.Tensor] = field(default_factory=list)
    entropy: List[torch.Tensor] = field(default_factory=list)
    value: List[torch.Tensor] = field(default_factory=list)
    reward: List[float] = field(default_factory=list)

    def clear(self):
        for part in (self.logp, self.entropy, self.value, self.reward):
            part.clear()

    def returns(self, gamma):
        out, acc = [], 0.0
        for r in reversed(self.reward):
            acc = r + gamma * acc
            out.append(acc)
        return torch.tensor(out[::-1])

    def loss(self, gamma=0.98, beta=0.1):
        ret = self.returns(gamma)
        value = torch.stack(self.value)
        adv = ret - value.detach()
        policy = -(torch.stack(self.logp) * adv).sum()
        return policy + 0.5 * (ret - value).square().sum() - beta * torch.stack(self.entropy).sum()


class Agent(nn.Module):
    def __init__(self, n_obs):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_obs, 16), nn.Tanh())
        self.pi, self.v = nn.Linear(16, 3), nn.Linear(16, 1)

    def forward(self, obs):
        h = self.body(obs)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


def main(episodes=320):
    torch.set_num_threads(1)
    torch.manual_seed(14)
    env = Corridor(gen=torch.Generator().manual_seed(1))
    agent = Agent(env.length + 1)
    opt = torch.optim.Adam(agent.parameters(), lr=1e-2)
    memory = Episode()
    scores = []
    for ep in range(episodes):
        obs, over = env.reset(), False
        while not over:
            dist, value = agent(obs)
            action = dist.sample()
            obs, reward, over = env.step(action.item())
            memory.logp.append(dist.log_prob(action))
            memory.entropy.append(dist.entropy())
            memory.value.append(value)
            memory.reward.append(reward)
        loss = memory.loss()
        opt.zero_grad()
        loss.backward()
        opt.step()
        scores.append(sum(memory.reward))
        memory.clear()
        if (ep + 1) % 80 == 0:
            print(f"episode {ep + 1}: mean score {sum(scores[-80:]) / 80:.2f}")


if __name__ == "__main__":
    main()
