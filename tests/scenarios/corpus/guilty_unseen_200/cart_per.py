# gradwatch-corpus: kind=graph-held
# holder: self.priority | memory.priority
# first-bad: 1
"""DQN with prioritized replay on a toy cart."""
import copy
import random

import torch
from torch import nn
import torch.nn.functional as F


class Cart:
    def reset(self):
        self.x, self.v, self.t = random.uniform(-1, 1), 0.0, 0
        return [self.x, self.v]

    def step(self, a):
        self.v = 0.9 * self.v + 0.1 * (a - 1)
        self.x += self.v
        self.t += 1
        return [self.x, self.v], -abs(self.x), self.t >= 30 or abs(self.x) > 2


class PrioritizedMemory:
    def __init__(self, capacity, alpha=0.6):
        self.capacity, self.alpha = capacity, alpha
        self.data, self.priority = [], []
        self.cursor = 0

    def push(self, item):
        if len(self.data) < self.capacity:
            self.data.append(item)
            self.priority.append(1.0)
        else:
            self.data[self.cursor], self.priority[self.cursor] = item, 1.0
        self.cursor = (self.cursor + 1) % self.capacity

    def sample(self, n):
        p = torch.tensor([q if isinstance(q, float) else q.item() for q in self.priority]) ** self.alpha
        idx = torch.multinomial(p, n).tolist()
        s, a, r, s2, d = zip(*(self.data[i] for i in idx))
        w = (len(p) * p[idx] / p.sum()).reciprocal()
        return idx, w / w.max(), (torch.tensor(s), torch.tensor(a), torch.tensor(r),
                                  torch.tensor(s2), torch.tensor(d).float())

    def update(self, idx, errors):
        for i, e in zip(idx, errors):
            self.priority[i] = e.abs() + 1e-3  # <- culprit


class QNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, 32), nn.ReLU())
        self.value, self.adv = nn.Linear(32, 1), nn.Linear(32, 3)

    def forward(self, s):
        h = self.body(s)
        a = self.adv(h)
        return self.value(h) + a - a.mean(-1, keepdim=True)


def learn(q, target, memory, opt, gamma=0.95):
    idx, w, (s, a, r, s2, d) = memory.sample(16)
    with torch.no_grad():
        best = q(s2).argmax(1, keepdim=True)
        y = r + gamma * (1 - d) * target(s2).gather(1, best).squeeze(1)
    td = y - q(s).gather(1, a[:, None]).squeeze(1)
    loss = (w * F.smooth_l1_loss(td, torch.zeros_like(td), reduction="none")).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    memory.update(idx, td)
    return loss.item()


def main(steps=480):
    random.seed(2)
    torch.manual_seed(2)
    env, memory, q = Cart(), PrioritizedMemory(20000), QNet()
    target = copy.deepcopy(q)
    opt = torch.optim.Adam(q.parameters(), lr=1e-3)
    s = env.reset()
    for step in range(-64, steps):
        for _ in range(4):
            if random.random() < max(0.05, 1 - step / 300):
                a = random.randrange(3)
            else:
                with torch.no_grad():
                    a = q(torch.tensor(s)).argmax().item()
            s2, r, done = env.step(a)
            memory.push((s, a, r, s2, done))
            s = env.reset() if done else s2
        if step < 0:
            continue
        loss = learn(q, target, memory, opt)
        if step % 50 == 0:
            target.load_state_dict(q.state_dict())
            print(step, f"{loss:.4f}", len(memory.data))


if __name__ == "__main__":
    main()
