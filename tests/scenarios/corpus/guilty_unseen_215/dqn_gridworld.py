# gradwatch-corpus: kind=graph-held
# holder: self.stats["td_error"] | agent.stats["td_error"]
# first-bad: 1
import random
from collections import defaultdict, deque

import numpy as np
import torch
import torch.nn as nn


class Grid:
    SIZE = 5
    MOVES = [(0, 1), (0, -1), (1, 0), (-1, 0)]

    def reset(self):
        self.pos = (0, 0)
        self.t = 0
        return self.obs()

    def obs(self):
        v = np.zeros(self.SIZE * self.SIZE, dtype=np.float32)
        v[self.pos[0] * self.SIZE + self.pos[1]] = 1.0
        return v

    def step(self, a):
        dx, dy = self.MOVES[a]
        clip = lambda z: max(0, min(self.SIZE - 1, z))
        self.pos = (clip(self.pos[0] + dx), clip(self.pos[1] + dy))
        self.t += 1
        win = self.pos == (self.SIZE - 1, self.SIZE - 1)
        return self.obs(), 1.0 if win else -0.01, win or self.t >= 40


class Agent:
    def __init__(self, n_obs, n_act, gamma=0.97, lr=1e-3):
        mk = lambda: nn.Sequential(nn.Linear(n_obs, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, n_act))
        self.q, self.target = mk(), mk()
        self.target.load_state_dict(self.q.state_dict())
        self.opt = torch.optim.Adam(self.q.parameters(), lr=lr)
        self.gamma = gamma
        self.n_act = n_act
        self.memory = deque(maxlen=2000)
        self.stats = defaultdict(list)

    def act(self, s, eps):
        if random.random() < eps:
            return random.randrange(self.n_act)
        with torch.no_grad():
            return int(self.q(torch.from_numpy(s)).argmax())

    def learn(self, batch_size=64):
        s, a, r, s2, d = zip(*random.sample(self.memory, batch_size))
        s, s2 = torch.from_numpy(np.stack(s)), torch.from_numpy(np.stack(s2))
        a, r, d = torch.tensor(a), torch.tensor(r), torch.tensor(d, dtype=torch.float32)
        with torch.no_grad():
            target = r + self.gamma * (1 - d) * self.target(s2).max(1).values
        q = self.q(s).gather(1, a[:, None]).squeeze(1)
        td = target - q
        loss = nn.functional.huber_loss(q, target)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.stats["loss"].append(loss.item())
        self.stats["td_error"].append(td.abs().mean())  # <- culprit
        return loss.item()

    def sync(self):
        self.target.load_state_dict(self.q.state_dict())


def main():
    random.seed(1); np.random.seed(1); torch.manual_seed(1)
    env, agent = Grid(), Agent(25, 4)
    s, updates, frame = env.reset(), 0, 0
    while updates < 160:
        eps = max(0.05, 1.0 - frame / 600)
        a = agent.act(s, eps)
        s2, r, done = env.step(a)
        agent.memory.append((s, a, r, s2, done))
        s = env.reset() if done else s2
        frame += 1
        if len(agent.memory) >= 200 and frame % 4 == 0:
            agent.learn()
            updates += 1
            if updates % 25 == 0:
                agent.sync()
    recent = torch.stack(agent.stats["td_error"][-50:])
    print(f"updates {updates} loss {np.mean(agent.stats['loss'][-50:]):.5f} |td| {recent.mean().item():.4f}")


if __name__ == "__main__":
    main()
