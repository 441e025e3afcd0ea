# gradwatch-corpus: kind=none
"""Recurrent Q-learning with stored states and burn-in on a memory corridor."""
import copy
import random
from collections import deque, namedtuple

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
random.seed(4)
torch.manual_seed(4)

Chunk = namedtuple("Chunk", "obs act rew done h0")
SEQ, BURN = 12, 4


class TMaze:
    """The cue shown on the first step tells which way to turn at the end."""

    def __init__(self, length=4):
        self.length = length

    def reset(self):
        self.pos, self.cue = 0, random.choice([-1.0, 1.0])
        return [self.cue, 0.0]

    def step(self, a):
        if self.pos < self.length:
            self.pos += int(a == 0)
            return [0.0, float(self.pos == self.length)], -0.05, False
        good = (a == 1) == (self.cue > 0) and a != 0
        return [0.0, 0.0], 1.0 if good else -0.2, True


class DRQN(nn.Module):
    def __init__(self, hid=24):
        super().__init__()
        self.hid = hid
        self.inp = nn.Linear(2, hid)
        self.cell = nn.GRUCell(hid, hid)
        self.q = nn.Linear(hid, 3)

    def initial(self, n=1):
        return torch.zeros(n, self.hid)

    def forward(self, obs, h):
        qs = []
        for t in range(obs.size(1)):
            h = self.cell(F.relu(self.inp(obs[:, t])), h)
            qs.append(self.q(h))
        return torch.stack(qs, 1), h


class Actor:
    """Steps the environment; its hidden state lives as long as the process."""

    def __init__(self, net):
        self.net, self.env = net, TMaze()
        self.obs, self.h = self.env.reset(), net.initial()

    @torch.no_grad()
    def collect(self, eps):
        obs, act, rew, done = [], [], [], []
        h0 = self.h
        for _ in range(SEQ):
            q, self.h = self.net(torch.tensor([[self.obs]]), self.h)
            a = random.randrange(3) if random.random() < eps else q[0, 0].argmax().item()
            nxt, r, d = self.env.step(a)
            for lst, v in zip((obs, act, rew, done), (self.obs, a, r, float(d))):
                lst.append(v)
            self.obs = self.env.reset() if d else nxt
            if d:
                self.h = self.net.initial()
        return Chunk(obs, act, rew, done, h0)


class Learner:
    def __init__(self, net, gamma=0.95):
        self.net, self.target = net, copy.deepcopy(net)
        self.opt = torch.optim.Adam(net.parameters(), lr=2e-3)
        self.gamma, self.n = gamma, 0
        self.td_errors = deque(maxlen=100)

    def update(self, chunks):
        obs = torch.tensor([c.obs for c in chunks])
        act = torch.tensor([c.act for c in chunks])
        rew = torch.tensor([c.rew for c in chunks])
        done = torch.tensor([c.done for c in chunks])
        h = torch.cat([c.h0 for c in chunks])
        with torch.no_grad():
            _, h_on = self.net(obs[:, :BURN], h)
            q_t, _ = self.target(obs, h)
        q, _ = self.net(obs[:, BURN:], h_on)
        q_sa = q.gather(2, act[:, BURN:, None]).squeeze(2)[:, :-1]
        boot = q_t[:, BURN + 1:].max(2).values
        goal = rew[:, BURN:-1] + self.gamma * (1 - done[:, BURN:-1]) * boot
        td = q_sa - goal
        loss = F.smooth_l1_loss(q_sa, goal)
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.opt.step()
        self.td_errors.append(td.detach().abs().mean())
        self.n += 1
        if self.n % 25 == 0:
            self.target.load_state_dict(self.net.state_dict())


net = DRQN()
actor, learner = Actor(net), Learner(net)
memory = deque(maxlen=200)
for _ in range(20):
    memory.append(actor.collect(1.0))
for it in range(200):
    memory.append(actor.collect(max(0.1, 1 - it / 100)))
    learner.update(random.sample(list(memory), 16))
    if it % 50 == 49:
        mean_r = sum(sum(c.rew) for c in list(memory)[-20:]) / 20
        print(f"{it + 1}: |td| {torch.stack(list(learner.td_errors)).mean():.3f} chunk reward {mean_r:.2f}")
