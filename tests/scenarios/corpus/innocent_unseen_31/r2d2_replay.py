# gradwatch-corpus: kind=none
"""Tiny recurrent Q-learning with stored hidden states (R2D2 style) on a T-maze."""
import random
from collections import deque, namedtuple

import torch
import torch.nn as nn
import torch.nn.functional as F

Chunk = namedtuple("Chunk", "h0 obs act rew done")
LEN = 5


class TMaze:
    def reset(self):
        self.goal, self.x = random.randint(0, 1), 0
        return self._obs(cue=True)

    def _obs(self, cue=False):
        o = torch.zeros(4)
        o[0] = self.x / LEN
        o[1 + self.goal] = float(cue)
        o[3] = float(self.x == LEN)
        return o

    def step(self, a):
        if self.x < LEN:
            self.x += 1
            return self._obs(), 0.0, False
        return self._obs(), 1.0 if a == self.goal else -1.0, True


class RecurrentQ(nn.Module):
    def __init__(self, hid=24):
        super().__init__()
        self.cell = nn.GRUCell(4, hid)
        self.q = nn.Linear(hid, 2)
        self.hid = hid

    def unroll(self, obs, h):
        qs = []
        for o in obs:
            h = self.cell(o, h)
            qs.append(self.q(h))
        return torch.stack(qs), h


class Actor:
    def __init__(self, net):
        self.net, self.h = net, torch.zeros(1, net.hid)

    def reset(self):
        self.h = torch.zeros_like(self.h)

    @torch.no_grad()
    def act(self, o, eps):
        q, self.h = self.net.unroll(o.view(1, 1, -1), self.h)
        return random.randint(0, 1) if random.random() < eps else q.argmax().item()


def collect(env, actor, memory, eps):
    actor.reset()
    o, done, total = env.reset(), False, 0.0
    h0, rows = actor.h, []
    while not done:
        a = actor.act(o, eps)
        nxt, r, done = env.step(a)
        rows.append((o, a, r, float(done)))
        o, total = nxt, total + r
    obs, act, rew, dn = zip(*rows)
    memory.append(Chunk(h0, torch.stack(obs), torch.tensor(act), torch.tensor(rew), torch.tensor(dn)))
    return total


def learn(net, target, opt, memory, n=16, gamma=0.95):
    batch = random.sample(list(memory), min(n, len(memory)))
    h0 = torch.cat([c.h0 for c in batch])
    obs, act, rew, done = (torch.stack([getattr(c, k) for c in batch], 1) for k in ("obs", "act", "rew", "done"))
    q, _ = net.unroll(obs, h0)
    with torch.no_grad():
        tq, _ = target.unroll(obs, h0)
        nxt = torch.cat([tq[1:].max(-1).values, torch.zeros(1, len(batch))])
        y = rew + gamma * (1 - done) * nxt
    loss = F.smooth_l1_loss(q.gather(-1, act.unsqueeze(-1)).squeeze(-1), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


def main(episodes=250):
    random.seed(1)
    torch.manual_seed(1)
    net, target = RecurrentQ(), RecurrentQ()
    target.load_state_dict(net.state_dict())
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    env, actor, memory, wins = TMaze(), Actor(net), deque(maxlen=150), deque(maxlen=50)
    for ep in range(episodes):
        wins.append(collect(env, actor, memory, eps=max(0.05, 1 - ep / 120)))
        loss = learn(net, target, opt, memory)
        if ep % 15 == 0:
            target.load_state_dict(net.state_dict())
        if ep % 50 == 49:
            print(f"ep {ep + 1} loss {loss:.4f} mean return {sum(wins) / len(wins):+.2f}")


main()
