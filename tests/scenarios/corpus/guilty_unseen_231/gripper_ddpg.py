# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
"""Reach-a-target with DDPG, simplified for the robotics lab course."""
import copy
import random
from collections import deque

import torch
import torch.nn as nn

random.seed(0)
torch.manual_seed(0)

STATE = 4
ACTION = 2
GAMMA = 0.95
TAU = 0.01


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = nn.Linear(STATE, 32)
        self.l2 = nn.Linear(32, ACTION)

    def forward(self, s):
        return torch.tanh(self.l2(torch.relu(self.l1(s))))


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = nn.Linear(STATE + ACTION, 32)
        self.l2 = nn.Linear(32, 1)

    def forward(self, s, a):
        h = torch.relu(self.l1(torch.cat([s, a], 1)))
        return self.l2(h)


class ReachEnv:
    def reset(self):
        self.tip = torch.zeros(2)
        self.goal = torch.rand(2) * 2 - 1
        self.t = 0
        return torch.cat([self.tip, self.goal])

    def step(self, action):
        self.tip = self.tip + 0.2 * action
        self.t += 1
        dist = (self.tip - self.goal).norm().item()
        done = self.t >= 20 or dist < 0.05
        return torch.cat([self.tip, self.goal]), -dist, done


actor = Actor()
critic = Critic()
actor_target = copy.deepcopy(actor)
critic_target = copy.deepcopy(critic)
actor_opt = torch.optim.Adam(actor.parameters(), lr=1e-3)
critic_opt = torch.optim.Adam(critic.parameters(), lr=1e-3)
memory = deque(maxlen=5000)
env = ReachEnv()
batch_size = 32


def soft_update(target, source):
    with torch.no_grad():
        for t, s in zip(target.parameters(), source.parameters()):
            t.mul_(1 - TAU).add_(s, alpha=TAU)


def optimize():
    batch = random.sample(memory, batch_size)
    s, a, r, s2, d = (torch.stack(z) for z in zip(*batch))
    with torch.no_grad():
        target = r + GAMMA * (1 - d) * critic_target(s2, actor_target(s2))
    critic_loss = nn.functional.mse_loss(critic(s, a), target)
    actor_loss = -critic(s, actor(s)).mean()  # <- culprit

    critic_opt.zero_grad()
    critic_loss.backward()
    critic_opt.step()  # <- culprit

    actor_opt.zero_grad()
    actor_loss.backward()  # <- culprit
    actor_opt.step()

    soft_update(actor_target, actor)
    soft_update(critic_target, critic)
    return critic_loss.item(), actor_loss.item()


state = env.reset()
while len(memory) < 64:
    action = torch.rand(ACTION) * 2 - 1
    nxt, reward, done = env.step(action)
    memory.append((state, action, torch.tensor([reward]), nxt, torch.tensor([float(done)])))
    state = env.reset() if done else nxt

score = 0.0
for step in range(200):
    with torch.no_grad():
        action = actor(state.unsqueeze(0)).squeeze(0)
    action = (action + 0.2 * torch.randn(ACTION)).clamp(-1, 1)
    nxt, reward, done = env.step(action)
    memory.append((state, action, torch.tensor([reward]), nxt, torch.tensor([float(done)])))
    score += reward
    state = env.reset() if done else nxt
    losses = optimize()
    if step % 20 == 19:
        print(f"step {step + 1} reward {score / 20:.3f}")
        score = 0.0
