# gradwatch-corpus: kind=none
"""Warehouse picker robot on a grid: double Q-learning with a ring of transitions."""
import copy
import random

import torch
from torch import nn


class Ring:
    def __init__(self, capacity, obs_dim):
        self.obs = torch.zeros(capacity, obs_dim)
        self.nxt = torch.zeros(capacity, obs_dim)
        self.act = torch.zeros(capacity, dtype=torch.long)
        self.rew = torch.zeros(capacity)
        self.value = torch.zeros(capacity)
        self.capacity = capacity
        self.count = 0

    def push(self, obs, act, rew, nxt, value):
        slot = self.count % self.capacity
        self.obs[slot] = obs
        self.nxt[slot] = nxt
        self.act[slot] = act
        self.rew[slot] = rew
        self.value[slot] = value
        self.count += 1

    def draw(self, n):
        idx = torch.randint(0, min(self.count, self.capacity), (n,))
        return self.obs[idx], self.act[idx], self.rew[idx], self.nxt[idx]


class Aisle:
    moves = [(0, 1), (0, -1), (1, 0), (-1, 0)]

    def __init__(self, size):
        self.size = size
        self.reset()

    def reset(self):
        self.pos = [0, 0]
        self.goal = [random.randrange(self.size), random.randrange(self.size)]
        return self.observe()

    def observe(self):
        return torch.tensor([*self.pos, *self.goal], dtype=torch.float) / self.size

    def act(self, k):
        dx, dy = self.moves[k]
        self.pos[0] = min(max(self.pos[0] + dx, 0), self.size - 1)
        self.pos[1] = min(max(self.pos[1] + dy, 0), self.size - 1)
        done = self.pos == self.goal
        reward = 1.0 if done else -0.02
        return self.reset() if done else self.observe(), reward


class Agent:
    def __init__(self):
        self.q = nn.Sequential(nn.Linear(4, 48), nn.ReLU(), nn.Linear(48, 4))
        self.target = copy.deepcopy(self.q).requires_grad_(False)
        self.opt = torch.optim.Adam(self.q.parameters(), lr=2e-3)
        self.ring = Ring(500, 4)

    @torch.no_grad()
    def choose(self, obs, eps):
        values = self.q(obs)
        k = random.randrange(4) if random.random() < eps else values.argmax().item()
        return k, values[k]

    def learn(self):
        obs, act, rew, nxt = self.ring.draw(64)
        q = self.q(obs).gather(1, act[:, None]).squeeze(1)
        with torch.no_grad():
            best = self.q(nxt).argmax(1, keepdim=True)
            goal = rew + 0.95 * self.target(nxt).gather(1, best).squeeze(1)
        loss = nn.functional.smooth_l1_loss(q, goal)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        with torch.no_grad():
            for t, s in zip(self.target.parameters(), self.q.parameters()):
                t.lerp_(s, 0.02)
        return loss


def main():
    random.seed(6)
    torch.manual_seed(6)
    agent = Agent()
    env = Aisle(5)
    obs = env.reset()
    loss = None
    for step in range(200):
        for _ in range(4):
            k, value = agent.choose(obs, eps=max(0.1, 1 - step / 100))
            nxt, rew = env.act(k)
            agent.ring.push(obs, k, rew, nxt, value)
            obs = nxt
        loss = agent.learn()
        if step % 50 == 0:
            print(step, f"{loss.item():.4f}")


if __name__ == "__main__":
    main()
