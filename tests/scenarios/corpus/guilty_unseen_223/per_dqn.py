# gradwatch-corpus: kind=graph-held
# holder: self.priorities | memory.priorities
# first-bad: 1
"""Prioritised replay double DQN on a corridor."""
import copy
import random

import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim


class Corridor:
    LENGTH = 9

    def reset(self):
        self.pos = 1
        self.t = 0
        return self._obs()

    def _obs(self):
        o = np.zeros(self.LENGTH, dtype=np.float32)
        o[self.pos] = 1.0
        return o

    def step(self, a):
        self.t += 1
        self.pos = max(0, self.pos + (1 if a == 1 else -1))
        done = self.pos == self.LENGTH - 1 or self.t >= 30
        reward = 1.0 if self.pos == self.LENGTH - 1 else -0.01
        return self._obs(), reward, done


class PrioritizedMemory:
    def __init__(self, capacity, alpha=0.6):
        self.capacity = capacity
        self.alpha = alpha
        self.data = []
        self.priorities = []
        self.next = 0

    def push(self, transition):
        prio = max((float(p) for p in self.priorities), default=1.0)
        if len(self.data) < self.capacity:
            self.data.append(transition)
            self.priorities.append(prio)
        else:
            self.data[self.next] = transition
            self.priorities[self.next] = prio
        self.next = (self.next + 1) % self.capacity

    def sample(self, n, beta):
        p = np.array([float(x) for x in self.priorities]) ** self.alpha
        p = p / p.sum()
        idx = np.random.choice(len(self.data), n, p=p)
        w = (len(self.data) * p[idx]) ** (-beta)
        w = torch.tensor(w / w.max(), dtype=torch.float32)
        return idx, w, [self.data[i] for i in idx]

    def update(self, idx, errors):
        for i, e in zip(idx, errors):
            self.priorities[i] = e.abs() + 1e-5  # <- culprit


def mlp():
    return nn.Sequential(nn.Linear(Corridor.LENGTH, 48), nn.ReLU(), nn.Linear(48, 2))


def learn(policy, target, memory, opt, beta, gamma=0.97):
    idx, w, batch = memory.sample(16, beta)
    s, a, r, s2, d = zip(*batch)
    s = torch.from_numpy(np.stack(s))
    s2 = torch.from_numpy(np.stack(s2))
    a = torch.tensor(a).unsqueeze(1)
    r = torch.tensor(r)
    d = torch.tensor(d, dtype=torch.float32)
    q = policy(s).gather(1, a).squeeze(1)
    with torch.no_grad():
        best = policy(s2).argmax(1, keepdim=True)
        y = r + gamma * (1 - d) * target(s2).gather(1, best).squeeze(1)
    td = q - y
    loss = (w * td.pow(2)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    memory.update(idx, td)  # <- culprit
    return loss.item()


if __name__ == "__main__":
    random.seed(0)
    np.random.seed(0)
    torch.manual_seed(0)
    env = Corridor()
    policy = mlp()
    target = copy.deepcopy(policy)
    opt = optim.Adam(policy.parameters(), lr=2e-3)
    memory = PrioritizedMemory(600)
    obs = env.reset()
    for _ in range(400):
        a = random.randrange(2)
        nxt, rew, done = env.step(a)
        memory.push((obs, a, rew, nxt, done))
        obs = env.reset() if done else nxt

    for frame in range(150):
        if random.random() < max(0.1, 1 - frame / 100):
            a = random.randrange(2)
        else:
            with torch.no_grad():
                a = int(policy(torch.from_numpy(obs)).argmax())
        nxt, rew, done = env.step(a)
        memory.push((obs, a, rew, nxt, done))
        obs = env.reset() if done else nxt
        value = learn(policy, target, memory, opt, beta=0.4 + 0.6 * frame / 150)
        if frame % 20 == 0:
            target.load_state_dict(policy.state_dict())
        if frame % 50 == 49:
            print("frame", frame + 1, "loss", value)
