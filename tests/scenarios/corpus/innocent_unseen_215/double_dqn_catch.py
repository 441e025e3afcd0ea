# gradwatch-corpus: kind=none
import copy
import random
from collections import deque
from dataclasses import dataclass, field

import torch
import torch.nn as nn


@dataclass
class Hyper:
    gamma: float = 0.95
    lr: float = 1e-3
    batch: int = 64
    capacity: int = 1500
    n_step: int = 3
    polyak: float = 0.02
    updates: int = 150


@dataclass
class Episode:
    states: list = field(default_factory=list)
    actions: list = field(default_factory=list)
    rewards: list = field(default_factory=list)


class Catch:
    H, W = 6, 5

    def reset(self):
        self.ball, self.row, self.paddle = random.randrange(self.W), 0, self.W // 2
        return self.state()

    def state(self):
        s = torch.zeros(2, self.H, self.W)
        s[0, self.row, self.ball] = 1
        s[1, -1, self.paddle] = 1
        return s

    def step(self, a):
        self.paddle = min(self.W - 1, max(0, self.paddle + a - 1))
        self.row += 1
        done = self.row == self.H - 1
        return self.state(), (1.0 if self.ball == self.paddle else -1.0) if done else 0.0, done


class DuelingNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Flatten(), nn.Linear(60, 64), nn.ReLU())
        self.v, self.a = nn.Linear(64, 1), nn.Linear(64, 3)

    def forward(self, x):
        h = self.body(x)
        a = self.a(h)
        return self.v(h) + a - a.mean(1, keepdim=True)


class PrioritizedMemory:
    def __init__(self, capacity):
        self.data = deque(maxlen=capacity)
        self.priority = deque(maxlen=capacity)

    def push(self, item):
        self.data.append(item)
        self.priority.append(torch.tensor(1.0))

    def sample(self, n):
        p = torch.stack(list(self.priority)) ** 0.6
        idx = torch.multinomial(p, n, replacement=True)
        weights = (len(p) * p[idx] / p.sum()) ** -0.4
        return idx.tolist(), [self.data[i] for i in idx], weights / weights.max()

    def update(self, idx, td):
        for i, e in zip(idx, td):
            self.priority[i] = e + 1e-3


def main():
    random.seed(3); torch.manual_seed(3)
    hp, env, memory = Hyper(), Catch(), PrioritizedMemory(Hyper.capacity)
    q = DuelingNet()
    target = copy.deepcopy(q).requires_grad_(False)
    opt = torch.optim.Adam(q.parameters(), lr=hp.lr)
    done_updates, returns, losses = 0, deque(maxlen=50), []
    while done_updates < hp.updates:
        ep, s, done = Episode(), env.reset(), False
        eps = max(0.05, 1 - done_updates / 100)
        while not done:
            with torch.no_grad():
                a = random.randrange(3) if random.random() < eps else int(q(s[None]).argmax())
            s2, r, done = env.step(a)
            ep.states.append(s); ep.actions.append(a); ep.rewards.append(r)
            s = s2
        ep.states.append(s)
        T = len(ep.actions)
        for t in range(T):
            end = min(T, t + hp.n_step)
            ret = sum(hp.gamma ** (k - t) * ep.rewards[k] for k in range(t, end))
            memory.push((ep.states[t], ep.actions[t], ret, ep.states[end], hp.gamma ** (end - t) * (end < T)))
        returns.append(sum(ep.rewards))
        if len(memory.data) < 150:
            continue
        idx, items, w = memory.sample(hp.batch)
        s_, a_, r_, n_, g_ = zip(*items)
        s_, n_ = torch.stack(s_), torch.stack(n_)
        with torch.no_grad():
            best = q(n_).argmax(1, keepdim=True)
            y = torch.tensor(r_) + torch.tensor(g_) * target(n_).gather(1, best).squeeze(1)
        td = q(s_).gather(1, torch.tensor(a_)[:, None]).squeeze(1) - y
        loss = (w * td.pow(2)).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        memory.update(idx, td.detach().abs())
        with torch.no_grad():
            for p, tp in zip(q.parameters(), target.parameters()):
                tp.mul_(1 - hp.polyak).add_(p, alpha=hp.polyak)
        losses.append(float(loss))
        done_updates += 1
    print(f"loss {sum(losses[-30:]) / 30:.4f} return {sum(returns) / len(returns):.2f}")


if __name__ == "__main__":
    main()
