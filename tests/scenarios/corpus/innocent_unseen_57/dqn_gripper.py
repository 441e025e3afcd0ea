# gradwatch-corpus: kind=none
"""Double DQN on a gripper alignment toy; prioritised replay with a hard bound."""
import random
from collections import deque

import torch
import torch.nn.functional as F
from torch import nn


class PrioritisedReplay:
    def __init__(self, capacity, rng, alpha=0.6):
        self.capacity, self.rng, self.alpha = capacity, rng, alpha
        self.items, self.prio, self.head = [], [], 0

    def add(self, item):
        top = max(self.prio, default=1.0)
        if len(self.items) < self.capacity:
            self.items.append(item)
            self.prio.append(top)
        else:
            self.items[self.head], self.prio[self.head] = item, top
            self.head = (self.head + 1) % self.capacity

    def sample(self, n):
        w = [p ** self.alpha for p in self.prio]
        idx = self.rng.choices(range(len(self.items)), weights=w, k=n)
        return idx, [torch.stack(c) for c in zip(*(self.items[i] for i in idx))]

    def update(self, idx, td):
        for i, e in zip(idx, td):
            self.prio[i] = e + 1e-3


class GripperEnv:
    def __init__(self, d=64):
        self.proj = torch.randn(3, d)

    def reset(self):
        self.err = torch.randn(3)
        self.t = 0
        return self.obs()

    def obs(self):
        return torch.tanh(self.err @ self.proj)

    def step(self, a):
        axis, sign = divmod(a, 2)
        self.err[axis] += 0.25 if sign else -0.25
        self.t += 1
        dist = self.err.norm()
        return self.obs(), -dist, bool(dist < 0.3) or self.t >= 25


class Agent:
    def __init__(self, d, n_act, rng):
        mk = lambda: nn.Sequential(nn.Linear(d, 48), nn.ReLU(), nn.Linear(48, n_act))
        self.q, self.target = mk(), mk()
        self.target.load_state_dict(self.q.state_dict())
        self.opt = torch.optim.Adam(self.q.parameters(), lr=1e-3)
        self.replay = PrioritisedReplay(1500, rng)
        self.n_act, self.rng = n_act, rng
        self.eps = 1.0
        self.q_trace = deque(maxlen=50)
        self.td_by_iter = deque(maxlen=64)

    def act(self, obs):
        if self.rng.random() < self.eps:
            return self.rng.randrange(self.n_act)
        with torch.no_grad():
            q = self.q(obs)
        self.q_trace.append(q.max())
        return int(q.argmax())

    def update(self, n=32, gamma=0.95):
        idx, (s, a, r, s2, nd) = self.replay.sample(n)
        with torch.no_grad():
            best = self.q(s2).argmax(-1, keepdim=True)
            y = r + gamma * nd * self.target(s2).gather(-1, best).squeeze(-1)
        pred = self.q(s).gather(-1, a[:, None]).squeeze(-1)
        td = y - pred
        loss = F.huber_loss(pred, y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.replay.update(idx, td.abs().tolist())
        self.td_by_iter.append(td.detach())
        with torch.no_grad():
            for p, q in zip(self.target.parameters(), self.q.parameters()):
                p.lerp_(q, 0.01)
        return loss


def main():
    torch.manual_seed(41)
    torch.set_num_threads(1)
    rng = random.Random(41)
    env, agent = GripperEnv(), Agent(64, 6, rng)
    obs = env.reset()
    loss = None
    for it in range(190):
        for _ in range(12):
            a = agent.act(obs)
            nxt, r, done = env.step(a)
            agent.replay.add((obs, torch.tensor(a), r, nxt, torch.tensor(0.0 if done else 1.0)))
            obs = env.reset() if done else nxt
        agent.eps = max(0.1, agent.eps * 0.98)
        if len(agent.replay.items) >= 48:
            loss = agent.update()
        if it % 30 == 0 and loss is not None:
            print(f"it {it} loss {loss.item():.4f} replay {len(agent.replay.items)} eps {agent.eps:.2f}")


if __name__ == "__main__":
    main()
