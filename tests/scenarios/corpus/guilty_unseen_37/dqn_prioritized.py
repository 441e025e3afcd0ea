# gradwatch-corpus: kind=graph-held
# holder: self.priorities | memory.priorities
# first-bad: 1
import copy
import random

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)


class PrioritizedReplay:
    def __init__(self, capacity, alpha=0.6):
        self.capacity, self.alpha = capacity, alpha
        self.storage, self.priorities = [], []
        self.cursor = 0

    def add(self, *transition):
        p = max((float(q) for q in self.priorities[-20:]), default=1.0)
        if len(self.storage) < self.capacity:
            self.storage.append(transition)
            self.priorities.append(p)
        else:
            self.storage[self.cursor] = transition
            self.priorities[self.cursor] = p
            self.cursor = (self.cursor + 1) % self.capacity

    def sample(self, n):
        pr = np.array([float(p) for p in self.priorities]) ** self.alpha
        idx = np.random.choice(len(self.storage), n, p=pr / pr.sum())
        s, a, r, s2, d = zip(*(self.storage[i] for i in idx))
        f32 = torch.float32
        return idx, (torch.tensor(np.stack(s), dtype=f32), torch.tensor(a), torch.tensor(r, dtype=f32),
                     torch.tensor(np.stack(s2), dtype=f32), torch.tensor(d, dtype=f32))

    def update_priorities(self, idx, td_errors):
        for i, e in zip(idx, td_errors):
            self.priorities[i] = e.abs() + 1e-4  # <- culprit


class PointEnv:
    def reset(self):
        self.x = np.random.uniform(-1, 1, 2).astype(np.float32)
        self.t = 0
        return self.x.copy()

    def step(self, a):
        self.x += 0.2 * np.array([(1, 0), (-1, 0), (0, 1), (0, -1)][a], dtype=np.float32)
        self.t += 1
        dist = float(np.linalg.norm(self.x))
        return self.x.copy(), -dist, dist < 0.2 or self.t > 25


class DQN:
    def __init__(self, gamma=0.97, lr=1e-3):
        self.q = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 4))
        self.target = copy.deepcopy(self.q)
        self.opt = torch.optim.Adam(self.q.parameters(), lr=lr)
        self.gamma = gamma

    def act(self, s, eps):
        if random.random() < eps:
            return random.randrange(4)
        with torch.no_grad():
            return self.q(torch.from_numpy(s)).argmax().item()

    def learn(self, memory, n):
        idx, (s, a, r, s2, d) = memory.sample(n)
        with torch.no_grad():
            y = r + self.gamma * (1 - d) * self.target(s2).max(1).values
        td = self.q(s).gather(1, a[:, None]).squeeze(1) - y
        loss = F.smooth_l1_loss(td, torch.zeros_like(td))
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        memory.update_priorities(idx, td)  # <- culprit
        return loss.item()


def main(steps=220, warmup=60):
    random.seed(0), np.random.seed(0), torch.manual_seed(0)
    env, agent, memory = PointEnv(), DQN(), PrioritizedReplay(2000)
    s, ret = env.reset(), 0.0
    for t in range(steps):
        a = agent.act(s, eps=max(0.1, 1 - t / 150))
        s2, r, done = env.step(a)
        memory.add(s, a, r, s2, float(done))
        ret += r
        if done:
            print(f"t={t} return {ret:.2f}")
            s, ret = env.reset(), 0.0
        else:
            s = s2
        if t >= warmup:
            agent.learn(memory, 16)
        if t % 50 == 0:
            agent.target.load_state_dict(agent.q.state_dict())


if __name__ == "__main__":
    main()
