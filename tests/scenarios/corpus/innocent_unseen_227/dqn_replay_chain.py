# gradwatch-corpus: kind=none
"""Double DQN on a chain MDP with prioritised replay and a target network."""
import random
from collections import deque, namedtuple

import torch
import torch.nn as nn

Step = namedtuple("Step", "obs act rew nxt done q")


class Chain:
    def __init__(self, n=8):
        self.n = n
        self.i = 0

    def obs(self):
        return torch.eye(self.n)[self.i]

    def step(self, a):
        self.i = min(self.i + 1, self.n - 1) if a == 1 else max(self.i - 1, 0)
        done = self.i == self.n - 1
        rew = 1.0 if done else -0.01
        nxt = self.obs()
        if done:
            self.i = 0
        return nxt, rew, done


class QNet(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n, 32), nn.ReLU())
        self.adv = nn.Linear(32, 2)
        self.val = nn.Linear(32, 1)

    def forward(self, x):
        h = self.body(x)
        a = self.adv(h)
        return self.val(h) + a - a.mean(-1, keepdim=True)


class Replay:
    def __init__(self, cap):
        self.data = deque(maxlen=cap)
        self.prio = deque(maxlen=cap)

    def add(self, step):
        self.data.append(step)
        self.prio.append(max(self.prio, default=1.0))

    def sample(self, n):
        idx = random.choices(range(len(self.data)), weights=list(self.prio), k=n)
        return idx, [self.data[i] for i in idx]

    def update(self, idx, td):
        for i, d in zip(idx, td.tolist()):
            self.prio[i] = abs(d) + 0.01


def learn(online, target, opt, replay, gamma=0.95):
    idx, batch = replay.sample(32)
    obs = torch.stack([b.obs for b in batch])
    nxt = torch.stack([b.nxt for b in batch])
    act = torch.tensor([b.act for b in batch])
    rew = torch.tensor([b.rew for b in batch])
    live = torch.tensor([0.0 if b.done else 1.0 for b in batch])
    with torch.no_grad():
        best = online(nxt).argmax(1, keepdim=True)
        goal = rew + gamma * live * target(nxt).gather(1, best).squeeze(1)
    q = online(obs).gather(1, act[:, None]).squeeze(1)
    td = q - goal
    loss = td.pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    replay.update(idx, td.detach())
    return loss.item()


def main():
    torch.manual_seed(33)
    random.seed(33)
    env = Chain()
    online = QNet(env.n)
    target = QNet(env.n)
    target.load_state_dict(online.state_dict())
    opt = torch.optim.Adam(online.parameters(), lr=3e-3)
    replay = Replay(400)
    for t in range(190):
        obs = env.obs()
        with torch.no_grad():
            q = online(obs)
        eps = max(0.1, 1 - t / 100)
        act = random.randrange(2) if random.random() < eps else q.argmax().item()
        nxt, rew, done = env.step(act)
        replay.add(Step(obs, act, rew, nxt, done, q))
        loss = learn(online, target, opt, replay) if t >= 32 else None
        if t % 20 == 0:
            target.load_state_dict(online.state_dict())
        if t % 38 == 37:
            print(t + 1, loss, q.tolist())


main()
