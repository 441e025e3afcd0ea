# gradwatch-corpus: kind=graph-held
# holder: self.priorities | agent.memory.priorities | memory.priorities | self.memory.priorities
"""DQN with prioritized replay on a small corridor, following Schaul et al. (simplified)."""
import random

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(3)
random.seed(3)
np.random.seed(3)


class Corridor:
    def __init__(self, n=10):
        self.n = n

    def obs(self):
        v = np.zeros(self.n, dtype=np.float32)
        v[self.pos] = 1.0
        return v

    def reset(self):
        self.pos, self.t = 0, 0
        return self.obs()

    def step(self, a):
        self.pos = min(self.n - 1, max(0, self.pos + (1 if a == 1 else -1)))
        self.t += 1
        done = self.pos == self.n - 1 or self.t >= 60
        return self.obs(), float(self.pos == self.n - 1) - 0.01, done


class PrioritizedMemory:
    def __init__(self, alpha=0.6):
        self.alpha = alpha
        self.data = []
        self.priorities = []

    def push(self, transition, priority):
        self.data.append(transition)
        self.priorities.append(priority)

    def sample(self, k):
        p = np.array([torch.as_tensor(x).item() for x in self.priorities]) ** self.alpha
        idx = np.random.choice(len(self.data), k, p=p / p.sum())
        return idx, [self.data[i] for i in idx]

    def update(self, idx, errors):
        for i, e in zip(idx, errors):
            self.priorities[i] = e.abs() + 1e-3  # <- culprit


class Agent:
    def __init__(self, n_obs, n_act, gamma=0.97):
        self.q = nn.Sequential(nn.Linear(n_obs, 48), nn.ReLU(), nn.Linear(48, n_act))
        self.target = nn.Sequential(nn.Linear(n_obs, 48), nn.ReLU(), nn.Linear(48, n_act))
        self.target.load_state_dict(self.q.state_dict())
        self.opt = torch.optim.Adam(self.q.parameters(), lr=2e-3)
        self.memory = PrioritizedMemory()
        self.gamma = gamma

    @torch.no_grad()
    def act(self, s, eps):
        if random.random() < eps:
            return random.randrange(2)
        return int(self.q(torch.from_numpy(s)[None]).argmax(1))

    def learn(self, k=16):
        idx, batch = self.memory.sample(k)
        s, a, r, s2, d = map(np.array, zip(*batch))
        s, s2 = torch.from_numpy(s), torch.from_numpy(s2)
        q = self.q(s).gather(1, torch.from_numpy(a)[:, None]).squeeze(1)
        with torch.no_grad():
            nxt = self.target(s2).max(1).values
            y = torch.from_numpy(r).float() + self.gamma * nxt * (1 - torch.from_numpy(d).float())
        td = y - q  # <- culprit
        loss = F.smooth_l1_loss(q, y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.memory.update(idx, td)  # <- culprit
        return loss.item()


env = Corridor()
agent = Agent(10, 2)
obs = env.reset()
losses, finished = [], 0
for step in range(420):
    eps = max(0.05, 1.0 - step / 300)
    a = agent.act(obs, eps)
    obs2, rew, done = env.step(a)
    agent.memory.push((obs, a, rew, obs2, float(done)), 1.0)
    obs = env.reset() if done else obs2
    finished += done
    if step >= 40 and step % 2 == 0:
        losses.append(agent.learn())
    if step % 50 == 0:
        agent.target.load_state_dict(agent.q.state_dict())
print("episodes", finished, "loss %.4f" % np.mean(losses[-20:]))
