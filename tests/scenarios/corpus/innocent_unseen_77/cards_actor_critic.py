# gradwatch-corpus: kind=none
"""Recurrent actor-critic for a higher/lower card guessing game with a shrinking shoe."""
import random
from collections import deque
from dataclasses import dataclass, field
from typing import List

import torch
from torch import nn
from torch.distributions import Categorical


@dataclass
class Episode:
    log_probs: List[torch.Tensor] = field(default_factory=list)
    values: List[torch.Tensor] = field(default_factory=list)
    entropies: List[torch.Tensor] = field(default_factory=list)
    rewards: List[float] = field(default_factory=list)

    def __len__(self):
        return len(self.rewards)

    @property
    def total(self):
        return sum(self.rewards)


class Shoe:
    def __init__(self, seed, max_rounds):
        self.rng = random.Random(seed)
        self.max_rounds = max_rounds

    def reset(self):
        self.cards = [r for r in range(13) for _ in range(2)]
        self.rng.shuffle(self.cards)
        self.rounds = 0
        self.current = self.cards.pop()
        return self.observe()

    def observe(self):
        left = torch.tensor([self.cards.count(r) for r in range(13)]).float() / 2
        return torch.cat([left, torch.eye(13)[self.current]])

    def step(self, action):
        nxt = self.cards.pop()
        reward = 0.0 if nxt == self.current else (1.0 if (nxt > self.current) == bool(action) else -1.0)
        self.current = nxt
        self.rounds += 1
        return self.observe(), reward, self.rounds >= self.max_rounds


class Memory(nn.Module):
    """Keeps its hidden state between calls until `forget`."""

    def __init__(self, n_in, width):
        super().__init__()
        self.cell = nn.GRUCell(n_in, width)
        self.width = width
        self.h = None

    def forget(self):
        self.h = None

    def forward(self, obs):
        if self.h is None:
            self.h = obs.new_zeros(1, self.width)
        self.h = self.cell(obs[None], self.h)
        return self.h[0]


class Agent(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.memory = Memory(26, width)
        self.actor = nn.Linear(width, 2)
        self.critic = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))

    def act(self, obs):
        z = self.memory(obs)
        return Categorical(logits=self.actor(z)), self.critic(z.detach()).squeeze(-1)


class Trainer:
    def __init__(self, agent, env, gamma=0.9):
        self.agent, self.env, self.gamma = agent, env, gamma
        pol = [*agent.memory.parameters(), *agent.actor.parameters()]
        self.opt_pi = torch.optim.Adam(pol, lr=3e-3)
        self.opt_v = torch.optim.Adam(agent.critic.parameters(), lr=1e-2)
        self.buffer = []
        self.recent = deque(maxlen=50)

    def play(self):
        ep = Episode()
        obs, done = self.env.reset(), False
        self.agent.memory.forget()
        while not done:
            dist, value = self.agent.act(obs)
            a = dist.sample()
            obs, r, done = self.env.step(a.item())
            ep.log_probs.append(dist.log_prob(a))
            ep.entropies.append(dist.entropy())
            ep.values.append(value)
            ep.rewards.append(r)
        self.recent.append(ep.total)
        return ep

    def returns(self, ep):
        g, out = 0.0, []
        for r in reversed(ep.rewards):
            g = r + self.gamma * g
            out.append(g)
        return torch.tensor(out[::-1])

    def learn(self):
        pi_loss, v_loss, n = 0.0, 0.0, sum(map(len, self.buffer))
        for ep in self.buffer:
            ret, val = self.returns(ep), torch.stack(ep.values)
            adv = ret - val.detach()
            pi_loss = pi_loss - (torch.stack(ep.log_probs) * adv).sum() / n
            pi_loss = pi_loss - 0.01 * torch.stack(ep.entropies).sum() / n
            v_loss = v_loss + (ret - val).pow(2).sum() / n
        for opt, loss in ((self.opt_pi, pi_loss), (self.opt_v, v_loss)):
            opt.zero_grad()
            loss.backward()
            opt.step()
        self.buffer.clear()

    def run(self, updates, episodes_each=2):
        for u in range(updates):
            self.env.max_rounds = min(4 + u // 15, 16)
            while len(self.buffer) < episodes_each:
                self.buffer.append(self.play())
            self.learn()
            if u % 30 == 0:
                print(f"update {u:3d} rounds {self.env.max_rounds:2d} return {sum(self.recent) / len(self.recent):+.2f}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(2)
    Trainer(Agent(), Shoe(seed=7, max_rounds=4)).run(updates=180)
