# gradwatch-corpus: kind=inplace-modified
# first-bad: 1
"""Deterministic actor with a critic on a damped point mass, with delayed policy updates."""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F


def mlp(*sizes):
    layers = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        layers.append(nn.Linear(a, b))
        layers.append(nn.ReLU())
    return nn.Sequential(*layers[:-1])


class PointMass:
    def reset(self):
        self.s = torch.randn(2)
        return self.s

    def step(self, a):
        pos, vel = self.s
        vel = 0.95 * vel + 0.1 * a
        self.s = torch.stack([pos + 0.1 * vel, vel])
        return self.s, -(pos ** 2 + 0.01 * a ** 2).item()


class Agent:
    def __init__(self, delay=2):
        self.actor = mlp(2, 32, 1)
        self.critic = mlp(3, 32, 1)
        self.pi_opt = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.q_opt = torch.optim.Adam(self.critic.parameters(), lr=1e-3)
        self.delay = delay
        self.updates = 0

    def act(self, s, noise=0.3):
        with torch.no_grad():
            a = torch.tanh(self.actor(s)) + noise * torch.randn(1)
        return a.clamp(-1, 1).squeeze(0)

    def q(self, s, a):
        return self.critic(torch.cat([s, a], dim=-1)).squeeze(-1)

    def update(self, s, a, r, s2):
        self.updates += 1
        with torch.no_grad():
            target = r + 0.97 * self.q(s2, torch.tanh(self.actor(s2)))
        pi_loss = -self.q(s, torch.tanh(self.actor(s))).mean()  # <- culprit
        q_loss = F.mse_loss(self.q(s, a), target)
        self.q_opt.zero_grad()
        q_loss.backward()
        self.q_opt.step()  # <- culprit
        if self.updates % self.delay == 0:
            self.pi_opt.zero_grad()
            pi_loss.backward()
            self.pi_opt.step()
        return q_loss.item()


def explore(env, agent, memory, n):
    s = env.s
    for _ in range(n):
        a = agent.act(s)
        s2, r = env.step(a)
        memory.append((s, a.view(1), torch.tensor(r), s2))
        s = s2


def main(steps=160, batch=32):
    torch.manual_seed(4)
    random.seed(4)
    env = PointMass()
    env.reset()
    agent = Agent()
    memory = []
    explore(env, agent, memory, 64)
    for t in range(steps):
        explore(env, agent, memory, 1)
        picks = random.choices(memory, k=batch)
        cols = [torch.stack(col) for col in zip(*picks)]
        q_loss = agent.update(*cols)
        if t % 20 == 0:
            print(t, "q_loss", q_loss)


main()
