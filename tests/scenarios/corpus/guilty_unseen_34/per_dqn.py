# gradwatch-corpus: kind=graph-held
# holder: self.priorities | memory.priorities | agent.memory.priorities | self.memory.priorities
# first-bad: 1
import random
from collections import namedtuple

import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim

Transition = namedtuple("Transition", "state action reward next_state done")


class LineWorld:
    """Walk to the right end of a corridor; windy."""

    def __init__(self, size=12):
        self.size = size

    def reset(self):
        self.pos, self.t = self.size // 3, 0
        return self._obs()

    def _obs(self):
        v = np.zeros(self.size, dtype=np.float32)
        v[self.pos] = 1.0
        return v

    def step(self, action):
        move = 1 if action == 1 else -1
        if random.random() < 0.15:
            move = -move
        self.pos = min(max(self.pos + move, 0), self.size - 1)
        self.t += 1
        done = self.pos == self.size - 1 or self.t >= 40
        reward = 1.0 if self.pos == self.size - 1 else -0.02
        return self._obs(), reward, done


class PrioritizedMemory:
    def __init__(self, capacity, alpha=0.6):
        self.capacity = capacity
        self.alpha = alpha
        self.data = []
        self.priorities = []
        self.cursor = 0

    def push(self, tr):
        p = max((float(p) for p in self.priorities), default=1.0)
        if len(self.data) < self.capacity:
            self.data.append(tr)
            self.priorities.append(p)
        else:
            self.data[self.cursor] = tr
            self.priorities[self.cursor] = p
        self.cursor = (self.cursor + 1) % self.capacity

    def sample(self, n, beta=0.4):
        prios = np.array([float(p) for p in self.priorities]) ** self.alpha
        probs = prios / prios.sum()
        idx = np.random.choice(len(self.data), n, p=probs)
        w = (len(self.data) * probs[idx]) ** (-beta)
        return idx, [self.data[i] for i in idx], torch.tensor(w / w.max(), dtype=torch.float32)

    def update(self, idx, errors):
        for i, e in zip(idx, errors):
            self.priorities[i] = e.abs() + 1e-5  # <- culprit


def mlp(n_in, n_out):
    return nn.Sequential(nn.Linear(n_in, 48), nn.ReLU(), nn.Linear(48, n_out))


class Agent:
    def __init__(self, n_obs, n_act, gamma=0.97):
        self.q, self.target = mlp(n_obs, n_act), mlp(n_obs, n_act)
        self.target.load_state_dict(self.q.state_dict())
        self.opt = optim.Adam(self.q.parameters(), lr=2e-3)
        self.memory = PrioritizedMemory(400)
        self.gamma, self.n_act, self.updates = gamma, n_act, 0

    def act(self, s, eps):
        if random.random() < eps:
            return random.randrange(self.n_act)
        with torch.no_grad():
            return self.q(torch.from_numpy(s)).argmax().item()

    def learn(self, batch_size=32):
        idx, batch, w = self.memory.sample(batch_size)
        b = Transition(*zip(*batch))
        s, s2 = torch.from_numpy(np.stack(b.state)), torch.from_numpy(np.stack(b.next_state))
        r, d = torch.tensor(b.reward), torch.tensor(b.done, dtype=torch.float32)
        q = self.q(s).gather(1, torch.tensor(b.action)[:, None]).squeeze(1)
        with torch.no_grad():
            y = r + self.gamma * (1 - d) * self.target(s2).max(1).values
        td = y - q
        loss = (w * td.pow(2)).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.memory.update(idx, td)  # <- culprit
        self.updates += 1
        if self.updates % 25 == 0:
            self.target.load_state_dict(self.q.state_dict())
        return loss.item()


def main(max_updates=150):
    random.seed(0); np.random.seed(0); torch.manual_seed(0)
    env, agent, episode = LineWorld(), Agent(12, 2), 0
    while agent.updates < max_updates:
        s, done, ret, loss = env.reset(), False, 0.0, float("nan")
        while not done and agent.updates < max_updates:
            a = agent.act(s, max(0.1, 1 - agent.updates / 100))
            s2, r, done = env.step(a)
            agent.memory.push(Transition(s, a, r, s2, done))
            s, ret = s2, ret + r
            if len(agent.memory.data) >= 64:
                loss = agent.learn()
        episode += 1
        print(f"ep {episode:2d} return {ret:.2f} loss {loss:.4f} updates {agent.updates}")


if __name__ == "__main__":
    main()
